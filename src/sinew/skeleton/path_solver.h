// Lays a path over its wrap objects: each object is offered the straight stretches of the path as
// it is, in the order of the list, until all fit together.
//
// Source: docs/theory/skeleton.md, "Several objects". Departure from OpenSim: where the path has
// several objects, positions of the last round are used throughout (OpenSim keeps those of the
// first in its lengths and directions).
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/skeleton/path_points.h"
#include "sinew/skeleton/wrap_arc.h"

namespace sinew::skeleton {

enum class WrapRules {
  kOpenSim,   // as OpenSim lays paths: for equality with it
  kGeodesic,  // shortest ways over the objects, smooth functions of the pose
};

class PathSolver {
 public:
  // Where the wrap objects are in this pose. Call once a pose, before `solve`.
  void place_objects(const Skeleton& skeleton, const Kinematics& kinematics);

  // Solves one path. `nodes()` and `arc()` then describe it. Returns its length, m.
  double solve(const Skeleton& skeleton, const Kinematics& kinematics, const std::vector<double>& q,
               const Path& path, WrapRules rules);

  const std::vector<PathNode>& nodes() const { return nodes_; }
  // The curve over the object of one of the path's wraps; precondition: the path touches it.
  const WrapArc& arc(std::size_t wrap) const { return slots_[wrap].arc; }
  const Frame& object_frame(std::size_t object) const { return frames_[object]; }

 private:
  // What an object made of a stretch, and where it stands in the path.
  struct Slot {
    WrapStatus status = WrapStatus::kStraight;
    WrapArc arc;
    std::size_t after = kNone;  // index of the node before it when it was placed
    double moved = 0;           // m, in the last round
    struct Memo {
      Stretch stretch{};  // in the ground
      WrapStatus status = WrapStatus::kStraight;
      WrapArc arc;
    };
    std::vector<Memo> memos;
    std::size_t num_memos = 0;
  };
  struct Round {
    const Skeleton& skeleton;
    const Path& path;
    const std::vector<double>& q;
    WrapRules rules;
  };

  void solve_rounds(const Round& round);
  void lay_over(const Round& round, std::size_t wrap);
  WrapStatus wrap_between(const Round& round, std::size_t wrap, std::size_t node, WrapArc& arc);
  std::size_t find_node(const Round& round, std::size_t wrap, bool last) const;
  void place(const Round& round, std::size_t wrap, std::size_t node);
  double length() const;

  std::vector<Frame> frames_;  // (num_wrap_objects) in the ground
  std::vector<PathNode> nodes_;
  std::vector<Slot> slots_;         // (num_wraps of the path)
  std::vector<std::size_t> order_;  // of the wraps
};

}  // namespace sinew::skeleton
