#include "sinew/skeleton/simbody/simbody_joint.h"

namespace sinew::skeleton {
namespace {

using SimTK::Real;
using SimTK::Rotation;
using SimTK::SpatialVec;
using SimTK::State;
using SimTK::Transform;
using SimTK::UnitVec3;
using SimTK::Vec3;

Vec3 to_vec(const Triple& a) {
  return {a[0], a[1], a[2]};
}

}  // namespace

FunctionJoint::FunctionJoint(SimTK::SimbodyMatterSubsystem& matter, const TreeBody& body)
    : Implementation(matter, body.num_mobilities, body.num_mobilities), body_(body) {}

// Equation (30).
Transform FunctionJoint::calcMobilizerTransformFromQ(const State&, int, const Real* q) const {
  Rotation turned(0, SimTK::XAxis);
  Vec3 shift(0);
  for (std::size_t k = 0; k < 6; ++k) {
    const TreeAxis& axis = body_.axes[k];
    const FunctionValue value = evaluate(axis.function, axis.mobility < 0 ? 0 : q[axis.mobility]);
    pose_.values[k] = value;
    if (k < 3) {
      pose_.turns[k] = turned * to_vec(axis.axis);
      turned = turned * Rotation(value.value, UnitVec3(to_vec(axis.axis)));
    } else {
      shift += value.value * to_vec(axis.axis);
    }
  }
  pose_.normal = turned * Vec3(0, 0, 1);
  if (body_.on_ellipsoid) shift = to_vec(body_.radii).elementwiseMultiply(pose_.normal);
  set_columns();
  return {turned, shift};
}

// Equation (31): what a unit rate of each mobility does.
void FunctionJoint::set_columns() const {
  pose_.columns.fill(SpatialVec(Vec3(0), Vec3(0)));
  for (std::size_t k = 0; k < 6; ++k) {
    const TreeAxis& axis = body_.axes[k];
    if (axis.mobility < 0) continue;
    SpatialVec& column = pose_.columns[static_cast<std::size_t>(axis.mobility)];
    const double slope = pose_.values[k].first;
    if (k < 3)
      column[0] += slope * pose_.turns[k];
    else if (!body_.on_ellipsoid)
      column[1] += slope * to_vec(axis.axis);
  }
  if (!body_.on_ellipsoid) return;
  for (SpatialVec& column : pose_.columns)
    column[1] = to_vec(body_.radii).elementwiseMultiply(column[0] % pose_.normal);
}

// Equation (32): how the columns change while the joint moves. Simbody asks for them before it
// tells the joint that velocities are known, so they are computed when they are asked for.
void FunctionJoint::set_column_rates(const State& state) const {
  const SimTK::Vector u = getU(state);
  pose_.column_rates.fill(SpatialVec(Vec3(0), Vec3(0)));
  Vec3 spin(0);  // of the turns so far
  for (std::size_t k = 0; k < 6; ++k) {
    const TreeAxis& axis = body_.axes[k];
    if (axis.mobility < 0) continue;
    const FunctionValue& value = pose_.values[k];
    const double rate = u[axis.mobility];
    SpatialVec& out = pose_.column_rates[static_cast<std::size_t>(axis.mobility)];
    if (k < 3) {
      out[0] += value.first * (spin % pose_.turns[k]) + value.second * rate * pose_.turns[k];
      spin += value.first * rate * pose_.turns[k];
    } else if (!body_.on_ellipsoid) {
      out[1] += value.second * rate * to_vec(axis.axis);
    }
  }
  if (!body_.on_ellipsoid) return;
  for (std::size_t k = 0; k < 6; ++k) {
    const Vec3 change =
        pose_.column_rates[k][0] % pose_.normal + pose_.columns[k][0] % (spin % pose_.normal);
    pose_.column_rates[k][1] = to_vec(body_.radii).elementwiseMultiply(change);
  }
}

SpatialVec FunctionJoint::multiplyByHMatrix(const State&, int num_u, const Real* u) const {
  SpatialVec out(Vec3(0), Vec3(0));
  for (int k = 0; k < num_u; ++k) out += u[k] * pose_.columns[static_cast<std::size_t>(k)];
  return out;
}
void FunctionJoint::multiplyByHTranspose(const State&, const SpatialVec& force, int num_u,
                                         Real* out) const {
  for (int k = 0; k < num_u; ++k) out[k] = ~pose_.columns[static_cast<std::size_t>(k)] * force;
}
SpatialVec FunctionJoint::multiplyByHDotMatrix(const State& state, int num_u, const Real* u) const {
  set_column_rates(state);
  SpatialVec out(Vec3(0), Vec3(0));
  for (int k = 0; k < num_u; ++k) out += u[k] * pose_.column_rates[static_cast<std::size_t>(k)];
  return out;
}
void FunctionJoint::multiplyByHDotTranspose(const State& state, const SpatialVec& force, int num_u,
                                            Real* out) const {
  set_column_rates(state);
  for (int k = 0; k < num_u; ++k) out[k] = ~pose_.column_rates[static_cast<std::size_t>(k)] * force;
}

}  // namespace sinew::skeleton
