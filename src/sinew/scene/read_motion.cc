// Motions of a scene's skeleton: key frames in the scene, or a file of coordinates in time.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"
#include "sinew/scene/find_named.h"
#include "sinew/scene/read_parts.h"
#include "sinew/scene/skeleton_parts.h"
#include "sinew/skeleton/read_table.h"

namespace sinew::scene {
namespace {

constexpr std::size_t kMaxMoves = 256;

// Key frames of one coordinate.
struct Move {
  std::size_t coordinate;
  std::vector<double> times, values;
};

Move read_move(Table table, const skeleton::Skeleton& skeleton) {
  table.allow({"coordinate", "times", "angles_deg", "values"});
  Move move;
  move.coordinate = find_coordinate(table, "coordinate", skeleton);
  const skeleton::Coordinate& coordinate = skeleton.coordinates[move.coordinate];
  if (coordinate.coupler)
    table.fail("coordinate", fmt::format("\"{}\" follows another coordinate", coordinate.name));
  if (coordinate.locked)
    table.fail("coordinate", fmt::format("\"{}\" is held (\"hold\") or locked by the model: it "
                                         "cannot have key frames",
                                         coordinate.name));
  move.times = table.numbers("times", {0, 1e6, "s"});
  const bool turns = coordinate.rotational;
  const char* key = turns ? "angles_deg" : "values";
  move.values = table.numbers(key, {-36000, 36000, turns ? "degrees" : "m"});
  if (turns)
    for (double& value : move.values) value *= kDegree;
  if (move.values.size() != move.times.size())
    table.fail(key,
               fmt::format("has {} values for {} times", move.values.size(), move.times.size()));
  if (std::adjacent_find(move.times.begin(), move.times.end(), std::greater_equal<>()) !=
      move.times.end())
    table.fail("times", "must increase");
  return move;
}

// One table of poses at all key times; a coordinate between its own keys is interpolated by its own
// spline first, so that keys of others do not bend it.
skeleton::Motion join_moves(const skeleton::Skeleton& skeleton, const std::vector<Move>& moves) {
  std::set<double> times;
  for (const Move& move : moves) times.insert(move.times.begin(), move.times.end());
  skeleton::Motion motion;
  motion.times.assign(times.begin(), times.end());
  motion.q.assign(motion.times.size(), rest_pose(skeleton));
  for (const Move& move : moves) {
    skeleton::Motion own{move.times, {}};
    for (const double value : move.values) {
      own.q.push_back(rest_pose(skeleton));
      own.q.back()[move.coordinate] = value;
    }
    const skeleton::MotionSpline spline =
        make_motion_spline(skeleton, own, skeleton::MotionEnds::kAtRest);
    skeleton::MotionPose pose;
    for (std::size_t k = 0; k < motion.times.size(); ++k) {
      evaluate(spline, motion.times[k], pose);
      motion.q[k][move.coordinate] = pose.q[move.coordinate];
    }
  }
  return motion;
}

skeleton::TimeTable read_columns(const Table& table, const std::string& path) {
  try {
    return skeleton::read_time_table(path);
  } catch (const InputError& error) {
    table.fail("file", error.what());
  }
}

// A column of the file stands for a coordinate of another name.
void rename_columns(const Table& table, const std::string& path, const skeleton::Skeleton& skeleton,
                    skeleton::TimeTable& columns) {
  auto names = table.table_if("columns");
  if (!names) return;
  for (const std::string& coordinate : names->allow_names()) {
    find_named(*names, coordinate, coordinate, coordinate_names(skeleton), "coordinate");
    const std::string column = names->text(coordinate);
    const auto found = std::find(columns.columns.begin(), columns.columns.end(), column);
    if (found == columns.columns.end()) {
      const std::vector<std::string_view> known(columns.columns.begin(), columns.columns.end());
      names->fail(coordinate, fmt::format("{} has no column \"{}\"{}", path, printable(column),
                                          did_you_mean(column, known)));
    }
    *found = coordinate;
  }
}

// A locked coordinate stays at rest whatever its column says. Returns whether the column moves it.
bool hold_still(std::size_t i, double rest, skeleton::Motion& motion) {
  constexpr double kMoved = 1e-6;  // rad or m: what digits of a file may be off
  bool moves = false;
  for (std::vector<double>& q : motion.q) {
    moves = moves || std::abs(q[i] - rest) > kMoved;
    q[i] = rest;
  }
  return moves;
}

// Files of inverse kinematics have a column for every coordinate: those that follow another go on
// following it, locked ones stay.
void prescribe(const std::string& path, const skeleton::ColumnUse& use, skeleton::Motion& motion,
               SkeletonScene& scene) {
  const std::vector<double> rest = rest_pose(scene.skeleton);
  for (const std::size_t i : use.coordinates) {
    const skeleton::Coordinate& coordinate = scene.skeleton.coordinates[i];
    if (coordinate.locked) {
      if (!hold_still(i, rest[i], motion)) continue;
      scene.notes.push_back(fmt::format("\"{}\" is held or locked: its column in {} has no effect",
                                        coordinate.name, path));
    } else if (!coordinate.coupler) {
      scene.prescribed.push_back(i);
    }
  }
  scene.notes.insert(scene.notes.end(), use.doubts.begin(), use.doubts.end());
  if (use.ignored.empty()) return;
  const std::vector<std::string_view> ignored(use.ignored.begin(), use.ignored.end());
  scene.notes.push_back(fmt::format("columns of {} that are no coordinates have no effect: {}",
                                    path, join_some(ignored)));
}

void read_motion_file(Table table, SkeletonScene& scene) {
  table.allow({"file", "columns"});
  const std::string path =
      (std::filesystem::path(table.file()).parent_path() / table.text("file")).string();
  skeleton::TimeTable columns = read_columns(table, path);
  scene.notes.insert(scene.notes.end(), columns.notes.begin(), columns.notes.end());
  rename_columns(table, path, scene.skeleton, columns);
  try {
    skeleton::ColumnUse use;
    skeleton::Motion motion = make_motion(scene.skeleton, columns, &use);
    prescribe(path, use, motion, scene);
    scene.motion = std::make_shared<skeleton::MotionSpline>(
        make_motion_spline(scene.skeleton, motion, skeleton::MotionEnds::kNatural));
  } catch (const InputError& error) {
    table.fail("file", error.what());
  }
}

}  // namespace

void read_motion(const Table& table, SkeletonScene& scene) {
  const std::vector<Table> tables = table.tables("moves", kMaxMoves);
  if (auto file = table.table_if("motion")) {
    if (!tables.empty()) table.fail("motion", "a skeleton has either \"moves\" or \"motion\"");
    read_motion_file(*file, scene);
    return;
  }
  if (tables.empty()) return;
  std::vector<Move> moves;
  moves.reserve(tables.size());
  for (const Table& move : tables) {
    moves.push_back(read_move(move, scene.skeleton));
    const std::size_t coordinate = moves.back().coordinate;
    if (std::find(scene.prescribed.begin(), scene.prescribed.end(), coordinate) !=
        scene.prescribed.end())
      move.fail("coordinate", "is moved twice; join the key frames in one table");
    scene.prescribed.push_back(coordinate);
  }
  scene.motion = std::make_shared<skeleton::MotionSpline>(skeleton::interpolate_key_poses(
      scene.skeleton, join_moves(scene.skeleton, moves), skeleton::MotionEnds::kAtRest));
}

}  // namespace sinew::scene
