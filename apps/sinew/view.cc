#include "view.h"

#include <cstdio>
#include <thread>

#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include "assets.h"
#include "server.h"

namespace sinew::app {

namespace {

// Blocks Ctrl-C and SIGTERM in this thread and those it starts, so that they are waited for rather
// than handled: nothing of the server must run inside a signal handler.
class HeldSignals {
 public:
  HeldSignals() {
    sigemptyset(&ends_);
    sigaddset(&ends_, SIGINT);
    sigaddset(&ends_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends_, &before_);
  }
  ~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  void wait() const {
    int received = 0;
    sigwait(&ends_, &received);
  }

 private:
  sigset_t ends_{};
  sigset_t before_{};
};

}  // namespace

int view(const ViewOptions& options) {
  const HeldSignals signals;
  Server server(options.path);
  const int port = server.bind(options.port);
  if (!has_viewer_page()) {
    fmt::print(stderr,
               "This sinew was built without the viewer's page: install npm and build again.\n");
  }
  fmt::print("Viewing {} at http://127.0.0.1:{}  (Ctrl-C ends)\n", options.path, port);
  std::fflush(stdout);

  bool ended_well = true;
  std::thread serving([&] {
    ended_well = server.serve();
    if (!ended_well) ::kill(::getpid(), SIGTERM);  // wakes the wait below
  });
  signals.wait();
  server.stop();
  serving.join();
  if (!ended_well) fmt::print(stderr, "The server ended by itself: port {} was lost.\n", port);
  return ended_well ? 0 : 1;
}

}  // namespace sinew::app
