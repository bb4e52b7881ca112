#include "sinew/coupling/coupled_engine.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/hash.h"
#include "sinew/coupling/bone_bytes.h"
#include "sinew/coupling/bone_picture.h"

namespace sinew::coupling {
namespace {

using skeleton::MultibodyState;

constexpr int kMaxHalvings = 4;
constexpr std::size_t kMaxBoneSteps =
    10000;  // within one of the tissue's: far beyond stable motion

// Coordinates that forces move: not prescribed, not locked, following none.
std::vector<std::size_t> find_free(const skeleton::Skeleton& skeleton,
                                   const SkeletonSettings& settings) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < skeleton.coordinates.size() && settings.two_way; ++i) {
    const auto& coordinate = skeleton.coordinates[i];
    const bool prescribed = std::any_of(settings.prescribed.begin(), settings.prescribed.end(),
                                        [&](const auto& motion) { return motion.coordinate == i; });
    if (!prescribed && !coordinate.locked && !coordinate.coupler) out.push_back(i);
  }
  return out;
}

void set_prescribed(const std::vector<skeleton::PrescribedMotion>& prescribed, double time,
                    std::vector<double>& q) {
  for (const skeleton::PrescribedMotion& motion : prescribed)
    q[motion.coordinate] = motion.motion(time).value;
}

}  // namespace

CoupledEngine::CoupledEngine(Tissue tissue, SkeletonSettings settings)
    : tissue_(std::move(tissue)),
      settings_(std::move(settings)),
      multibody_(settings_.track->skeleton()),
      free_(find_free(settings_.track->skeleton(), settings_)),
      joints_(settings_.track->skeleton(), settings_.prescribed, free_),
      bones_(multibody_.rest_state()) {
  if (!free_.empty() && !allows_free_bones(tissue_))
    throw std::invalid_argument(
        "bones that tissue moves need grids, or tetrahedra with the integrator \"backward-euler\" "
        "or "
        "\"quasi-static\"");
  set_prescribed(settings_.prescribed, 0, bones_.q);
  apply_couplers(settings_.track->skeleton(), bones_.q);
  follow_prescribed();
  if (!free_.empty())  // which names coordinates that move no mass
    multibody_.forward_dynamics(bones_.q, bones_.u, {}, known_accelerations());
}

std::vector<skeleton::KnownAcceleration> CoupledEngine::known_accelerations() const {
  std::vector<skeleton::KnownAcceleration> out;
  out.reserve(settings_.prescribed.size());
  for (const skeleton::PrescribedMotion& motion : settings_.prescribed)
    out.push_back({motion.coordinate, motion.motion(bones_.time).second});
  return out;
}

// From the present bones on; free coordinates stay where they are.
void CoupledEngine::follow_prescribed() {
  settings_.track->follow([this](double time, std::vector<double>& q) {
    q = bones_.q;
    set_prescribed(settings_.prescribed, time, q);
  });
}

// From the present bones to free coordinates of `ends` at `end`, straight.
void CoupledEngine::follow_to(double end, const std::vector<double>& ends) {
  const double start = bones_.time;
  settings_.track->follow([this, start, end, ends](double time, std::vector<double>& q) {
    q = bones_.q;
    set_prescribed(settings_.prescribed, time, q);
    const double part = (time - start) / (end - start);
    for (std::size_t k = 0; k < free_.size(); ++k) {
      double& value = q[free_[k]];
      value += part * (ends[k] - value);
    }
  });
}

std::vector<engine::BodyTopology> CoupledEngine::topology() const {
  std::vector<engine::BodyTopology> out = engine_of(tissue_).topology();
  add_bone_topology(settings_, out);
  return out;
}

void CoupledEngine::advance(double time) {
  if (!free_.empty()) {
    const double start = time_of(tissue_);
    const double steps = std::ceil((time - start) / settings_.step * (1 - 1e-9));
    for (int k = 1; k <= static_cast<int>(steps); ++k) {
      const double end = k == static_cast<int>(steps) ? time : start + (time - start) * k / steps;
      if (settings_.exchange == Exchange::kStaggered)
        step_staggered(end);
      else
        step_iterated(end, 0);
    }
    return;
  }
  if (knows_loads(tissue_))
    loads_ = advance_with_loads(tissue_, time);
  else
    engine_of(tissue_).advance(time);
  bones_.time = time;
  bones_.q = settings_.track->coordinates(time);
}

// Equation (5): tissue and bones from the present state to `end`, agreeing on where bones end; in
// two halves where they do not or cannot get there.
void CoupledEngine::step_iterated(double end, int halvings) {
  const double h = end - bones_.time;
  const TissueState before = state_of(tissue_);
  std::vector<double> guess;
  guess.reserve(free_.size());
  for (const std::size_t i : free_) guess.push_back(bones_.q[i] + h * bones_.u[i]);
  const Agreement agreement =
      find_agreement([&](const std::vector<double>& ends) { return respond(end, ends, before); },
                     guess, settings_.agreement, slope_);
  tries_ += agreement.tries;
  const bool failed = !std::isfinite(agreement.gap);
  if (!agreement.converged && (failed || halvings < kMaxHalvings)) {
    restore(tissue_, before);
    follow_prescribed();
    slope_.clear();  // that of the whole step
    if (halvings == kMaxHalvings) throw engine::StepFailure(failure_);
    const double middle = bones_.time + 0.5 * h;
    step_iterated(middle, halvings + 1);
    step_iterated(end, halvings + 1);
    slope_.clear();
    return;
  }
  disagreed_ += agreement.converged ? 0 : 1;
  worst_gap_ = std::max(worst_gap_, agreement.gap);
  // The tissue was told these ends: bones stand exactly there, so that attachments never gap.
  for (std::size_t k = 0; k < free_.size(); ++k) next_.q[free_[k]] = agreement.ends[k];
  apply_couplers(settings_.track->skeleton(), next_.q);
  bones_ = next_;
  follow_prescribed();
}

// fan2014, Algorithm 1: the bones under the loads of the step before, then the tissue on them.
void CoupledEngine::step_staggered(double end) {
  follow_to(end, free_values(bones_.q));  // where loads act; bones wait for theirs
  const std::vector<double> ends = advance_bones(end);
  follow_to(end, ends);
  loads_ = advance_with_loads(tissue_, end);
  ++tries_;
  bones_ = next_;
  follow_prescribed();
}

// R(e) of equation (5): the tissue with bones on their way to `ends`, then the bones under what it
// did. NaN where one of them cannot.
std::vector<double> CoupledEngine::respond(double end, const std::vector<double>& ends,
                                           const TissueState& before) {
  follow_to(end, ends);
  restore(tissue_, before);
  try {
    loads_ = advance_with_loads(tissue_, end);
    return advance_bones(end);
  } catch (const engine::StepFailure& failure) {
    failure_ = failure.what();
    return std::vector<double>(ends.size(), NAN);
  }
}

// Where the present loads take the free coordinates; next_ is all of the bones then. Throws
// engine::StepFailure where they cannot be followed.
std::vector<double> CoupledEngine::advance_bones(double end) {
  const double start = bones_.time;
  next_ = bones_;
  skeleton::AdvanceSettings advance;
  advance.prescribed = settings_.prescribed;
  advance.tolerance = 1e-8;
  advance.max_steps = kMaxBoneSteps;
  advance.forces = [this, constant = make_forces(start, end)](const MultibodyState& state,
                                                              skeleton::AppliedForces& forces) {
    forces = constant;
    forces.generalized.resize(state.u.size(), 0);
    skeleton::add_joint_forces(settings_.track->skeleton(), state.q, state.u,
                               skeleton::WrapRules::kGeodesic, joint_forces_, forces.generalized);
    for (std::size_t i = 0; i < settings_.damping.size(); ++i)
      forces.generalized[i] -= settings_.damping[i] * state.u[i];
  };
  bool finished = false;
  try {
    finished = multibody_.advance(next_, end - start, advance).finished;
  } catch (const std::invalid_argument& error) {  // forces that are not finite
    throw engine::StepFailure(error.what());
  }
  if (!finished)
    throw engine::StepFailure(fmt::format(
        "the bones' motion after {:.6g} s cannot be followed: at {:.6g} s it needs more than {} "
        "steps; is a joint's damping or a load too large for what it moves?",
        start, next_.time, kMaxBoneSteps));
  return free_values(next_.q);
}

std::vector<double> CoupledEngine::free_values(const std::vector<double>& q) const {
  std::vector<double> out;
  out.reserve(free_.size());
  for (const std::size_t i : free_) out.push_back(q[i]);
  return out;
}

// Constant over the step; the torque is taken about where each body's origin is on average, so that
// angular momentum is handed over whole, and tensions act by the mean of their moment arms.
skeleton::AppliedForces CoupledEngine::make_forces(double start, double end) const {
  BoneTrack& track = *settings_.track;
  skeleton::AppliedForces forces;
  forces.loads.reserve(loads_.wrenches.size());
  for (std::size_t b = 0; b < loads_.wrenches.size(); ++b) {
    const engine::Wrench& wrench = loads_.wrenches[b];
    const std::size_t body = track.bodies()[b];
    const Vec3d middle = 0.5 * (track.kinematics(start).bodies[body].translation +
                                track.kinematics(end).bodies[body].translation);
    forces.loads.push_back(
        {body, {0, 0, 0}, wrench.force, wrench.torque - cross(middle, wrench.force)});
  }
  if (loads_.tensions.empty()) return forces;
  forces.generalized = track.torques(loads_.tensions, start);
  const std::vector<double> then = track.torques(loads_.tensions, end);
  for (std::size_t i = 0; i < then.size(); ++i)
    forces.generalized[i] = 0.5 * (forces.generalized[i] + then[i]);
  return forces;
}

engine::Frame CoupledEngine::observe() {
  engine::Frame frame = engine_of(tissue_).observe();
  add_bone_frame(settings_, tissue_, frame);
  Hash hash;
  hash.add(save());
  frame.state_hash = hash.value();
  const engine::Certificate bones = certify_bones();
  frame.certificate.insert(frame.certificate.end(), bones.begin(), bones.end());
  tries_ = 0, disagreed_ = 0, worst_gap_ = 0;
  return frame;
}

engine::Certificate CoupledEngine::certify_bones() {
  const skeleton::Skeleton& skeleton = settings_.track->skeleton();
  engine::Certificate out;
  const std::vector<double> torques = compute_torques(*settings_.track, bones_.time, loads_);
  for (std::size_t i = 0; i < skeleton.coordinates.size(); ++i) {
    const auto& coordinate = skeleton.coordinates[i];
    if (coordinate.locked || coordinate.coupler) continue;
    const bool turns = coordinate.rotational;
    out.push_back({"coordinate." + coordinate.name, turns ? "rad" : "m", bones_.q[i]});
    if (knows_loads(tissue_))
      out.push_back({"muscle_moment." + coordinate.name, turns ? "N m" : "N", torques[i]});
  }
  const std::vector<std::size_t>& tendons = settings_.track->tendons();
  for (std::size_t t = 0; t < tendons.size(); ++t) {
    if (!pulls_at(tissue_, t)) continue;
    const std::string& name = skeleton.muscles[tendons[t]].name;
    const double tension = loads_.tensions.empty() ? 0 : loads_.tensions[t];
    out.push_back({"tension." + name, "N", tension});
    out.push_back({"excursion." + name, "m", settings_.track->excursion(t, bones_.time)});
  }
  out.push_back({"attachment_error", "m", measure_attachment_error(*settings_.track, tissue_)});
  out.push_back({"coupling_tries", "1", static_cast<double>(tries_)});
  out.push_back({"coupling_disagreements", "1", static_cast<double>(disagreed_)});
  out.push_back({"coupling_gap", "1", worst_gap_});
  return out;
}

std::vector<engine::Control> CoupledEngine::controls() const {
  std::vector<engine::Control> result;
  if (const engine::Steerable* steering = steering_of(tissue_)) result = steering->controls();
  const std::vector<engine::Control> joints = joints_.controls(bones_.q);
  result.insert(result.end(), joints.begin(), joints.end());
  return result;
}

void CoupledEngine::set_control(std::size_t control, double value) {
  engine::Steerable* steering = steering_of(tissue_);
  const std::size_t of_tissue = steering != nullptr ? steering->controls().size() : 0;
  const std::vector<engine::Control> joints = joints_.controls(bones_.q);
  engine::check_control(control, of_tissue + joints.size());
  if (control < of_tissue) {
    steering->set_control(control, value);
    return;
  }
  engine::check_value(joints[control - of_tissue], value);
  joints_.set(control - of_tissue, value, bones_.time, bones_.q, settings_.prescribed);
  follow_prescribed();
}

void CoupledEngine::set_pulls(std::span<const engine::Pull> pulls) {
  if (engine::Steerable* steering = steering_of(tissue_)) steering->set_pulls(pulls);
}

void CoupledEngine::release_controls() {
  if (engine::Steerable* steering = steering_of(tissue_)) steering->release_controls();
  joints_.release(settings_.prescribed);
  follow_prescribed();
}

std::vector<std::byte> CoupledEngine::save() const {
  std::vector<std::byte> bytes = bones_to_bytes({bones_, slope_, loads_});
  const std::vector<std::byte> tissue = engine_of(tissue_).save();
  bytes.insert(bytes.end(), tissue.begin(), tissue.end());
  return bytes;
}

void CoupledEngine::load(std::span<const std::byte> bytes) {
  const BoneTrack& track = *settings_.track;
  CoupledBones saved;
  const std::size_t used = bones_from_bytes(
      bytes, {bones_.q.size(), free_.size(), track.bodies().size(), track.tendons().size()}, saved);
  engine_of(tissue_).load(bytes.subspan(used));
  bones_ = std::move(saved.bones);
  slope_ = std::move(saved.slope);
  loads_ = std::move(saved.loads);
  follow_prescribed();
}

}  // namespace sinew::coupling
