#include "sinew/lab/grid_specimen.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "sinew/eulerian/eulerian_engine.h"
#include "sinew/eulerian/observe.h"
#include "sinew/lab/active_bar.h"
#include "sinew/lab/clamp.h"
#include "sinew/lab/frog.h"

namespace sinew::lab {
namespace {

constexpr double kPace = 0.3;       // m/s, of a clamp that is set to another length
constexpr double kRise = 100;       // 1/s, of an activation that is set to another value
constexpr double kLongest = 0.5;    // s, that a force may take to settle
constexpr double kSettled = 1e-4;   // of the maximal force
constexpr int kLook = 8;            // steps: forces are means over so many, see hold()
constexpr int kHeld = 2;            // cells beyond each end, within what the clamps hold
constexpr int kMargin = 5;          // cells of room around
constexpr double kStretched = 1.7;  // rest lengths for which there is room

eulerian::AttachmentSettings make_attachment(const char* name, double x, double inwards) {
  eulerian::AttachmentSettings attachment;
  attachment.name = name;
  attachment.where = {mesh::HalfSpace{{x, 0, 0}, {inwards, 0, 0}}};
  attachment.bone = inwards > 0 ? 0 : 1;
  return attachment;
}

eulerian::Settings make_settings(const material::MusculotendonParameters& muscle,
                                 const ActiveBarLaw& law, const GridSettings& options,
                                 std::shared_ptr<const Clamp> clamp) {
  const double length = muscle.optimal_length, side = std::sqrt(kFrogArea);
  const double h = length / options.cells;
  const int across = 2 * (static_cast<int>(std::ceil(0.6 * side / h)) + kMargin);
  const int drop = options.gravity > 0 ? static_cast<int>(0.1 * length / h) : 0;
  eulerian::GridSettings grid;
  grid.spacing = h;
  grid.low = {-(kHeld + kMargin) * h, -0.5 * across * h - drop * h, -0.5 * across * h};
  grid.cells = {static_cast<int>(kStretched * options.cells) + 2 * (kHeld + kMargin), across + drop,
                across};
  eulerian::BodySettings body;
  body.name = "muscle";
  body.shape = {mesh::Box{{0.5 * length, 0, 0}, {length + 2 * kHeld * h, side, side}}};
  body.law = {kFrogDensity, law.shear_modulus, 0, eulerian::VolumeMode::kStabilized};
  // Nodes at the ends at rest are held: a hundredth of a cell tells them from their neighbours.
  body.attachments = {make_attachment("origin", 0.01 * h, 1),
                      make_attachment("insertion", length - 0.01 * h, -1)};
  const double along = law.shortening, over = 1 / std::sqrt(along);
  body.active_map = [along, over](const Vec3d& X) {
    return Vec3d{along * X.x, over * X.y, over * X.z};
  };
  body.activation = engine::KeyFrames{{0}, {0}};
  eulerian::Settings settings;
  settings.grids.push_back(grid);
  settings.bodies.push_back(std::move(body));
  settings.world.gravity = {0, -options.gravity, 0};
  settings.world.bones.names = {"fixed", "moving"};
  settings.world.bones.pose = [clamp = std::move(clamp)](std::size_t bone, double time) {
    return engine::RigidPose{Mat3d::identity(), {bone == 1 ? place_of(*clamp, time) : 0, 0, 0}};
  };
  settings.step.step = options.step;
  settings.step.damping = options.damping;
  return settings;
}

}  // namespace

struct GridSpecimen::Impl {
  material::MusculotendonParameters muscle;
  GridSettings settings;
  ActiveBarLaw law;
  std::shared_ptr<Clamp> clamp = std::make_shared<Clamp>();
  eulerian::EulerianEngine engine;
  double length;          // m, of muscle and tendon, of the last step
  double activation = 0;  // of the last step
  double force = 0;       // N, of the last step

  Impl(const material::MusculotendonParameters& line, const GridSettings& options)
      : muscle(line),
        settings(options),
        law(make_active_bar_law(line)),
        engine(make_settings(line, law, options, clamp)),
        length(line.optimal_length + line.slack_length) {}

  // Of the bar: what the tendon leaves of the way at the last step's force; where it is slack, the
  // bar is as long as it wants to be.
  double bar_length(double path, double a) const {
    const double tendon = find_path_length(muscle, 0, force / muscle.max_force);
    return std::max(path - tendon, find_free_stretch(law, a) * muscle.optimal_length);
  }
};

GridSpecimen::GridSpecimen(const material::MusculotendonParameters& muscle,
                           const GridSettings& settings)
    : impl_(std::make_unique<Impl>(muscle, settings)) {}
GridSpecimen::~GridSpecimen() = default;

double GridSpecimen::hold(double length, double activation) {
  Impl& m = *impl_;
  const double from = m.length, before = m.activation, step = m.settings.step;
  const double time =
      std::max(std::abs(length - from) / kPace, std::abs(activation - before) / kRise);
  const int moves = 1 + static_cast<int>(time / step);
  for (int n = 1; n <= moves; ++n) {
    const double part = static_cast<double>(n) / moves;
    advance(from + part * (length - from), before + part * (activation - before), step);
  }
  // A node beside a clamp may be a slave in one step and none in the next: then forces flicker by
  // half a percent for ever, about a mean that settles.
  const auto look = [&] {
    double sum = 0;
    for (int n = 0; n < kLook; ++n) sum += advance(length, activation, step);
    return sum / kLook;
  };
  const double limit = m.engine.state().time + kLongest;
  double last = look(), force = look();
  while (std::abs(force - last) > kSettled * m.muscle.max_force) {
    if (m.engine.state().time >= limit) {
      ++num_unsettled_;
      break;
    }
    last = std::exchange(force, look());
  }
  return force;
}

double GridSpecimen::advance(double length, double activation, double dt) {
  Impl& m = *impl_;
  const double now = m.engine.state().time;
  *m.clamp = {m.clamp->to, m.bar_length(length, activation) - m.muscle.optimal_length, now,
              now + dt};
  m.engine.set_activation(0, {{0}, {activation}});
  // The tendon pulls, it does not push.
  m.force = std::max(0.0, -m.engine.advance_with_reactions(now + dt)[1].wrench.force.x);
  m.length = length;
  m.activation = activation;
  return m.force;
}

double GridSpecimen::load(double /*weight*/, double /*activation*/, double /*dt*/) {
  throw std::logic_error("an active shape hangs on clamps, not on weights");
}

double GridSpecimen::fiber_length() const {
  return impl_->muscle.optimal_length + impl_->clamp->to;
}

double GridSpecimen::volume_ratio() const {
  return compute_figures(impl_->engine.model(), impl_->engine.state(), 0).volume /
         impl_->engine.model().bodies[0].rest_volume;
}

// Of the surface that is shown, the points of the middle cell at rest.
double GridSpecimen::middle_sag() const {
  const std::vector<Vec3d>& rest = impl_->engine.model().bodies[0].surface.positions;
  const std::vector<Vec3d>& now = impl_->engine.state().bodies[0].surface;
  const double middle = 0.5 * impl_->muscle.optimal_length;
  const double near = 0.51 * impl_->muscle.optimal_length / impl_->settings.cells;
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (std::abs(rest[i].x - middle) > near) continue;
    sum += rest[i].y - now[i].y, ++count;
  }
  return sum / count;
}

}  // namespace sinew::lab
