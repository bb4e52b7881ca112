#include "sinew/coupling/model_skeleton.h"

#include <cmath>
#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/coupling/middle_line.h"
#include "sinew/skeleton/kinematics.h"
#include "sinew/skeleton/paths.h"

#include "coupling/model_fixtures.h"

namespace sinew::coupling {
namespace {

TEST(ModelSkeleton, BonesAndJointsBecomeATreeAtRest) {
  const skeleton::Skeleton made = make_skeleton(make_arm(), MuscleMass::kApart);
  ASSERT_EQ(made.bodies.size(), 3U);  // the parent comes first although the model has it last
  EXPECT_EQ(made.bodies[1].name, "humerus");
  EXPECT_EQ(made.bodies[2].name, "forearm");
  EXPECT_EQ(made.bodies[2].parent, 1U);
  ASSERT_EQ(made.coordinates.size(), 1U);
  EXPECT_EQ(made.coordinates[0].name, "elbow");
  EXPECT_LT(made.gravity.z, 0);
  skeleton::Kinematics bent;
  evaluate_kinematics(made, {std::acos(0.0)}, bent);
  const Vec3d hand = apply(bent.bodies[2], {0, 0, -0.2});
  EXPECT_LT(norm(hand - Vec3d{0, 0.2, 0}), 1e-14);
}

TEST(ModelSkeleton, ABoneWeighsItsVolume) {
  const skeleton::Skeleton made = make_skeleton(make_arm(), MuscleMass::kApart);
  const double length = 0.28, radius = 0.01;
  const double volume = M_PI * radius * radius * (length + 4 * radius / 3);
  // The surface at a spacing of 4 mm is a chord of the round one: 3 %.
  EXPECT_NEAR(made.bodies[1].mass, 1500 * volume, 0.04 * 1500 * volume);
  EXPECT_LT(norm(made.bodies[1].mass_center - Vec3d{0, 0, 0.16}), 1e-3);
  const double rod = made.bodies[1].mass * std::pow(length + 2 * radius, 2) / 12;
  EXPECT_NEAR(made.bodies[1].inertia(0, 0), rod, 0.06 * rod);
  EXPECT_LT(made.bodies[1].inertia(2, 2), 0.02 * rod);
}

TEST(ModelSkeleton, MusclesWeighOnTheNearestBoneWhereTheyAreNotSimulated) {
  const skeleton::Skeleton bare = make_skeleton(make_arm(), MuscleMass::kApart);
  const skeleton::Skeleton loaded = make_skeleton(make_arm(), MuscleMass::kOnBones);
  double more = 0;
  for (std::size_t b = 1; b < bare.bodies.size(); ++b) {
    EXPECT_GT(loaded.bodies[b].mass, bare.bodies[b].mass);
    more += loaded.bodies[b].mass - bare.bodies[b].mass;
  }
  const double volume = mesh::compute_volume(make_arm().muscles[0].surface);
  EXPECT_NEAR(more / volume, 1060, 25);  // kg/m^3, of muscle
}

TEST(ModelSkeleton, ALineKeepsItsSideOfTheJointHoweverItBends) {
  const skeleton::Skeleton made = make_skeleton(make_arm(), MuscleMass::kApart);
  ASSERT_EQ(made.muscles.size(), 1U);
  skeleton::Kinematics kinematics;
  skeleton::PathWorkspace workspace;
  skeleton::PathTable table;
  for (const double angle : {-1.2, -0.6, 0.0, 0.6, 1.2}) {
    evaluate_kinematics(made, {angle}, kinematics);
    evaluate_paths(made, kinematics, {angle}, skeleton::WrapRules::kGeodesic, workspace, table);
    // In front of the axis by 3 cm: it turns the forearm towards its side in every pose.
    EXPECT_LT(table.moment_arms[0], -0.01) << angle;
    if (angle == 0) {
      EXPECT_NEAR(table.moment_arms[0], -0.03, 0.002);
      EXPECT_NEAR(table.lengths[0], 0.25, 0.01);
    }
  }
}

TEST(ModelSkeleton, TheMiddleOfABentMuscleFollowsIt) {
  anatomy::Muscle muscle;
  // A quarter of a ring about z, of radius 0.1 m.
  const mesh::Shape ring{mesh::Torus{{0, 0, 0}, {0, 0, 1}, 0.1, 0.012}};
  const mesh::Shape box{mesh::Box{{-0.11, 0, 0}, {0.22, 0.3, 0.1}}};
  const mesh::Shape other{mesh::Box{{0.06, -0.075, 0}, {0.14, 0.15, 0.1}}};
  muscle.mesh =
      mesh::make_lattice_mesh({mesh::Difference{std::make_shared<std::vector<mesh::Shape>>(
                                  std::vector<mesh::Shape>{ring, box, other})}},
                              0.006)
          .mesh;
  muscle.origin.center = {0.1, 0, 0};
  muscle.insertion.center = {0, 0.1, 0};
  for (std::uint32_t n = 0; n < muscle.mesh.rest_positions.size(); ++n) {
    if (muscle.mesh.rest_positions[n].y < 0.004) muscle.origin.nodes.push_back(n);
    if (muscle.mesh.rest_positions[n].x < 0.004) muscle.insertion.nodes.push_back(n);
  }
  muscle.tissue.assign(muscle.mesh.tets.size(), anatomy::kMuscleTissue);
  const std::vector<Vec3d> line = trace_middle(muscle).points;
  ASSERT_GT(line.size(), 20U);
  for (const Vec3d& x : line) EXPECT_NEAR(norm(x), 0.1, 0.004);  // less than a cell
}

TEST(ModelSkeleton, ConstantsFollowFromVolumeAndFibres) {
  const anatomy::Model model = make_arm();
  const skeleton::Muscle line = make_skeleton(model, MuscleMass::kApart).muscles[0];
  EXPECT_NEAR(line.optimal_length, 0.25, 1e-6);
  EXPECT_NEAR(line.max_force, 300e3 * mesh::compute_volume(model.muscles[0].surface) / 0.25,
              1e-6 * line.max_force);
}

TEST(ModelSkeleton, LoopsAndUnknownBonesAreRefused) {
  anatomy::Model loop = make_arm();
  loop.joints.push_back({"back", "pin", "forearm", "humerus", {0, 0, 0}, {{1, 0, 0}}});
  EXPECT_THROW(make_skeleton(loop, MuscleMass::kApart), std::invalid_argument);
  anatomy::Model unknown = make_arm();
  unknown.joints[0].parent = "femur";
  EXPECT_THROW(make_skeleton(unknown, MuscleMass::kApart), std::invalid_argument);
}

TEST(ModelSkeleton, AJointFarOffItsBonesIsRefused) {
  anatomy::Model model = make_arm();
  model.joints[0].center = {0, 5, 0};
  try {
    make_skeleton(model, MuscleMass::kApart);
    ADD_FAILURE() << "accepted";
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("joint \"elbow\": its center (0, 5, 0) m is"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace sinew::coupling
