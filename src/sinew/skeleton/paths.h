// Lengths and moment arms of line muscles in a pose, with their paths over points and wrap objects:
// for muscle forces, tables, the viewer, and the coupling of line muscles to bodies.
//
// Source: docs/theory/skeleton.md, equations (10)-(22). A pose gives the same bits whatever was
// evaluated before. Nothing throws: ends inside an object, segments of no length and objects of no
// size leave the path straight there.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/skeleton/kinematics.h"
#include "sinew/skeleton/path_solver.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::skeleton {

struct PathTable {
  std::vector<double> lengths;  // (num_muscles) m
  // (num_muscles, num_coordinates) by rows: -dL/dq, m for turns and 1 for shifts; what coupled
  // coordinates contribute stands with the one they follow, theirs are zero.
  std::vector<double> moment_arms;
};

// Memory that is used again in the next pose. Nothing of a pose is kept in it.
struct PathWorkspace {
  PathSolver solver;
  std::vector<engine::Wrench> wrenches;  // (num_bodies)
  struct Slope {
    std::size_t dependent, independent;
    double value;
  };
  std::vector<Slope> couplers;  // in the order in which they are handed on
};

// One path: its length, m; adds -dL/dq to `arms` (num_coordinates), which are zero. The first
// readies the workspace for all paths of the pose.
void place_paths(const Skeleton& skeleton, const Kinematics& kinematics,
                 const std::vector<double>& q, PathWorkspace& workspace);
double evaluate_path(const Skeleton& skeleton, const Kinematics& kinematics,
                     const std::vector<double>& q, const Path& path, WrapRules rules,
                     PathWorkspace& workspace, double* arms);

// Fills `table` for the pose q (num_coordinates), whose kinematics are given.
void evaluate_paths(const Skeleton& skeleton, const Kinematics& kinematics,
                    const std::vector<double>& q, WrapRules rules, PathWorkspace& workspace,
                    PathTable& table);

// Points of a path in the ground's frame from origin to insertion, m; arcs over wrap objects as
// points at most 2 mm apart.
std::vector<Vec3d> trace_path(const Skeleton& skeleton, const Kinematics& kinematics,
                              const std::vector<double>& q, const Path& path, WrapRules rules);

// A force on a body in the ground's frame.
struct PathForce {
  std::size_t body;
  Vec3d point;  // m
  Vec3d force;  // N for a tension of 1 N
};

// What a tension of 1 N does to the bodies that the path touches, in the path's order.
std::vector<PathForce> compute_path_forces(const Skeleton& skeleton, const Kinematics& kinematics,
                                           const std::vector<double>& q, const Path& path,
                                           WrapRules rules);

}  // namespace sinew::skeleton
