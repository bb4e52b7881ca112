#include "sinew/tet/penalty.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/tet/contact.h"

namespace sinew::tet {
namespace {

// Springs as stiff as this many layers of the tissue that they support: overlap stays below a
// hundredth of the spacing under stresses of the order of a tenth of the shear modulus.
constexpr double kStiffness = 10;
constexpr double kSlip = 1e-3;  // of the spacing: below it friction is a spring
constexpr double kReach = 2;    // spacings
constexpr std::size_t kGrain = 1024;

template <class Real>
Vec3d at_point(const PenaltyPoint& point, const Field3<Real>& values) {
  Vec3d sum{};
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3<Real> v = values[point.nodes[i]];
    sum += Vec3d{v.x, v.y, v.z} * point.weights[i];
  }
  return sum;
}

template <class Real>
void add_at_point(const PenaltyPoint& point, const Vec3d& value, Field3<Real>& values) {
  for (std::size_t i = 0; i < 4; ++i) {
    const std::uint32_t n = point.nodes[i];
    const Vec3d part = value * point.weights[i];
    values.x()[n] += static_cast<Real>(part.x);
    values.y()[n] += static_cast<Real>(part.y);
    values.z()[n] += static_cast<Real>(part.z);
  }
}

double compute_stiffness_per_area(const Model& model, const Body& body) {
  const material::Material& tissue = model.tissues[model.tissue[body.tets.begin]];
  const material::Lame lame = small_strain_moduli(tissue);
  return kStiffness * lame.mu / body.spacing;
}

// The part of the slip since the step's beginning that lies in the collider's surface.
Vec3d compute_slip(const PenaltyPoint& p, const Vec3d& x) {
  const Vec3d moved = x - p.carried;
  return moved - p.normal * dot(moved, p.normal);
}

// Distance from where the point may be, and the normal, both as the world sees them.
mesh::DistanceSample sample_collider(const engine::Collider& collider,
                                     const engine::RigidPose& pose, const Vec3d& x, double depth) {
  const mesh::DistanceSample sample =
      mesh::sample_distance(collider.shape, engine::apply_inverse(pose, x));
  return {sample.distance + depth, pose.rotation * sample.normal};
}

// Outside without a look where the point has not come as far as its gap was wide.
mesh::DistanceSample sample_at(const Model& model, const PenaltySet& set, const PenaltyPoint& p,
                               const Vec3d& x) {
  const double left = p.gap - norm(x - p.carried);
  if (left > 0) return {left, p.normal};
  return sample_collider(model.world.colliders[p.collider], set.poses[p.collider], x, p.depth);
}

// A point's energy (J) and its slope (N), the opposite of the force on it.
double evaluate_point(const Model& model, const PenaltySet& set, const PenaltyPoint& p,
                      const Field3d& positions, Vec3d& slope) {
  const Vec3d x = at_point(p, positions);
  double energy = 0;
  const mesh::DistanceSample sample = sample_at(model, set, p, x);
  if (sample.distance < 0) {
    energy += 0.5 * p.stiffness * sample.distance * sample.distance;
    slope += sample.normal * (p.stiffness * sample.distance);
  }
  if (p.friction_force > 0) {
    const Vec3d slip = compute_slip(p, x);
    const double size = norm(slip);
    const double small = p.slip;
    energy += p.friction_force * (size < small ? 0.5 * size * size / small : size - 0.5 * small);
    slope += slip * (p.friction_force / std::max(size, small));
  }
  return energy;
}

// A collider in a step: where it was and is.
struct MovedCollider {
  engine::RigidPose before, now;
};

std::uint32_t find_body(const Model& model, std::uint32_t vertex) {
  const auto after =
      std::upper_bound(model.bodies.begin(), model.bodies.end(), vertex,
                       [](std::uint32_t v, const Body& body) { return v < body.vertices.begin; });
  return static_cast<std::uint32_t>(after - model.bodies.begin()) - 1;
}

// How deep a vertex was in its bone at rest: what is attached to a bone may stay as it was drawn.
double find_rest_depth(const engine::Collider& collider, const Vec3d& rest) {
  return collider.bone ? std::max(0.0, -mesh::signed_distance(collider.shape, rest)) : 0;
}

// Adds the spring K at a vertex to the blocks of the four nodes that carry it.
void add_spring(const Model& model, std::uint32_t vertex, const Mat3d& K,
                solver::BlockEntries& matrix) {
  const mesh::EmbeddedPoint& point = model.vertices[vertex];
  const auto& nodes = model.tets[point.tet];
  for (std::size_t i = 0; i < 4; ++i) {
    const auto row = matrix.columns.begin() + matrix.first[nodes[i]];
    const auto row_end = matrix.columns.begin() + matrix.first[nodes[i] + 1];
    for (std::size_t j = 0; j < 4; ++j) {
      const auto entry = std::lower_bound(row, row_end, nodes[j]) - matrix.columns.begin();
      solver::Block& block = matrix.blocks[static_cast<std::size_t>(entry)];
      const double weight = point.weights[i] * point.weights[j];
      for (std::size_t c = 0; c < 9; ++c) {
        block[c] += static_cast<float>(weight * K(c / 3, c % 3));
      }
    }
  }
}

}  // namespace

PenaltySet find_penalty_points(const Model& model, double start_time, double time,
                               const std::vector<Vec3d>& start, const std::vector<Vec3d>& guess) {
  PenaltySet set;
  set.time = time;
  std::vector<MovedCollider> moved;
  moved.reserve(model.world.colliders.size());
  for (const engine::Collider& collider : model.world.colliders) {
    moved.push_back({engine::find_pose(model.world, collider, start_time),
                     engine::find_pose(model.world, collider, time)});
    set.poses.push_back(moved.back().now);
  }
  if (moved.empty()) return set;
  std::vector<double> stiffness;
  stiffness.reserve(model.bodies.size());
  for (const Body& body : model.bodies)
    stiffness.push_back(compute_stiffness_per_area(model, body));
  // Pieces in the order of the vertices, so that threads change nothing.
  const std::size_t count = model.penalty_vertices.size();
  std::vector<std::vector<PenaltyPoint>> pieces((count + kGrain - 1) / kGrain);
  parallel_for(count, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t v = model.penalty_vertices[i];
      const std::uint32_t b = find_body(model, v);
      const Body& body = model.bodies[b];
      const mesh::EmbeddedPoint& point = model.vertices[v];
      const Vec3d from = mesh::interpolate(point, model.tets[point.tet], start);
      const Vec3d to = mesh::interpolate(point, model.tets[point.tet], guess);
      for (std::uint32_t c = 0; c < moved.size(); ++c) {
        const engine::Collider& collider = model.world.colliders[c];
        const Vec3d local = engine::apply_inverse(moved[c].before, from);
        const Vec3d carried = engine::apply(moved[c].now, local);
        const double reach = kReach * body.spacing + 2 * norm(to - carried);
        if (!may_reach(model.collider_boxes[c], local, reach)) continue;
        const mesh::DistanceSample sample = sample_collider(collider, moved[c].before, from, 0);
        if (sample.distance > reach) continue;
        const double depth = find_rest_depth(collider, model.rest_vertices[v]);
        const double k = stiffness[b] * model.penalty_areas[i];
        const double force = k * std::max(0.0, -(sample.distance + depth));
        pieces[begin / kGrain].push_back({v, c, b, k, collider.friction * force,
                                          kSlip * body.spacing, depth, sample.distance + depth,
                                          carried, sample.normal, model.tets[point.tet],
                                          point.weights});
      }
    }
  });
  for (const std::vector<PenaltyPoint>& piece : pieces)
    set.points.insert(set.points.end(), piece.begin(), piece.end());
  return set;
}

// Equations (10) and (11). Points are looked at by threads, their parts added in order.
double add_penalty(const Model& model, const PenaltySet& set, const Field3d& positions,
                   Field3d& gradient) {
  std::vector<Vec3d> slopes(set.points.size());
  const double energy = ordered_sum(set.points.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i)
      sum += evaluate_point(model, set, set.points[i], positions, slopes[i]);
    return sum;
  });
  for (std::size_t i = 0; i < slopes.size(); ++i)
    if (slopes[i] != Vec3d{}) add_at_point(set.points[i], slopes[i], gradient);
  return energy;
}

void add_penalty_wrenches(const Model& model, const PenaltySet& set, const Field3d& positions,
                          std::vector<engine::Wrench>& wrenches) {
  for (const PenaltyPoint& p : set.points) {
    const std::optional<std::size_t>& bone = model.world.colliders[p.collider].bone;
    if (!bone) continue;
    Vec3d slope{};
    evaluate_point(model, set, p, positions, slope);
    engine::add_force(at_point(p, positions), slope, wrenches[*bone]);
  }
}

void add_penalty_tangent(const Model& model, const PenaltySet& set, const Field3d& positions,
                         const Field3f& direction, Field3f& image) {
  std::vector<Vec3d> changes(set.points.size());
  parallel_for(changes.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const PenaltyPoint& p = set.points[i];
      const Vec3d x = at_point(p, positions);
      const Vec3d d = at_point(p, direction);
      const mesh::DistanceSample sample = sample_at(model, set, p, x);
      if (sample.distance < 0) changes[i] += sample.normal * (p.stiffness * dot(sample.normal, d));
      if (p.friction_force > 0) {
        const Vec3d across = d - p.normal * dot(p.normal, d);
        const double size = std::max(norm(compute_slip(p, x)), p.slip);
        changes[i] += across * (p.friction_force / size);
      }
    }
  });
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (changes[i] != Vec3d{}) add_at_point(set.points[i], changes[i], image);
}

std::size_t add_penalty_rows(const Model& model, const PenaltySet& set,
                             const std::vector<Mat3d>& rotations,
                             const std::vector<Vec3d>& positions, solver::BlockEntries& matrix) {
  std::size_t touching = 0;
  for (const PenaltyPoint& p : set.points) {
    const mesh::EmbeddedPoint& point = model.vertices[p.vertex];
    const Vec3d x = mesh::interpolate(point, model.tets[point.tet], positions);
    const mesh::DistanceSample sample = sample_at(model, set, p, x);
    if (sample.distance >= 0 && p.friction_force == 0) continue;
    const Mat3d& R = rotations[p.body];
    const Vec3d n = transpose(R) * sample.normal;
    const double hold = p.friction_force / p.slip;
    const Mat3d across = Mat3d::identity() - Mat3d::outer(n, n);
    add_spring(model, p.vertex, Mat3d::outer(n, n) * p.stiffness + across * hold, matrix);
    ++touching;
  }
  return touching;
}

}  // namespace sinew::tet
