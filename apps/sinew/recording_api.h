// The viewer's questions about a recording, answered with JSON or with plain binary arrays.
#pragma once

#include <memory>
#include <string>

#include "api.h"

namespace sinew::app {

class RecordingApi : public Api {
 public:
  // Opens the recording of a run's folder. Throws InputError where it cannot be read.
  explicit RecordingApi(const std::string& path);
  ~RecordingApi() override;

  const char* page() const override { return "/index.html"; }
  Reply answer(const std::string& path, const std::string& from) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::app
