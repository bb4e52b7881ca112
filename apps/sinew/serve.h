// What the verbs with a page share: a server that runs until Ctrl-C.
#pragma once

#include <signal.h>

#include "server.h"

namespace sinew::app {

// Blocks Ctrl-C and SIGTERM in this thread and those it starts, so that they are waited for rather
// than handled: nothing of the server must run inside a signal handler.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  void wait() const;

 private:
  sigset_t ends_{};
  sigset_t before_{};
};

// Says "DOING at http://127.0.0.1:PORT" and serves until a signal comes. Returns the exit code.
// Throws InputError where no port is free.
int serve(Server& server, int port, const std::string& doing, const HeldSignals& signals);

}  // namespace sinew::app
