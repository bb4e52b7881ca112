#include <algorithm>
#include <cmath>

#include "sinew/brick/step.h"

namespace sinew::brick {
namespace {

// A row that shortens the way from x to y; `rate` of its length.
Row make_pull(std::uint32_t body, std::uint32_t node, const Vec3d& direction) {
  Row row;
  row.terms.push_back({body, node, direction});
  return row;
}

// Force a speed for the step: the slope of the force-velocity curve, or that of the chord to the
// force at rest where it is steeper. The curve is flat on both sides of its steep middle; tangents
// alone would throw a light node from one side to the other and back at every step.
double find_damping(const Fiber& fiber, const MuscleSettings& muscle, double length, double rate,
                    double activation, const FiberValue& value) {
  if (rate == 0) return value.damping;
  const double still = compute_fiber(fiber, muscle, length, 0, activation).tension;
  return std::max(value.damping, (value.tension - still) / rate);
}

void add_fibers(const BodyModel& body, std::uint32_t index, const BodyState& state,
                double activation, double horizon, MuscleRows& out) {
  for (const Fiber& fiber : body.fibers) {
    const std::uint32_t a = fiber.nodes[0], b = fiber.nodes[1];
    const Vec3d way = state.positions[b] - state.positions[a];
    const double length = std::max(norm(way), 1e-9 * fiber.optimal_length);
    const Vec3d d = way / length;
    const double rate = dot(d, state.velocities[b] - state.velocities[a]);
    const FiberValue value = compute_fiber(fiber, *body.muscle, length, rate, activation);
    Row row = make_pull(index, a, d);
    row.terms.push_back({index, b, -d});
    row.low = 0;  // fibres do not push
    const double damping = find_damping(fiber, *body.muscle, length, rate, activation, value);
    set_force({value.tension, value.stiffness, damping, -rate}, horizon, row);
    out.rows.push_back(std::move(row));
    if (value.tension > 0) out.springs.push_back({a, b, d, value.tension / length});
  }
}

engine::RigidPose pose_of(const engine::World& world, const engine::RigidMotion& motion,
                          const std::optional<std::size_t>& bone, double time) {
  return bone ? world.bones.pose(*bone, time) : evaluate(motion, time);
}

void add_strings(const Model& model, std::uint32_t index, std::size_t tendon,
                 const BodyState& state, double now, double horizon, MuscleRows& out) {
  const BodyModel& body = model.bodies[index];
  const TendonSettings& settings = body.tendons[tendon];
  const engine::RigidPose pose =
      pose_of(model.world, settings.motion, settings.bone, now + horizon);
  const engine::RigidPose before = pose_of(model.world, settings.motion, settings.bone, now);
  const material::LineShape shape =
      body.muscle ? body.muscle->shape : material::LineShape{material::LineLaw::kHill};
  for (const String& string : body.strings[tendon]) {
    const Vec3d anchor = apply(pose, string.rest_anchor);
    const Vec3d way = anchor - state.positions[string.node];
    const double length = std::max(norm(way), 1e-9 * string.slack_length);
    const Vec3d d = way / length;
    FiberValue value = compute_string(string, settings, shape, length);
    // A string that is slack now may be taut at the horizon.
    const Vec3d drift = (anchor - apply(before, string.rest_anchor)) / horizon;
    const double speed = dot(d, state.velocities[string.node]);
    if (value.stiffness == 0 && length - speed * horizon > string.slack_length) {
      value = compute_string(string, settings, shape, length - speed * horizon);
      value.tension = value.stiffness * (length - string.slack_length);
    }
    Row row = make_pull(index, string.node, d);
    row.low = 0;
    const double force = value.tension + value.damping * (dot(d, drift) - speed);
    set_force({force, value.stiffness, value.damping, speed}, horizon, row);
    out.rows.push_back(std::move(row));
    if (value.tension > 0) {
      out.springs.push_back({string.node, kNoNode, d, value.tension / length});
    }
  }
}

void add_ties(const Model& model, std::uint32_t index, const BodyState& state, double now,
              double horizon, std::vector<Row>& rows) {
  const BodyModel& body = model.bodies[index];
  constexpr Vec3d kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const TieSettings& tie : body.ties) {
    const engine::RigidPose pose = pose_of(model.world, tie.motion, tie.bone, now + horizon);
    for (const std::uint32_t n : tie.nodes) {
      const Vec3d goal = apply(pose, body.mesh.rest_positions[n]) - state.positions[n];
      for (const Vec3d& axis : kAxes) {
        Row row = make_pull(index, n, axis);
        row.target = dot(goal, axis), row.compliance = tie.compliance;
        rows.push_back(std::move(row));
      }
    }
  }
}

}  // namespace

MuscleRows make_muscle_rows(const Model& model, std::uint32_t body, const BodyState& state,
                            double activation, double now, double horizon) {
  MuscleRows out;
  const BodyModel& b = model.bodies[body];
  if (b.muscle) add_fibers(b, body, state, activation, horizon, out);
  for (std::size_t t = 0; t < b.tendons.size(); ++t) {
    out.first_of_tendon.push_back(out.rows.size());
    add_strings(model, body, t, state, now, horizon, out);
  }
  out.first_of_tendon.push_back(out.rows.size());
  add_ties(model, body, state, now, horizon, out.rows);
  return out;
}

}  // namespace sinew::brick
