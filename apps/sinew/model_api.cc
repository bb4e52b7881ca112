#include "model_api.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/brick/wrap_muscle.h"
#include "sinew/core/error.h"
#include "sinew/core/kept_inputs.h"
#include "sinew/core/to_float.h"
#include "sinew/record/model_file.h"

#include "bodies_json.h"
#include "brick_messages.h"
#include "message_json.h"

namespace sinew::app {
namespace {

using anatomy::Muscle;
using anatomy::MuscleEnd;
using nlohmann::json;

void append_points(std::string& out, const std::vector<Vec3d>& points) {
  append_bytes(out, to_float(points));
}

json describe(const MuscleEnd& end) {
  return {{"bone", end.bone}, {"sibling", end.sibling}, {"area", end.area}};
}

std::size_t count_points(const std::vector<std::vector<Vec3f>>& lines) {
  std::size_t count = 0;
  for (const auto& line : lines) count += line.size();
  return count;
}

json describe(const Muscle& muscle) {
  return {{"name", muscle.name},
          {"num_vertices", muscle.surface.positions.size()},
          {"num_triangles", muscle.surface.triangles.size()},
          {"num_lines", muscle.fiber_lines.size()},
          {"num_line_points", count_points(muscle.fiber_lines)},
          {"num_tets", muscle.mesh.tets.size()},
          {"num_nodes", muscle.mesh.rest_positions.size()},
          {"regions", muscle.regions},
          {"has_bricks", muscle.bricks.has_value()},
          {"origin", describe(muscle.origin)},
          {"insertion", describe(muscle.insertion)}};
}

json describe(const anatomy::Model& model) {
  constexpr std::array<const char*, 4> kKinds = {"bone", "cartilage", "ligament", "fat"};
  json tissues = json::array();
  for (const anatomy::Tissue& tissue : model.tissues) {
    tissues.push_back({{"name", tissue.name},
                       {"kind", kKinds.at(static_cast<std::size_t>(tissue.kind))},
                       {"num_vertices", tissue.surface.positions.size()},
                       {"num_triangles", tissue.surface.triangles.size()}});
  }
  json muscles = json::array();
  for (const Muscle& muscle : model.muscles) muscles.push_back(describe(muscle));
  return {{"name", model.name}, {"tissues", std::move(tissues)}, {"muscles", std::move(muscles)}};
}

Reply surface_of(const mesh::Surface& surface) {
  Reply reply{200, kBinaryType, {}};
  append_points(reply.body, surface.positions);
  append_bytes(reply.body, surface.triangles);
  return reply;
}

// The surface, the fibres as lines, and what its vertices are.
Reply muscle_of(const Muscle& muscle) {
  Reply reply = surface_of(muscle.surface);
  std::vector<std::uint32_t> starts = {0};
  for (const auto& line : muscle.fiber_lines) {
    append_bytes(reply.body, line);
    starts.push_back(starts.back() + static_cast<std::uint32_t>(line.size()));
  }
  append_bytes(reply.body, starts);
  std::vector<std::uint8_t> regions;
  for (const mesh::EmbeddedPoint& point : muscle.embedding) {
    regions.push_back(static_cast<std::uint8_t>(std::min<int>(muscle.region[point.tet], 255)));
  }
  append_bytes(reply.body, muscle.end);
  append_bytes(reply.body, muscle.vertex_tissue);
  append_bytes(reply.body, regions);
  return reply;
}

// Nodes, and the edges between them, each once.
Reply lattice_of(const Muscle& muscle) {
  std::vector<std::array<std::uint32_t, 2>> edges;
  edges.reserve(6 * muscle.mesh.tets.size());
  for (const auto& tet : muscle.mesh.tets) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = i + 1; j < 4; ++j) {
        edges.push_back({std::min(tet[i], tet[j]), std::max(tet[i], tet[j])});
      }
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  Reply reply{200, kBinaryType, {}};
  append_points(reply.body, muscle.mesh.rest_positions);
  append_bytes(reply.body, edges);
  return reply;
}

}  // namespace

ModelApi::ModelApi(const std::string& path)
    : file_(record::find_model(path)),
      model_(std::make_shared<const anatomy::Model>(record::read_model(file_))) {}

ModelApi::Shared ModelApi::model() {
  const std::lock_guard lock(mutex_);
  return model_;
}

Reply ModelApi::answer(const std::string& path, const std::string&) {
  try {
    return find(path);
  } catch (const NotFound& absent) {
    return {404, "text/plain", absent.message + "\n"};
  }
}

Reply ModelApi::find(const std::string& path) {
  const auto parts = split_path(path);
  const Shared shown = model();
  const anatomy::Model& model = *shown;
  if (parts.size() == 2 && parts[1] == "model") return json_reply(describe(model));
  if (parts.size() == 3 && parts[1] == "tissue") {
    const std::size_t i = parse_index(parts[2], model.tissues.size(), "tissue");
    return surface_of(model.tissues[i].surface);
  }
  if (parts.size() >= 3 && parts[1] == "muscle") {
    const Muscle& muscle = model.muscles[parse_index(parts[2], model.muscles.size(), "muscle")];
    if (parts.size() == 3) return muscle_of(muscle);
    if (parts.size() == 4 && parts[3] == "lattice") return lattice_of(muscle);
    if (parts.size() == 4 && parts[3] == "bricks") {
      if (!muscle.bricks) throw NotFound{"the muscle has no bricks"};
      return json_reply(describe_bricks(muscle, *muscle.bricks));
    }
  }
  throw NotFound{"no such page"};
}

Reply ModelApi::obey(const std::string& message) {
  const auto refuse = [](int status, const std::string& why) {
    return Reply{status, "text/plain", why + "\n"};
  };
  try {
    return wrap(message);
  } catch (const BadMessage& bad) {
    return refuse(400, bad.reason);
  } catch (const std::invalid_argument& bad) {  // a surface that cannot be wrapped so
    return refuse(400, bad.what());
  } catch (const InputError& error) {
    return refuse(503, error.what());
  }
}

Reply ModelApi::wrap(const std::string& text) {
  const BrickMessage message = read_brick_message(text);
  const Shared shown = model();
  if (message.muscle >= shown->muscles.size()) {
    throw BadMessage{fmt::format("no such muscle; there are {}", shown->muscles.size())};
  }
  const Muscle& muscle = shown->muscles[message.muscle];
  const std::lock_guard lock(wrapping_);
  anatomy::BrickSettings settings = message.settings;
  if (muscle.bricks) settings.axis = muscle.bricks->settings.axis;
  anatomy::MuscleBricks bricks = brick::wrap_muscle(muscle, settings);
  const json document = describe_bricks(muscle, bricks);
  if (message.save) save(muscle, std::move(bricks));
  return json_reply(document);
}

// Into the model as it is on disk now, which replaces the file as a whole.
void ModelApi::save(const Muscle& muscle, anatomy::MuscleBricks bricks) {
  anatomy::Model now = record::read_model(file_);
  const auto same = std::find_if(now.muscles.begin(), now.muscles.end(), [&](const Muscle& m) {
    return m.name == muscle.name && m.surface.positions == muscle.surface.positions;
  });
  if (same == now.muscles.end()) {
    throw InputError(file_, "", "the model was built again since; start `sinew view` again");
  }
  same->bricks = std::move(bricks);
  give_up_input(file_);  // it is renewed
  record::write_model(file_, now);
  const std::lock_guard lock(mutex_);
  model_ = std::make_shared<const anatomy::Model>(std::move(now));
}

}  // namespace sinew::app
