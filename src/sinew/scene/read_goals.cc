#include "sinew/scene/read_goals.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/scene/find_named.h"
#include "sinew/scene/read_parts.h"
#include "sinew/scene/read_text.h"
#include "sinew/scene/skeleton_parts.h"
#include "sinew/scene/toml_table.h"
#include "sinew/skeleton/reach_goals.h"

namespace sinew::scene {
namespace {

constexpr std::size_t kMaxGoals = 256;
constexpr double kMaxPoses = 1e6;
constexpr Range kWeight{0, 1e6};

skeleton::MovingGoal read_goal(Table table, const skeleton::Skeleton& skeleton) {
  table.allow({"body", "point", "times", "targets", "interpolation", "weight"});
  skeleton::MovingGoal goal;
  // A body's name in an .osim file may hold any letter.
  goal.body = find_named(table, "body", table.text("body"), body_names(skeleton), "body");
  goal.location = table.vector_or("point", kMaxPosition, "m", goal.location);
  goal.weight = table.number_or("weight", kWeight, goal.weight);
  const std::vector<Vec3d> targets = table.vectors("targets", kMaxPosition, "m");
  engine::KeyFrames keys;
  keys.times = read_times(table, targets.size(), "targets");
  if (table.has("interpolation") && table.word("interpolation", {"linear", "smooth"}) == "smooth")
    keys.interpolation = engine::Interpolation::kSmooth;
  for (std::size_t k = 0; k < 3; ++k) {
    keys.values.clear();
    for (const Vec3d& target : targets) keys.values.push_back(target[k]);
    goal.target[k] = keys;
  }
  return goal;
}

skeleton::CoordinateGoal read_preference(Table table, const skeleton::Skeleton& skeleton) {
  table.allow({"coordinate", "angle_deg", "value", "weight"});
  skeleton::CoordinateGoal goal;
  goal.coordinate = find_named(table, "coordinate", table.text("coordinate"),
                               coordinate_names(skeleton), "coordinate");
  const bool turns = skeleton.coordinates[goal.coordinate].rotational;
  goal.value = turns ? table.number("angle_deg", {-36000, 36000, "degrees"}) * kDegree
                     : table.number("value", {-kMaxPosition, kMaxPosition, "m"});
  goal.weight = table.number_or("weight", kWeight, goal.weight);
  return goal;
}

void read_settings(const Table& file, const skeleton::Skeleton& skeleton,
                   skeleton::FollowSettings& settings) {
  using Method = skeleton::FollowSettings::Method;
  if (file.has("method") &&
      file.word("method", {"pseudo-inverse", "least-squares"}) == "least-squares")
    settings.method = Method::kLeastSquares;
  settings.rate = file.number_or("rate", {1e-3, 1e6, "poses/s"}, settings.rate);
  const std::vector<Table> preferred = file.tables("preferred", kMaxGoals);
  for (const Table& table : preferred)
    settings.preferred.push_back(read_preference(table, skeleton));
  if (preferred.empty() && settings.method == Method::kPseudoInverse)
    settings.preferred = make_middle_goals(skeleton);
}

void check_length(const Table& file, const GoalFile& goals) {
  double first = 1e9, last = -1e9;  // s, beyond what times may be
  for (const skeleton::MovingGoal& goal : goals.goals) {
    first = std::min(first, goal.target[0].times.front());
    last = std::max(last, goal.target[0].times.back());
  }
  if ((last - first) * goals.settings.rate <= kMaxPoses) return;
  file.fail("goals", fmt::format("{} s at {} poses/s are more than {} poses", last - first,
                                 goals.settings.rate, kMaxPoses));
}

}  // namespace

GoalFile parse_goals(const std::string& text, const std::string& path,
                     const skeleton::Skeleton& skeleton) {
  const Value document = parse_toml(text, path);
  Table file(path, document, "");
  file.allow({"method", "rate", "goals", "preferred"});
  GoalFile out;
  read_settings(file, skeleton, out.settings);
  for (const Table& table : file.tables("goals", kMaxGoals)) {
    out.goals.push_back(read_goal(table, skeleton));
  }
  if (out.goals.empty()) file.fail("goals", "there is nothing to reach: add [[goals]]");
  check_length(file, out);
  return out;
}

GoalFile read_goals(const std::string& path, const skeleton::Skeleton& skeleton) {
  return parse_goals(read_text(path, "file of goals"), path, skeleton);
}

}  // namespace sinew::scene
