// The viewer's questions about a built model.
#pragma once

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

 private:
  Reply find(const std::string& path) const;

  anatomy::Model model_;
};

}  // namespace sinew::app
