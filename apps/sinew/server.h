// The HTTP server of `sinew view` and `sinew live`: the embedded pages and an API, to this machine
// only. It never touches a file by a name that a request holds. It refuses foreign Host headers, so
// that a page on the web cannot reach it by rebinding its name to 127.0.0.1, and foreign Origins,
// so that none can send it messages.
#pragma once

#include <memory>
#include <string>

#include "api.h"

namespace sinew::app {

class Server {
 public:
  explicit Server(std::unique_ptr<Api> api);
  ~Server();

  // Binds 127.0.0.1: to `port` or the next free one of twenty, or to any free one for 0. Returns
  // the port. Throws InputError where none is free.
  int bind(int port);
  // Serves until stop(). Precondition: bind() returned. Returns whether it ended by stop().
  bool serve();
  // From any thread; a call before serve() makes it return at once.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::app
