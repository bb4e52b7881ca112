#include "sinew/tet/penalty.h"

#include <algorithm>
#include <cmath>

namespace sinew::tet {
namespace {

// Springs as stiff as this many layers of the tissue that they support: overlap stays below a
// hundredth of the spacing under stresses of the order of a tenth of the shear modulus.
constexpr double kStiffness = 10;
constexpr double kSlip = 1e-3;  // of the spacing: below it friction is a spring
constexpr double kReach = 2;    // spacings

template <class Real>
Vec3d at_vertex(const Model& model, std::uint32_t vertex, const Field3<Real>& values) {
  const mesh::EmbeddedPoint& point = model.vertices[vertex];
  Vec3d sum{};
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3<Real> v = values[model.tets[point.tet][i]];
    sum += Vec3d{v.x, v.y, v.z} * point.weights[i];
  }
  return sum;
}

template <class Real>
void add_at_vertex(const Model& model, std::uint32_t vertex, const Vec3d& value,
                   Field3<Real>& values) {
  const mesh::EmbeddedPoint& point = model.vertices[vertex];
  for (std::size_t i = 0; i < 4; ++i) {
    const std::uint32_t n = model.tets[point.tet][i];
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
Vec3d compute_slip(const PenaltySet& set, const PenaltyPoint& p, const Vec3d& x) {
  const Vec3d moved = x - p.start - set.travels[p.collider];
  return moved - p.normal * dot(moved, p.normal);
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
  for (const engine::Collider& collider : model.world.colliders) {
    set.displacements.push_back(engine::displacement(collider, time));
    set.travels.push_back(set.displacements.back() - engine::displacement(collider, start_time));
  }
  for (std::uint32_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const double stiffness = compute_stiffness_per_area(model, body);
    for (std::uint32_t v = body.vertices.begin; v < body.vertices.end; ++v) {
      const mesh::EmbeddedPoint& point = model.vertices[v];
      const Vec3d from = mesh::interpolate(point, model.tets[point.tet], start);
      const Vec3d to = mesh::interpolate(point, model.tets[point.tet], guess);
      for (std::uint32_t c = 0; c < model.world.colliders.size(); ++c) {
        const engine::Collider& collider = model.world.colliders[c];
        const Vec3d before = set.displacements[c] - set.travels[c];
        const double reach = kReach * body.spacing + 2 * norm(to - from - set.travels[c]);
        const mesh::DistanceSample sample = mesh::sample_distance(collider.shape, from - before);
        if (sample.distance > reach) continue;
        const double k = stiffness * model.vertex_areas[v];
        const double force = k * std::max(0.0, -sample.distance);
        set.points.push_back(
            {v, c, b, k, collider.friction * force, kSlip * body.spacing, from, sample.normal});
      }
    }
  }
  return set;
}

// Equations (10) and (11).
double add_penalty(const Model& model, const PenaltySet& set, const Field3d& positions,
                   Field3d& gradient) {
  double energy = 0;
  for (const PenaltyPoint& p : set.points) {
    const Vec3d x = at_vertex(model, p.vertex, positions);
    const engine::Collider& collider = model.world.colliders[p.collider];
    const mesh::DistanceSample sample =
        mesh::sample_distance(collider.shape, x - set.displacements[p.collider]);
    if (sample.distance < 0) {
      energy += 0.5 * p.stiffness * sample.distance * sample.distance;
      add_at_vertex(model, p.vertex, sample.normal * (p.stiffness * sample.distance), gradient);
    }
    if (p.friction_force > 0) {
      const Vec3d slip = compute_slip(set, p, x);
      const double size = norm(slip);
      const double small = p.slip;
      energy += p.friction_force * (size < small ? 0.5 * size * size / small : size - 0.5 * small);
      add_at_vertex(model, p.vertex, slip * (p.friction_force / std::max(size, small)), gradient);
    }
  }
  return energy;
}

void add_penalty_tangent(const Model& model, const PenaltySet& set, const Field3d& positions,
                         const Field3f& direction, Field3f& image) {
  for (const PenaltyPoint& p : set.points) {
    const Vec3d x = at_vertex(model, p.vertex, positions);
    const Vec3d d = at_vertex(model, p.vertex, direction);
    const engine::Collider& collider = model.world.colliders[p.collider];
    const mesh::DistanceSample sample =
        mesh::sample_distance(collider.shape, x - set.displacements[p.collider]);
    Vec3d change{};
    if (sample.distance < 0) change += sample.normal * (p.stiffness * dot(sample.normal, d));
    if (p.friction_force > 0) {
      const Vec3d across = d - p.normal * dot(p.normal, d);
      const double size = std::max(norm(compute_slip(set, p, x)), p.slip);
      change += across * (p.friction_force / size);
    }
    add_at_vertex(model, p.vertex, change, image);
  }
}

std::size_t add_penalty_rows(const Model& model, const PenaltySet& set,
                             const std::vector<Mat3d>& rotations,
                             const std::vector<Vec3d>& positions, solver::BlockEntries& matrix) {
  std::size_t touching = 0;
  for (const PenaltyPoint& p : set.points) {
    const mesh::EmbeddedPoint& point = model.vertices[p.vertex];
    const Vec3d x = mesh::interpolate(point, model.tets[point.tet], positions);
    const engine::Collider& collider = model.world.colliders[p.collider];
    const mesh::DistanceSample sample =
        mesh::sample_distance(collider.shape, x - set.displacements[p.collider]);
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
