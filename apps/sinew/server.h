// The viewer's HTTP server: the embedded page and the API of one recording or model, to this
// machine only. It never touches a file by a name that a request holds, and refuses foreign Host
// headers, so that a page on the web cannot reach it by rebinding its name to 127.0.0.1.
#pragma once

#include <memory>
#include <string>

namespace sinew::app {

class Server {
 public:
  // Opens the recording or model. Throws InputError where it cannot be read.
  explicit Server(const std::string& path);
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
