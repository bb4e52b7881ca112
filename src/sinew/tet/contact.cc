#include "sinew/tet/contact.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"

namespace sinew::tet {
namespace {

constexpr std::size_t kGrain = 512;
constexpr int kMaxSweeps = 12;
// A point that is inside is led out over several steps, and never faster than this: pushing it out
// at once would throw it.
constexpr double kRecovery = 0.2;
constexpr double kMaxRecoverySpeed = 0.5;  // m/s

template <class T>
T at_point(const Model& model, std::uint32_t point, const std::vector<T>& values) {
  const mesh::EmbeddedPoint& place = model.contact_points[point];
  return mesh::interpolate(place, model.tets[place.tet], values);
}

// A collider where it is and where it will be at the step's end.
struct Moved {
  const engine::Collider* settings;
  engine::RigidPose now, then;
};

std::vector<Moved> move_colliders(const engine::World& world, double time, double step) {
  std::vector<Moved> result;
  for (const engine::Collider& collider : world.colliders) {
    result.push_back({&collider, engine::find_pose(world, collider, time),
                      engine::find_pose(world, collider, time + step)});
  }
  return result;
}

// Equation (19): the least normal speed that keeps the point outside at the end of the step.
double compute_least_speed(double gap, double step) {
  if (gap >= 0) return -gap / step;
  return std::min(-kRecovery * gap / step, kMaxRecoverySpeed);
}

// Velocity of a point for a unit impulse on it, 1/kg.
double compute_mobility(const Model& model, std::uint32_t point) {
  const mesh::EmbeddedPoint& place = model.contact_points[point];
  double mobility = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    mobility +=
        place.weights[i] * place.weights[i] * model.inverse_masses[model.tets[place.tet][i]];
  }
  return mobility;
}

void add_impulse(const Model& model, std::uint32_t point, const Vec3d& impulse,
                 std::vector<Vec3d>& velocities) {
  const mesh::EmbeddedPoint& place = model.contact_points[point];
  for (std::size_t i = 0; i < 4; ++i) {
    const std::uint32_t node = model.tets[place.tet][i];
    velocities[node] += impulse * (place.weights[i] * model.inverse_masses[node]);
  }
}

// One projected Gauss-Seidel update, equations (20) and (21). Returns the change of speed, m/s.
double relax(const Model& model, double mobility, Contact& c, std::vector<Vec3d>& velocities) {
  Vec3d relative = at_point(model, c.point, velocities) - c.collider_velocity;
  const double wanted = c.normal_impulse + (c.least_speed - dot(relative, c.normal)) / mobility;
  const double normal_change = std::max(wanted, 0.0) - c.normal_impulse;
  c.normal_impulse += normal_change;
  Vec3d change = c.normal * normal_change;
  if (c.friction > 0) {
    relative += change * mobility;
    const Vec3d slip = relative - c.normal * dot(relative, c.normal);
    Vec3d tangential = c.tangential_impulse - slip / mobility;
    const double allowed = c.friction * c.normal_impulse;
    const double size = norm(tangential);
    if (size > allowed) tangential *= size > 0 ? allowed / size : 0;
    change += tangential - c.tangential_impulse;
    c.tangential_impulse = tangential;
  }
  add_impulse(model, c.point, change, velocities);
  return norm(change) * mobility;
}

}  // namespace

std::vector<Contact> find_contacts(const Model& model, double time, double step,
                                   const std::vector<Vec3d>& positions,
                                   const std::vector<Vec3d>& velocities) {
  const std::vector<Moved> colliders = move_colliders(model.world, time, step);
  std::vector<std::vector<Contact>> parts((model.contact_points.size() + kGrain - 1) / kGrain);
  parallel_for(model.contact_points.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Contact>& found = parts[begin / kGrain];
    for (std::size_t p = begin; p < end; ++p) {
      const auto point = static_cast<std::uint32_t>(p);
      const Vec3d x = at_point(model, point, positions);
      const Vec3d v = at_point(model, point, velocities);
      for (const Moved& collider : colliders) {
        const Vec3d local = engine::apply_inverse(collider.now, x);
        const mesh::DistanceSample sample = mesh::sample_distance(collider.settings->shape, local);
        const double gap = sample.distance + model.contact_depths[point];
        // Its mean velocity over the step, which may cross a key frame.
        const Vec3d velocity = (engine::apply(collider.then, local) - x) / step;
        // Twice the reach: an impulse on a neighbour may quicken this point.
        if (gap > 2 * step * norm(v - velocity)) continue;
        found.push_back({point, collider.now.rotation * sample.normal,
                         compute_least_speed(gap, step), velocity, collider.settings->friction});
      }
    }
  });
  std::vector<Contact> contacts;
  for (const auto& part : parts) contacts.insert(contacts.end(), part.begin(), part.end());
  return contacts;
}

void resolve_contacts(const Model& model, std::vector<Contact>& contacts,
                      std::vector<Vec3d>& velocities) {
  std::vector<double> mobilities;
  mobilities.reserve(contacts.size());
  for (const Contact& c : contacts) mobilities.push_back(compute_mobility(model, c.point));
  double first_change = 0;
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double change = 0;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (mobilities[i] == 0) continue;  // all its nodes are held
      change = std::max(change, relax(model, mobilities[i], contacts[i], velocities));
    }
    if (sweep == 0) first_change = change;
    if (change <= 1e-2 * first_change) return;
  }
}

std::vector<Contact> keep_touching(const std::vector<Contact>& contacts) {
  std::vector<Contact> touching;
  for (const Contact& c : contacts) {
    if (c.normal_impulse <= 0) continue;
    touching.push_back({c.point, c.normal, 0, c.collider_velocity, c.friction});
  }
  return touching;
}

bool may_reach(const std::optional<mesh::Bounds>& box, const Vec3d& x, double reach) {
  if (!box) return true;
  double away2 = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    const double away = std::max({box->low[a] - x[a], x[a] - box->high[a], 0.0});
    away2 += away * away;
  }
  return away2 <= reach * reach;
}

double compute_overlap(const Model& model, double time, const std::vector<Vec3d>& positions) {
  const std::vector<engine::Collider>& colliders = model.world.colliders;
  if (colliders.empty()) return 0;
  std::vector<engine::RigidPose> poses;
  poses.reserve(colliders.size());
  for (const engine::Collider& collider : colliders)
    poses.push_back(engine::find_pose(model.world, collider, time));
  return ordered_max(model.contact_points.size(), 0, [&](std::size_t begin, std::size_t end) {
    double deepest = 0;
    for (std::size_t p = begin; p < end; ++p) {
      const Vec3d x = at_point(model, static_cast<std::uint32_t>(p), positions);
      for (std::size_t c = 0; c < colliders.size(); ++c) {
        const Vec3d local = engine::apply_inverse(poses[c], x);
        if (!may_reach(model.collider_boxes[c], local, 0)) continue;
        const double gap =
            mesh::signed_distance(colliders[c].shape, local) + model.contact_depths[p];
        deepest = std::max(deepest, -gap);
      }
    }
    return deepest;
  });
}

}  // namespace sinew::tet
