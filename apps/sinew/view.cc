#include "view.h"

#include <memory>

#include "sinew/record/model_file.h"

#include "model_api.h"
#include "recording_api.h"
#include "serve.h"

namespace sinew::app {

namespace {

std::unique_ptr<Api> open(const std::string& path) {
  if (record::is_model(path)) return std::make_unique<ModelApi>(path);
  return std::make_unique<RecordingApi>(path);
}

}  // namespace

int view(const ViewOptions& options) {
  const HeldSignals signals;
  Server server(open(options.path));
  return serve(server, options.port, "Viewing " + options.path, signals);
}

}  // namespace sinew::app
