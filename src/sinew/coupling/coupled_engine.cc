#include "sinew/coupling/coupled_engine.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "sinew/core/hash.h"
#include "sinew/coupling/bone_bytes.h"
#include "sinew/coupling/bone_picture.h"

namespace sinew::coupling {
namespace {

using skeleton::MultibodyState;

constexpr int kMaxHalvings = 4;

bool knows_wrenches(const tet::TetEngine& tissue) {
  const tet::Integrator integrator = tissue.model().step.integrator;
  return integrator == tet::Integrator::kBackwardEuler ||
         integrator == tet::Integrator::kQuasiStatic;
}

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

CoupledEngine::CoupledEngine(std::unique_ptr<tet::TetEngine> tissue, SkeletonSettings settings)
    : tissue_(std::move(tissue)),
      settings_(std::move(settings)),
      multibody_(settings_.track->skeleton()),
      free_(find_free(settings_.track->skeleton(), settings_)),
      joints_(settings_.track->skeleton(), settings_.prescribed, free_),
      bones_(multibody_.rest_state()) {
  if (!free_.empty() && !knows_wrenches(*tissue_))
    throw std::invalid_argument(
        "bones that tissue moves need the integrator \"backward-euler\" or \"quasi-static\"");
  set_prescribed(settings_.prescribed, 0, bones_.q);
  apply_couplers(settings_.track->skeleton(), bones_.q);
  follow_prescribed();
}

// From the present bones on; free coordinates stay where they are.
void CoupledEngine::follow_prescribed() {
  settings_.track->follow([this](double time, std::vector<double>& q) {
    q = bones_.q;
    set_prescribed(settings_.prescribed, time, q);
  });
}

std::vector<engine::BodyTopology> CoupledEngine::topology() const {
  std::vector<engine::BodyTopology> out = tissue_->topology();
  add_bone_topology(settings_, out);
  return out;
}

void CoupledEngine::advance(double time) {
  if (!free_.empty()) {
    const double start = tissue_->state().time;
    const double steps = std::ceil((time - start) / settings_.step * (1 - 1e-9));
    for (int k = 1; k <= static_cast<int>(steps); ++k)
      step_two_way(k == static_cast<int>(steps) ? time : start + (time - start) * k / steps, 0);
    return;
  }
  if (knows_wrenches(*tissue_))
    wrenches_ = tissue_->advance_with_wrenches(time);
  else
    tissue_->advance(time);
  bones_.time = time;
  bones_.q = settings_.track->coordinates(time);
}

// Equation (5): tissue and bones from the present state to `end`, agreeing on where bones end; in
// two halves where they do not.
void CoupledEngine::step_two_way(double end, int halvings) {
  const double h = end - bones_.time;
  const tet::State before = tissue_->state();
  std::vector<double> guess;
  guess.reserve(free_.size());
  for (const std::size_t i : free_) guess.push_back(bones_.q[i] + h * bones_.u[i]);
  const Agreement agreement =
      find_agreement([&](const std::vector<double>& ends) { return respond(end, ends, before); },
                     guess, settings_.agreement, slope_);
  tries_ += agreement.tries;
  if (!agreement.converged && halvings < kMaxHalvings) {
    tissue_->restore(before);
    follow_prescribed();
    slope_.clear();  // that of the whole step
    const double middle = bones_.time + 0.5 * h;
    step_two_way(middle, halvings + 1);
    step_two_way(end, halvings + 1);
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

// R(e) of equation (5): the tissue with bones on their way to `ends`, then the bones under what it
// did.
std::vector<double> CoupledEngine::respond(double end, const std::vector<double>& ends,
                                           const tet::State& before) {
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
  tissue_->restore(before);
  wrenches_ = tissue_->advance_with_wrenches(end);
  next_ = bones_;
  skeleton::AdvanceSettings advance;
  advance.prescribed = settings_.prescribed;
  advance.tolerance = 1e-8;
  advance.forces = [loads = make_loads(start, end)](const MultibodyState&,
                                                    skeleton::AppliedForces& forces) {
    forces.loads = loads;
  };
  multibody_.advance(next_, end - start, advance);
  std::vector<double> out;
  out.reserve(free_.size());
  for (const std::size_t i : free_) out.push_back(next_.q[i]);
  return out;
}

// Constant over the step; the torque is taken about where each body's origin is on average, so that
// angular momentum is handed over whole.
std::vector<skeleton::Load> CoupledEngine::make_loads(double start, double end) const {
  BoneTrack& track = *settings_.track;
  std::vector<skeleton::Load> loads;
  loads.reserve(wrenches_.size());
  for (std::size_t b = 0; b < wrenches_.size(); ++b) {
    const std::size_t body = track.bodies()[b];
    const Vec3d middle = 0.5 * (track.kinematics(start).bodies[body].translation +
                                track.kinematics(end).bodies[body].translation);
    loads.push_back({body,
                     {0, 0, 0},
                     wrenches_[b].force,
                     wrenches_[b].torque - cross(middle, wrenches_[b].force)});
  }
  return loads;
}

engine::Frame CoupledEngine::observe() {
  engine::Frame frame = tissue_->observe();
  add_bone_frame(settings_, *tissue_, frame);
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
  const std::vector<double> torques = compute_torques(*settings_.track, bones_.time, wrenches_);
  for (std::size_t i = 0; i < skeleton.coordinates.size(); ++i) {
    const auto& coordinate = skeleton.coordinates[i];
    if (coordinate.locked || coordinate.coupler) continue;
    const bool turns = coordinate.rotational;
    out.push_back({"coordinate." + coordinate.name, turns ? "rad" : "m", bones_.q[i]});
    out.push_back({"muscle_moment." + coordinate.name, turns ? "N m" : "N", torques[i]});
  }
  out.push_back({"attachment_error", "m", measure_attachment_error(*settings_.track, *tissue_)});
  out.push_back({"coupling_tries", "1", static_cast<double>(tries_)});
  out.push_back({"coupling_disagreements", "1", static_cast<double>(disagreed_)});
  out.push_back({"coupling_gap", "1", worst_gap_});
  return out;
}

std::vector<engine::Control> CoupledEngine::controls() const {
  std::vector<engine::Control> result = tissue_->controls();
  const std::vector<engine::Control> joints = joints_.controls(bones_.q);
  result.insert(result.end(), joints.begin(), joints.end());
  return result;
}

void CoupledEngine::set_control(std::size_t control, double value) {
  const std::size_t of_tissue = tissue_->controls().size();
  const std::vector<engine::Control> joints = joints_.controls(bones_.q);
  // The tissue says what is wrong with a control that nobody has.
  if (control < of_tissue || control >= of_tissue + joints.size()) {
    tissue_->set_control(control < of_tissue ? control : of_tissue, value);
    return;
  }
  engine::check_value(joints[control - of_tissue], value);
  joints_.set(control - of_tissue, value, bones_.time, bones_.q, settings_.prescribed);
  follow_prescribed();
}

void CoupledEngine::set_pulls(std::span<const engine::Pull> pulls) {
  tissue_->set_pulls(pulls);
}

void CoupledEngine::release_controls() {
  tissue_->release_controls();
  joints_.release(settings_.prescribed);
  follow_prescribed();
}

std::vector<std::byte> CoupledEngine::save() const {
  std::vector<std::byte> bytes = bones_to_bytes(bones_, slope_);
  const std::vector<std::byte> tissue = tissue_->save();
  bytes.insert(bytes.end(), tissue.begin(), tissue.end());
  return bytes;
}

void CoupledEngine::load(std::span<const std::byte> bytes) {
  const std::size_t used = bones_from_bytes(bytes, free_.size(), bones_, slope_);
  tissue_->load(bytes.subspan(used));
  wrenches_.clear();
  follow_prescribed();
}

}  // namespace sinew::coupling
