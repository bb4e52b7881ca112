#include "serve.h"

#include <cstdio>
#include <thread>

#include <unistd.h>

#include "assets.h"
#include "say.h"

namespace sinew::app {

HeldSignals::HeldSignals() {
  sigemptyset(&ends_);
  sigaddset(&ends_, SIGINT);
  sigaddset(&ends_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends_, &before_);
}

HeldSignals::~HeldSignals() {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void HeldSignals::wait() const {
  int received = 0;
  sigwait(&ends_, &received);
}

int serve(Server& server, int port, const std::string& doing, const HeldSignals& signals) {
  const int bound = server.bind(port);
  if (!has_viewer_page()) {
    say(stderr, "This sinew was built without the viewer's page: install npm and build again.\n");
  }
  say(stdout, "{} at http://127.0.0.1:{}  (Ctrl-C ends)\n", doing, bound);
  std::fflush(stdout);

  bool ended_well = true;
  std::thread serving([&] {
    ended_well = server.serve();
    if (!ended_well) ::kill(::getpid(), SIGTERM);  // wakes the wait below
  });
  signals.wait();
  server.stop();
  serving.join();
  if (!ended_well) say(stderr, "The server ended by itself: port {} was lost.\n", bound);
  return ended_well ? 0 : 1;
}

}  // namespace sinew::app
