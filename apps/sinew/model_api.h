// The viewer's questions about a built model, and the messages by which its page lays bricks around
// muscles.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "sinew/anatomy/model.h"

#include "api.h"

namespace sinew::app {

class ModelApi : public Api {
 public:
  // Reads the whole model. Throws InputError where it cannot be read.
  explicit ModelApi(const std::string& path);

  const char* page() const override { return "/model.html"; }
  Reply answer(const std::string& path, const std::string& from) override;
  std::string message_path() const override { return "/api/model/bricks"; }
  Reply obey(const std::string& message) override;

 private:
  using Shared = std::shared_ptr<const anatomy::Model>;
  Shared model();
  Reply find(const std::string& path);
  Reply wrap(const std::string& message);
  void save(const anatomy::Muscle& muscle, anatomy::MuscleBricks bricks);

  const std::string file_;
  std::mutex mutex_;     // of model_
  Shared model_;         // as it is on disk; replaced when bricks are saved
  std::mutex wrapping_;  // one page at a time: it keeps the machine busy
};

}  // namespace sinew::app
