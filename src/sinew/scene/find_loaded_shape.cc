// Active shapes that were imaged under load: the map whose loaded shape is what was imaged.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/anatomy/active_shape.h"
#include "sinew/anatomy/stress_free_shape.h"
#include "sinew/core/error.h"
#include "sinew/scene/read_parts.h"
#include "sinew/tet/model.h"
#include "sinew/tet/tet_engine.h"

namespace sinew::scene {
namespace {

constexpr double kTolerance = 0.004;  // of the body's diagonal

// What key frames begin with, for ever.
engine::KeyFrames hold(const engine::KeyFrames& frames) {
  return {{0}, {engine::evaluate(frames, 0)}};
}

// The body alone in its world as that is at the start, fully active and at rest.
tet::Settings make_imaging(const tet::Settings& scene, const tet::BodySettings& body) {
  tet::Settings settings;
  settings.world = scene.world;
  settings.bodies = {body};
  for (tet::RegionSettings& region : settings.bodies[0].regions)
    region.excitation = engine::KeyFrames{{0}, {1}};
  for (tet::AttachmentSettings& held : settings.bodies[0].attachments) held.motion = {};
  for (engine::Collider& collider : settings.world.colliders) {
    if (collider.motion) collider.motion = hold(*collider.motion);
  }
  for (engine::ForceField& field : settings.world.fields) {
    if (field.strength) field.strength = hold(*field.strength);
  }
  settings.step.integrator = tet::Integrator::kQuasiStatic;
  settings.step.accuracy = tet::Accuracy::kEngineering;
  settings.step.step = 1;
  return settings;
}

std::vector<Vec3d> choose(const std::vector<Vec3d>& places, const std::vector<std::size_t>& nodes) {
  std::vector<Vec3d> chosen;
  chosen.reserve(nodes.size());
  for (const std::size_t n : nodes) chosen.push_back(places[n]);
  return chosen;
}

// Which nodes are compared: those inside the body that nothing holds; and held ones, which stay.
struct Nodes {
  std::vector<std::size_t> free, held;
};

Nodes choose_nodes(const tet::BodySettings& body, const std::vector<Vec3d>& points) {
  Nodes nodes;
  for (std::size_t n = 0; n < points.size(); ++n) {
    if (mesh::signed_distance(body.shape, points[n]) > 0) continue;
    const bool held = std::any_of(body.attachments.begin(), body.attachments.end(),
                                  [&](const tet::AttachmentSettings& a) {
                                    return mesh::signed_distance(a.where, points[n]) <= 0;
                                  });
    (held ? nodes.held : nodes.free).push_back(n);
  }
  return nodes;
}

}  // namespace

void find_loaded_shape(const Table& body_table, const tet::Settings& scene,
                       tet::BodySettings& body) {
  Table table = body_table.table("active_shape");
  table.allow({"type", "shape", "spacing", "tolerance"});
  if (body.regions.empty() || body.attachments.empty())
    table.fail("type", "a loaded shape needs a region that is active and an attachment");
  tet::Settings settings = make_imaging(scene, body);
  tet::Settings unexcited = settings;  // nothing could contract before the map is there
  unexcited.bodies[0].regions.clear();
  const std::vector<Vec3d> rest = tet::make_model(unexcited).rest_positions;
  const Nodes nodes = choose_nodes(body, rest);
  std::vector<std::pair<Vec3d, Vec3d>> fixed;
  for (const std::size_t n : nodes.held) fixed.emplace_back(rest[n], rest[n]);
  const anatomy::ActiveMap imaged = read_fitted_map(table, body.shape, std::move(fixed));
  const auto simulate = [&](const anatomy::ActiveMap& map) {
    settings.bodies[0].active_shape = std::make_shared<const anatomy::ActiveMap>(map);
    tet::TetEngine engine(tet::make_model(settings), settings);
    engine.advance(1);
    return choose(engine.state().positions, nodes.free);
  };
  const std::vector<Vec3d> points = choose(rest, nodes.free);
  std::vector<Vec3d> places;
  places.reserve(points.size());
  for (const Vec3d& X : points) places.push_back(anatomy::evaluate(imaged, X).place);
  const mesh::Bounds box = mesh::compute_bounds(body.shape);
  const double length = norm(box.high - box.low);
  anatomy::StressFreeSettings search;
  search.tolerance = table.number_or("tolerance", {1e-9, length, "m"}, kTolerance * length);
  const anatomy::StressFreeShape found =
      anatomy::find_stress_free_shape(points, places, imaged, simulate, search);
  if (!found.converged) {
    table.fail("shape", fmt::format("no stress-free shape was found that is loaded to it: {:.3g} m "
                                    "(rms) are left of {:.3g} m; tolerance is {:.3g} m",
                                    found.distance, found.distances[0], search.tolerance));
  }
  body.active_shape = std::make_shared<const anatomy::ActiveMap>(found.map);
}

}  // namespace sinew::scene
