// Excitations that a scene's muscles get from its skeleton: computed from the motion, or from a
// file.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "sinew/activation/plausibility.h"
#include "sinew/activation/static_optimization.h"
#include "sinew/core/error.h"
#include "sinew/core/text.h"
#include "sinew/scene/find_named.h"
#include "sinew/scene/skeleton_parts.h"
#include "sinew/skeleton/external_loads.h"
#include "sinew/skeleton/joint_forces.h"
#include "sinew/skeleton/read_table.h"

namespace sinew::scene {
namespace {

constexpr double kRate = 50;  // poses a second: activations change slower

using Excitations = std::map<std::string, engine::KeyFrames>;

// The columns of a table by name.
Excitations split_columns(const skeleton::TimeTable& table) {
  Excitations out;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    engine::KeyFrames& keys = out[table.columns[c]];
    keys.times = table.times;
    keys.values.reserve(table.rows.size());
    for (const std::vector<double>& row : table.rows)
      keys.values.push_back(std::clamp(row[c], 0.0, 1.0));
  }
  return out;
}

Excitations read_columns(const Table& table, const std::string& path,
                         std::vector<std::string>& notes) {
  try {
    const skeleton::TimeTable columns = skeleton::read_time_table(path);
    notes.insert(notes.end(), columns.notes.begin(), columns.notes.end());
    return split_columns(columns);
  } catch (const InputError& error) {
    table.fail("file", error.what());
  }
}

// Whether it is a muscle that nothing would activate.
bool would_rest(const tet::BodySettings& body) {
  if (!body.fibers && !body.muscle && !body.active_shape) return false;
  return std::none_of(body.regions.begin(), body.regions.end(),
                      [](const auto& region) { return region.excitation.has_value(); });
}

Excitations read_file(const Table& table, const std::vector<std::string_view>& muscles,
                      std::vector<std::string>& notes) {
  const std::string path =
      (std::filesystem::path(table.file()).parent_path() / table.text("file")).string();
  Excitations found = read_columns(table, path, notes);
  auto names = table.table_if("columns");
  if (!names) return found;
  Excitations named;
  std::vector<std::string_view> known;
  for (const auto& [column, keys] : found) known.emplace_back(column);
  for (const std::string& muscle : names->allow_names()) {
    find_named(*names, muscle, muscle, muscles, "body");
    const std::string name = names->text(muscle);
    const auto column = found.find(name);
    if (column == found.end())
      names->fail(muscle, fmt::format("{} has no column \"{}\"{}", path, printable(name),
                                      did_you_mean(name, known)));
    named[muscle] = column->second;
  }
  return named;
}

// Measured forces on the bones, in the motion's own time.
std::vector<std::vector<skeleton::Load>> read_loads(const Table& table,
                                                    const skeleton::Motion& motion,
                                                    SkeletonScene& scene) {
  const std::string path =
      (std::filesystem::path(table.file()).parent_path() / table.text("loads")).string();
  try {
    const skeleton::ExternalLoads loads = skeleton::read_external_loads(scene.skeleton, path);
    const std::string doubt = skeleton::check_times(loads, motion.times);
    if (!doubt.empty()) scene.notes.push_back(doubt);
    return skeleton::compute_loads(scene.skeleton, loads, skeleton::smooth_motion(motion, 0));
  } catch (const InputError& error) {
    table.fail("loads", error.what());
  }
}

void check_forces(const Table& table, const skeleton::Skeleton& skeleton) {
  try {
    skeleton::require_known_forces(skeleton, "skeleton.ignore");
  } catch (const InputError& error) {
    table.fail("", error.what());
  }
}

Excitations compute(const Table& table, SkeletonScene& scene, double duration) {
  if (!scene.motion)
    table.fail("", "activations can be computed only from a motion: add [[skeleton.moves]]");
  if (scene.skeleton.muscles.empty())
    table.fail("", "the skeleton has no muscle whose activation could be computed");
  check_forces(table, scene.skeleton);
  std::vector<double> times;
  const auto count = static_cast<std::size_t>(std::ceil(duration * kRate)) + 1;
  times.reserve(count);
  for (std::size_t k = 0; k < count; ++k) times.push_back(static_cast<double>(k) / kRate);
  activation::ActivationSettings settings;
  settings.quasi_static = table.boolean_or("quasi_static", false);
  settings.passive = table.boolean_or("passive", false);
  settings.cutoff = 0;  // a spline through key frames has nothing to filter
  const skeleton::Motion motion = skeleton::sample_motion(*scene.motion, times);
  if (table.has("loads")) settings.loads = read_loads(table, motion, scene);
  try {
    const activation::ActivationResult result =
        activation::compute_activations(scene.skeleton, motion, settings);
    activation::Plausibility found = activation::check_plausibility(scene.skeleton, result);
    std::ranges::move(found.doubts, std::back_inserter(scene.notes));
    return split_columns(activation::make_activation_table(scene.skeleton, result));
  } catch (const std::invalid_argument& error) {
    table.fail("", error.what());
  }
}

}  // namespace

void read_activations(const Table& scene, double duration, SkeletonScene& skeleton,
                      std::vector<tet::BodySettings>& bodies) {
  Table parent = scene.table("skeleton");
  allow_skeleton_keys(parent);
  auto table = parent.table_if("activations");
  if (!table) return;
  table->allow({"file", "columns", "quasi_static", "passive", "loads"});
  if (table->has("file") && table->has("loads"))
    table->fail("loads", "belongs to activations that are computed, not to those of a \"file\"");
  std::vector<std::string_view> names;
  names.reserve(bodies.size());
  for (const tet::BodySettings& body : bodies) names.emplace_back(body.name);
  if (!table->has("file") && !skeleton.skeleton.constraints.empty())
    skeleton.notes.emplace_back("activations are computed without the model's point constraints");
  const Excitations found = table->has("file") ? read_file(*table, names, skeleton.notes)
                                               : compute(*table, skeleton, duration);
  for (const skeleton::Muscle& muscle : skeleton.skeleton.muscles) {
    const auto activation = found.find(muscle.name);
    skeleton.activations.push_back(activation == found.end() ? engine::KeyFrames{}
                                                             : activation->second);
  }
  std::vector<std::string_view> passive;
  for (tet::BodySettings& body : bodies) {
    const auto excitation = found.find(body.name);
    if (excitation != found.end()) {
      for (tet::RegionSettings& region : body.regions) region.excitation = excitation->second;
    }
    if (would_rest(body)) passive.emplace_back(body.name);
  }
  if (passive.empty()) return;
  skeleton.notes.push_back(
      fmt::format("nothing activates these muscles, since no activation has their name or they "
                  "have no regions: {}",
                  join_some(passive)));
}

}  // namespace sinew::scene
