#include "live.h"

#include <memory>
#include <stdexcept>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/version.h"
#include "sinew/record/up_axis.h"
#include "sinew/scene/scene.h"

#include "live_api.h"
#include "report.h"
#include "serve.h"

namespace sinew::app {
namespace {

live::LiveRun make_run(const LiveOptions& options) {
  const scene::Scene scene = scene::read_scene(options.scene);
  warn(scene.notes);
  if (scene.skeleton) warn(scene.skeleton->notes);
  live::LiveSettings settings;
  settings.frame_rate = options.frame_rate;
  settings.recording_folder =
      options.output.empty() ? "out/" + scene.name + "-live" : options.output;
  settings.info.version = kVersion;
  settings.info.scene_name = scene.name;
  settings.info.scene_text = scene.text;
  settings.info.limits = scene.limits;
  settings.info.up = record::find_up_axis(scene.tet.world.gravity);
  try {
    return {scene::make_engine(scene), std::move(settings)};
  } catch (const std::invalid_argument& e) {
    throw InputError(options.scene, "", e.what());
  }
}

}  // namespace

int live(const LiveOptions& options) {
  const HeldSignals signals;
  Server server(std::make_unique<LiveApi>(make_run(options)));
  return serve(server, options.port, "Running " + options.scene, signals);
}

}  // namespace sinew::app
