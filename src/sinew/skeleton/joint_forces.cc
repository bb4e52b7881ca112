#include "sinew/skeleton/joint_forces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"

namespace sinew::skeleton {
namespace {

// Equation (46): from 0 to 1 with two continuous derivatives.
double smooth_step(double t) {
  if (t <= 0) return 0;
  return t < 1 ? t * t * t * (10 + t * (6 * t - 15)) : 1;
}
double rise(double beyond, double width) {
  return width > 0 ? smooth_step(beyond / width) : (beyond > 0 ? 1 : 0);
}

// The pose and what it adds up to.
struct Pose {
  const Skeleton& skeleton;
  const std::vector<double>& q;
  const std::vector<double>& u;
  WrapRules rules;
  JointForceWorkspace& work;
  std::vector<double>& forces;

  const Frame& body(std::size_t b) const { return work.kinematics.bodies[b]; }
  // A force on `a` and its opposite on `b`, both at x, m in the ground, with a moment.
  void act(std::size_t a, std::size_t b, const Vec3d& x, const Vec3d& force, const Vec3d& moment) {
    add(a, x, force, moment);
    add(b, x, -force, -moment);
  }
  void add(std::size_t b, const Vec3d& x, const Vec3d& force, const Vec3d& moment) {
    engine::add_force(x, force, work.wrenches[b]);
    work.wrenches[b].torque += moment;
  }
};

// Equation (47).
void add_force(const CoordinateLimit& limit, Pose& pose) {
  const double q = pose.q[limit.coordinate], u = pose.u[limit.coordinate];
  const double below = limit.limits[0] - q, above = q - limit.limits[1];
  const double lower = rise(below, limit.transition), upper = rise(above, limit.transition);
  pose.forces[limit.coordinate] += limit.stiffness[0] * lower * below -
                                   limit.stiffness[1] * upper * above -
                                   limit.damping * (lower + upper) * u;
}

// Equation (48).
void add_force(const CoordinateSpring& spring, Pose& pose) {
  const std::size_t c = spring.coordinate;
  pose.forces[c] -= spring.stiffness * (pose.q[c] - spring.rest) + spring.viscosity * pose.u[c];
}

void add_force(const CoordinateFormula& formula, Pose& pose) {
  const std::size_t c = formula.coordinate;
  pose.forces[c] += evaluate(formula.force, std::array{pose.q[c], pose.u[c]});
}

// How a bushing's second frame M stands in the first, F. Angles are body-fixed x-y-z; `axes` are
// those that they turn about, and `normal` stands on the first two; all in F.
struct Deflection {
  std::array<double, 6> value{}, rate{};  // angles, shifts
  Vec3d second_axis, normal;
  double sine = 0, cosine = 1;  // of the second angle
};

// Equations (49), (50). `spin`, `drift`: angular velocity of M in F and velocity of its origin.
Deflection measure(const Frame& m_in_f, const Vec3d& spin, const Vec3d& drift) {
  const Mat3d& r = m_in_f.rotation;
  Deflection out;
  out.sine = std::clamp(r(0, 2), -1.0, 1.0);
  out.cosine = std::sqrt(1 - out.sine * out.sine);
  const double first = std::atan2(-r(1, 2), r(2, 2));
  const Vec3d& p = m_in_f.translation;
  out.value = {first, std::asin(out.sine), std::atan2(-r(0, 1), r(0, 0)), p.x, p.y, p.z};
  out.second_axis = {0, std::cos(first), std::sin(first)};
  out.normal = {0, -std::sin(first), std::cos(first)};
  const double third = dot(spin, out.normal) / out.cosine;
  out.rate = {
      spin.x - third * out.sine, dot(spin, out.second_axis), third, drift.x, drift.y, drift.z};
  return out;
}

std::array<double, 6> compute_stiffness_forces(const Bushing& bushing, const Deflection& at) {
  std::array<double, 6> out{};
  for (std::size_t k = 0; k < 6; ++k) {
    if (const auto* functions = std::get_if<std::array<Function, 6>>(&bushing.stiffness))
      out[k] = evaluate((*functions)[k], at.value[k]).value;
    else
      out[k] = evaluate(std::get<std::array<Expression, 6>>(bushing.stiffness)[k], at.value);
  }
  return out;
}

// Equation (51): the force on M and the moment whose powers are those of six forces in the
// deflection's coordinates.
void add_force(const Bushing& bushing, Pose& pose) {
  const std::array<std::size_t, 2>& on = bushing.bodies;
  const Frame f = compose(pose.body(on[0]), bushing.frames[0]);
  const Frame m = compose(pose.body(on[1]), bushing.frames[1]);
  const Twist &v_f = pose.work.velocities[on[0]], &v_m = pose.work.velocities[on[1]];
  const Mat3d to_f = transpose(f.rotation);
  // Seen from F: the point of F that is at M's origin stands still.
  const Vec3d drift = velocity_at(v_m, m.translation) - velocity_at(v_f, m.translation);
  const Deflection at =
      measure(compose(inverse(f), m), to_f * (v_m.angular - v_f.angular), to_f * drift);
  std::array<double, 6> pull = compute_stiffness_forces(bushing, at);
  for (std::size_t k = 0; k < 6; ++k) pull[k] = -pull[k] - bushing.damping[k] * at.rate[k];
  const Vec3d moment = Vec3d{pull[0], 0, 0} + pull[1] * at.second_axis +
                       ((pull[2] - pull[0] * at.sine) / at.cosine) * at.normal;
  pose.act(on[1], on[0], m.translation, f.rotation * Vec3d{pull[3], pull[4], pull[5]},
           f.rotation * moment);
}

// Equation (52).
void add_force(const PointSpring& spring, Pose& pose) {
  const std::array<std::size_t, 2>& on = spring.bodies;
  const Vec3d a = apply(pose.body(on[0]), spring.points[0]);
  const Vec3d b = apply(pose.body(on[1]), spring.points[1]);
  const double distance = norm(b - a);
  if (distance == 0) return;  // no direction to pull in
  const Vec3d along = (b - a) / distance;
  const double speed = dot(along, velocity_at(pose.work.velocities[on[1]], b) -
                                      velocity_at(pose.work.velocities[on[0]], a));
  const double tension = spring.force ? evaluate(*spring.force, std::array{distance, speed})
                                      : spring.stiffness * (distance - spring.rest);
  pose.add(on[0], a, tension * along, {});
  pose.add(on[1], b, -tension * along, {});
}

// Equation (53): N, of length in m and its rate.
double compute_tension(const LigamentCurve& band, double length, double) {
  return length > band.rest ? band.force * evaluate(band.curve, length / band.rest).value : 0;
}
double compute_tension(const LigamentToe& band, double length, double speed) {
  constexpr double kDampedFrom = 0.01;  // strain at which damping is whole
  const double strain = length / band.rest - 1, rate = speed / band.rest;
  if (strain <= 0) return 0;
  const double elastic = strain < band.transition
                             ? 0.5 * band.stiffness * strain * strain / band.transition
                             : band.stiffness * (strain - 0.5 * band.transition);
  return elastic + band.damping * std::max(rate, 0.0) * smooth_step(strain / kDampedFrom);
}
double compute_tension(const PathSpring& band, double length, double speed) {
  return band.stiffness * std::max(length - band.rest, 0.0) * (1 + band.dissipation * speed);
}
double compute_tension(const PathFormula& band, double length, double speed) {
  const double stretch = length - band.rest;
  return evaluate(band.force, std::array{band.slack ? std::max(stretch, 0.0) : stretch, speed});
}

// Equation (54).
void add_force(const Band& band, Pose& pose) {
  std::vector<double>& arms = pose.work.arms;
  arms.assign(pose.q.size(), 0);
  const double length = evaluate_path(pose.skeleton, pose.work.kinematics, pose.q, band.path,
                                      pose.rules, pose.work.paths, arms.data());
  double speed = 0;
  for (std::size_t i = 0; i < arms.size(); ++i) speed -= arms[i] * pose.u[i];
  const double tension =
      std::visit([&](const auto& law) { return compute_tension(law, length, speed); }, band.law);
  if (tension == 0) return;  // what is slack has no say, whatever its arms are
  for (std::size_t i = 0; i < arms.size(); ++i) pose.forces[i] += arms[i] * tension;
}

// Parents come before their children.
void compute_velocities(const Skeleton& skeleton, const std::vector<double>& u,
                        JointForceWorkspace& work) {
  work.velocities.assign(skeleton.bodies.size(), {});
  for (std::size_t b = 1; b < skeleton.bodies.size(); ++b) {
    Twist velocity = work.velocities[skeleton.bodies[b].parent];
    for (const std::size_t c : skeleton.bodies[b].joint.coordinates) {
      velocity.angular += u[c] * work.kinematics.coordinates[c].angular;
      velocity.linear += u[c] * work.kinematics.coordinates[c].linear;
    }
    work.velocities[b] = velocity;
  }
}

std::string label_of(const std::string& type, const std::string& name) {
  return fmt::format("{} \"{}\"", printable(type), printable(name));
}

}  // namespace

bool has_joint_forces(const Skeleton& skeleton) {
  return !std::ranges::all_of(skeleton.joint_forces, &JointForce::disabled);
}

void add_joint_forces(const Skeleton& skeleton, const std::vector<double>& q,
                      const std::vector<double>& u, WrapRules rules, JointForceWorkspace& workspace,
                      std::vector<double>& forces) {
  if (!has_joint_forces(skeleton)) return;
  evaluate_kinematics(skeleton, q, workspace.kinematics);
  compute_velocities(skeleton, u, workspace);
  workspace.wrenches.assign(skeleton.bodies.size(), {});
  place_paths(skeleton, workspace.kinematics, q, workspace.paths);
  Pose pose{skeleton, q, u, rules, workspace, forces};
  for (const JointForce& force : skeleton.joint_forces) {
    if (force.disabled) continue;
    std::visit([&](const auto& law) { add_force(law, pose); }, force.law);
  }
  add_generalized_forces(skeleton, workspace.kinematics, workspace.wrenches, forces.data());
}

std::vector<std::string> ignore_parts(Skeleton& skeleton, const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) {
    const std::size_t before = out.size();
    const auto is_meant = [&word](const auto& part) {
      return part.name == word || part.type == word;
    };
    std::erase_if(skeleton.joint_forces, [&](const JointForce& force) {
      if (!is_meant(force)) return false;
      out.push_back(label_of(force.type, force.name));
      return true;
    });
    for (Unsupported& part : skeleton.unsupported) {
      if (!part.acts || !is_meant(part)) continue;
      part.acts = false;
      out.push_back(label_of(part.type, part.name));
    }
    if (out.size() > before || std::ranges::count(words, word) > 1) continue;
    std::vector<std::string_view> known;
    known.reserve(skeleton.joint_forces.size() + skeleton.unsupported.size());
    for (const JointForce& force : skeleton.joint_forces) known.emplace_back(force.name);
    for (const Unsupported& part : skeleton.unsupported)
      if (part.acts) known.emplace_back(part.name);
    throw std::invalid_argument(fmt::format(
        "the model has no force \"{}\" that could be left out{}; it has: {}", printable(word),
        did_you_mean(word, known), known.empty() ? "none" : join_some(known)));
  }
  return out;
}

void require_known_forces(const Skeleton& skeleton, std::string_view fix) {
  std::vector<std::string> parts;
  const Unsupported* first = nullptr;
  for (const Unsupported& part : skeleton.unsupported) {
    if (!part.acts) continue;
    if (first == nullptr) first = &part;
    parts.push_back(label_of(part.type, part.name));
  }
  if (first == nullptr) return;
  const std::vector<std::string_view> names(parts.begin(), parts.end());
  std::string all;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 5); ++i)
    all.append(i > 0 ? ", " : "").append(names[i]);
  if (names.size() > 5) all += fmt::format(" and {} more", names.size() - 5);
  throw InputError(
      skeleton.file, "",
      fmt::format("it has parts that act on joints and that are not computed here: {} ({}); leave "
                  "them out by {} with their names, or with a type for all of that type",
                  all, first->consequence, fix));
}

}  // namespace sinew::skeleton
