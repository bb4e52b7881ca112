// What the parts of a model that act on joints by themselves do in a pose: limits and springs of
// coordinates, bushings, ligaments, springs between points. For inverse dynamics and for bones that
// forces move; and which of a file's parts nobody computes.
//
// Source: docs/theory/skeleton.md, equations (46)-(54), which follow OpenSim's classes of the same
// names. Departures: FunctionBasedBushingForce is damped as its file says, which OpenSim 4 forgets;
// a limit without stiffness is damped by its transition alone, where OpenSim divides zero by zero.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/skeleton/kinematics.h"
#include "sinew/skeleton/paths.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::skeleton {

// Memory that is used again in the next pose.
struct JointForceWorkspace {
  Kinematics kinematics;
  PathWorkspace paths;
  std::vector<Twist> velocities;         // (num_bodies) in the ground
  std::vector<engine::Wrench> wrenches;  // (num_bodies) about the ground's origin
  std::vector<double> arms;              // (num_coordinates)
};

// Whether any of them acts.
bool has_joint_forces(const Skeleton& skeleton);

// Adds the generalised forces, (num_coordinates) N m or N, of all joint forces in the pose q
// (couplers applied) at the rates u. A coupled coordinate has its share; bands hand theirs on to
// the coordinate that is followed. What a formula has no value for is not finite.
void add_joint_forces(const Skeleton& skeleton, const std::vector<double>& q,
                      const std::vector<double>& u, WrapRules rules, JointForceWorkspace& workspace,
                      std::vector<double>& forces);

// Leaves parts out by their name or, all of a kind, by their type: joint forces, and unsupported
// parts that would act. Returns them as `type "name"`. Throws std::invalid_argument where a word
// means none.
std::vector<std::string> ignore_parts(Skeleton& skeleton, const std::vector<std::string>& words);

// Throws InputError of the skeleton's file where it has parts that would act on joints and are not
// computed here; `fix` says how to leave one out, such as "--ignore".
void require_known_forces(const Skeleton& skeleton, std::string_view fix);

}  // namespace sinew::skeleton
