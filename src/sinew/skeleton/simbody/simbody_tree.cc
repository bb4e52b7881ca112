#include "sinew/skeleton/simbody/simbody_tree.h"

#include "sinew/skeleton/simbody/simbody_joint.h"

namespace sinew::skeleton {
namespace {

using SimTK::MobilizedBody;
using SimTK::Transform;
using SimTK::Vec3;

Vec3 to_vec(const Triple& a) {
  return {a[0], a[1], a[2]};
}
Triple to_triple(const Vec3& a) {
  return {a[0], a[1], a[2]};
}
Transform to_transform(const TreeFrame& frame) {
  const auto& r = frame.rotation;
  const SimTK::Mat33 matrix(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]);
  // As it is: finding the nearest rotation would move the body by rounding.
  return {SimTK::Rotation(matrix, true), to_vec(frame.translation)};
}
TreeFrame to_frame(const Transform& transform) {
  TreeFrame out;
  std::size_t entry = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out.rotation[entry++] = transform.R()[i][j];
  out.translation = to_triple(transform.p());
  return out;
}

// Simbody keeps inertia per mass; a body with inertia and no mass gets a mass that no result shows.
SimTK::MassProperties make_mass(const TreeBody& body) {
  const auto& i = body.inertia;
  const bool has_inertia = i[0] + i[1] + i[2] > 0;
  if (body.mass == 0 && !has_inertia) return {0, Vec3(0), SimTK::UnitInertia(0)};
  const double mass = body.mass > 0 ? body.mass : 1e-12;
  const SimTK::SymMat33 per_mass(i[0] / mass, i[3] / mass, i[1] / mass, i[4] / mass, i[5] / mass,
                                 i[2] / mass);
  return {mass, to_vec(body.mass_center), SimTK::UnitInertia(per_mass)};
}

// The joint of a body without mobilities, in its one pose.
Transform fixed_pose(const TreeBody& body) {
  const auto& axes = body.axes;
  const auto turn = [&](std::size_t k) {
    return SimTK::Rotation(evaluate(axes[k].function, 0).value,
                           SimTK::UnitVec3(to_vec(axes[k].axis)));
  };
  Vec3 shift(0);
  for (std::size_t k = 3; k < 6; ++k)
    shift += evaluate(axes[k].function, 0).value * to_vec(axes[k].axis);
  return {turn(0) * turn(1) * turn(2), shift};
}

}  // namespace

struct SimbodyTree::Impl {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::State state;
  std::vector<SimTK::MobilizedBodyIndex> bodies;
  std::vector<int> slots;  // Simbody's index of each mobility: it numbers level by level

  void add(const TreeBody& body) {
    const SimTK::Body::Rigid rigid(make_mass(body));
    MobilizedBody& parent = matter.updMobilizedBody(bodies[body.parent]);
    const Transform outer = to_transform(body.parent_frame);
    const Transform inner = to_transform(body.child_frame);
    if (body.num_mobilities == 0) {
      const MobilizedBody::Weld weld(parent, outer * fixed_pose(body), rigid, inner);
      bodies.push_back(weld.getMobilizedBodyIndex());
    } else {
      const MobilizedBody::Custom moving(parent, new FunctionJoint(matter, body), outer, rigid,
                                         inner);
      bodies.push_back(moving.getMobilizedBodyIndex());
    }
  }

  void number_mobilities() {
    slots.reserve(static_cast<std::size_t>(state.getNU()));
    for (const SimTK::MobilizedBodyIndex body : bodies) {
      const MobilizedBody& mobilized = matter.getMobilizedBody(body);
      const int count = mobilized.getNumU(state);
      for (int k = 0; k < count; ++k) slots.push_back(mobilized.getFirstUIndex(state) + k);
    }
  }

  SimTK::Vector to_vector(const std::vector<double>& a) const {
    SimTK::Vector out(static_cast<int>(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i) out[slots[i]] = a[i];
    return out;
  }
};

SimbodyTree::SimbodyTree(const std::vector<TreeBody>& bodies) : impl_(std::make_unique<Impl>()) {
  impl_->bodies.reserve(bodies.size());
  impl_->bodies.push_back(SimTK::GroundIndex);
  for (std::size_t i = 1; i < bodies.size(); ++i) impl_->add(bodies[i]);
  impl_->state = impl_->system.realizeTopology();
  impl_->system.realizeModel(impl_->state);
  impl_->number_mobilities();
}
SimbodyTree::~SimbodyTree() = default;

void SimbodyTree::set_pose(const std::vector<double>& q, const std::vector<double>& u) {
  impl_->state.updQ() = impl_->to_vector(q);
  impl_->state.updU() = impl_->to_vector(u);
  impl_->system.realize(impl_->state, SimTK::Stage::Velocity);
}

TreeFrame SimbodyTree::frame(std::size_t body) const {
  return to_frame(
      impl_->matter.getMobilizedBody(impl_->bodies[body]).getBodyTransform(impl_->state));
}
TreeVelocity SimbodyTree::velocity(std::size_t body) const {
  const SimTK::SpatialVec& v =
      impl_->matter.getMobilizedBody(impl_->bodies[body]).getBodyVelocity(impl_->state);
  return {to_triple(v[0]), to_triple(v[1])};
}
double SimbodyTree::kinetic_energy() const {
  return impl_->matter.calcKineticEnergy(impl_->state);
}
TreeVelocity SimbodyTree::momentum() const {
  const SimTK::SpatialVec p = impl_->matter.calcSystemMomentumAboutGroundOrigin(impl_->state);
  return {to_triple(p[0]), to_triple(p[1])};
}
std::vector<double> SimbodyTree::mass_matrix() const {
  SimTK::Matrix m;
  impl_->matter.calcM(impl_->state, m);
  std::vector<double> out;
  out.reserve(impl_->slots.size() * impl_->slots.size());
  for (const int i : impl_->slots)
    for (const int j : impl_->slots) out.push_back(m(i, j));
  return out;
}
std::vector<double> SimbodyTree::station_jacobian(std::size_t body, const Triple& point) const {
  SimTK::Matrix j;
  impl_->matter.calcStationJacobian(impl_->state, impl_->bodies[body], to_vec(point), j);
  std::vector<double> out;
  out.reserve(3 * impl_->slots.size());
  for (int i = 0; i < 3; ++i)
    for (const int k : impl_->slots) out.push_back(j(i, k));
  return out;
}
Triple SimbodyTree::station_bias(std::size_t body, const Triple& point) const {
  return to_triple(
      impl_->matter.calcBiasForStationJacobian(impl_->state, impl_->bodies[body], to_vec(point)));
}

std::vector<double> SimbodyTree::residual(const std::vector<double>& udot,
                                          const std::vector<TreeForce>& forces) const {
  SimTK::Vector_<SimTK::SpatialVec> on_bodies(impl_->matter.getNumBodies());
  on_bodies.setToZero();
  for (std::size_t i = 0; i < forces.size(); ++i)
    on_bodies[impl_->bodies[i]] =
        SimTK::SpatialVec(to_vec(forces[i].torque), to_vec(forces[i].force));
  SimTK::Vector out;
  impl_->matter.calcResidualForceIgnoringConstraints(impl_->state, SimTK::Vector(), on_bodies,
                                                     impl_->to_vector(udot), out);
  std::vector<double> forces_left(udot.size());
  for (std::size_t i = 0; i < udot.size(); ++i) forces_left[i] = out[impl_->slots[i]];
  return forces_left;
}

}  // namespace sinew::skeleton
