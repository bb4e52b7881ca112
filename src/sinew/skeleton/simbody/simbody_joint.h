// A Simbody joint whose motion is given by functions of its coordinates: turns about three carried
// axes, then shifts, or a place on an ellipsoid. For simbody_tree.cc alone; C++17.
//
// Source: docs/theory/skeleton.md, equations (30)-(32).
#pragma once

#include <array>
#include <vector>

#include "sinew/skeleton/simbody/simbody_headers.h"
#include "sinew/skeleton/simbody/simbody_tree.h"

namespace sinew::skeleton {

class FunctionJoint : public SimTK::MobilizedBody::Custom::Implementation {
 public:
  FunctionJoint(SimTK::SimbodyMatterSubsystem& matter, const TreeBody& body);

  Implementation* clone() const override { return new FunctionJoint(*this); }
  SimTK::Transform calcMobilizerTransformFromQ(const SimTK::State& state, int num_q,
                                               const SimTK::Real* q) const override;
  SimTK::SpatialVec multiplyByHMatrix(const SimTK::State& state, int num_u,
                                      const SimTK::Real* u) const override;
  void multiplyByHTranspose(const SimTK::State& state, const SimTK::SpatialVec& force, int num_u,
                            SimTK::Real* out) const override;
  SimTK::SpatialVec multiplyByHDotMatrix(const SimTK::State& state, int num_u,
                                         const SimTK::Real* u) const override;
  void multiplyByHDotTranspose(const SimTK::State& state, const SimTK::SpatialVec& force, int num_u,
                               SimTK::Real* out) const override;

 private:
  // Of the pose that was set last: Simbody asks for the columns of H one by one, and the functions
  // and turns are the costly part. A tree has one state, so that one copy is enough.
  struct Pose {
    std::array<FunctionValue, 6> values{};
    std::array<SimTK::Vec3, 3> turns;          // the axes of the turns, carried by those before
    SimTK::Vec3 normal;                        // the turned z axis
    std::array<SimTK::SpatialVec, 6> columns;  // of H
    std::array<SimTK::SpatialVec, 6> column_rates;  // of dH/dt
  };
  void set_columns() const;
  void set_column_rates(const SimTK::State& state) const;

  TreeBody body_;
  mutable Pose pose_;
};

}  // namespace sinew::skeleton
