// The viewer's questions about a recording, answered with JSON or with plain binary arrays. It
// knows nothing of HTTP but paths and status codes, so that the server stays a thin shell around
// it; docs/viewer.md lists the paths and the layouts.
#pragma once

#include <memory>
#include <string>

namespace sinew::app {

struct Reply {
  int status = 200;  // as in HTTP: 200, 404 (no such thing), 503 (the recording cannot be read now)
  std::string content_type;
  std::string body;  // of a failure: one line that says what is wrong
};

class RecordingApi {
 public:
  // Opens the recording of a run's folder. Throws InputError where it cannot be read.
  explicit RecordingApi(const std::string& path);
  ~RecordingApi();

  // Answers `path`, which starts with "/api/"; `from` is the query's value, empty where absent.
  // Any number of threads may ask at once. Never throws for what the file or the caller did wrong.
  Reply answer(const std::string& path, const std::string& from);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::app
