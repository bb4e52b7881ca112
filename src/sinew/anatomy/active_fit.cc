#include "sinew/anatomy/active_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/parallel.h"

namespace sinew::anatomy {
namespace {

constexpr std::size_t kCellGrain = 32;
constexpr double kGauss = 0.28867513459481287;  // from the middle of a cell, in cells
constexpr double kForbidden = 1e-3;             // volume ratio below which space is turned

Vec3d quadrature_place(std::size_t q) {
  return {0.5 + ((q & 1) != 0 ? kGauss : -kGauss), 0.5 + ((q & 2) != 0 ? kGauss : -kGauss),
          0.5 + ((q & 4) != 0 ? kGauss : -kGauss)};
}

}  // namespace

ActiveFit::ActiveFit(const mesh::Shape& passive, const mesh::Shape& active,
                     std::vector<SurfacePoint> passive_points,
                     std::vector<SurfacePoint> active_points, double volume_ratio, ActiveMap map)
    : active_(active),
      passive_points_(std::move(passive_points)),
      active_points_(std::move(active_points)),
      volume_ratio_(volume_ratio),
      map_(std::move(map)) {
  map_.coefficients.assign(num_coefficients(map_.lattice), Vec3d{});
  turn_ = anatomy::evaluate(map_, map_.center).gradient;
  const auto nx = static_cast<std::size_t>(map_.lattice.size[0]);
  const auto ny = static_cast<std::size_t>(map_.lattice.size[1]);
  for (std::size_t n = 0; n < 64; ++n) offsets_[n] = n % 4 + nx * (n / 4 % 4 + ny * (n / 16));
  const double h = map_.lattice.spacing;
  for (std::size_t q = 0; q < kPoints; ++q) {
    const Vec3d in_first = quadrature_place(q) + Vec3d{1, 1, 1};
    const SplineStencil s = make_stencil(map_.lattice, map_.lattice.origin + in_first * h);
    for (std::size_t n = 0; n < 64; ++n) {
      const std::size_t i = n % 4, j = n / 4 % 4, k = n / 16;
      slopes_[q][n] = {s.slopes[0][i] * s.weights[1][j] * s.weights[2][k],
                       s.weights[0][i] * s.slopes[1][j] * s.weights[2][k],
                       s.weights[0][i] * s.weights[1][j] * s.slopes[2][k]};
    }
  }
  for (std::int32_t k = 0; k + 3 < map_.lattice.size[2]; ++k) {
    for (std::int32_t j = 0; j + 3 < map_.lattice.size[1]; ++j) {
      for (std::int32_t i = 0; i + 3 < map_.lattice.size[0]; ++i) {
        Cell cell{};
        cell.first = static_cast<std::size_t>(i) +
                     nx * (static_cast<std::size_t>(j) + ny * static_cast<std::size_t>(k));
        const Vec3d corner = map_.lattice.origin + Vec3d{i + 1.0, j + 1.0, k + 1.0} * h;
        for (std::size_t q = 0; q < kPoints; ++q) {
          const double distance = mesh::signed_distance(passive, corner + quadrature_place(q) * h);
          cell.inside[q] = std::clamp(0.5 - distance / (0.5 * h), 0.0, 1.0);
        }
        const bool outside = std::all_of(cell.inside, cell.inside + kPoints,
                                         [](double inside) { return inside == 0; });
        cell.stride = outside ? kPoints - 1 : 1;
        cells_.push_back(cell);
      }
    }
  }
  for (const SurfacePoint& point : passive_points_) samples_.push_back(make_sample(point.place));
}

ActiveFit::Sample ActiveFit::make_sample(const Vec3d& X) const {
  const SplineStencil s = make_stencil(map_.lattice, X);
  const auto nx = static_cast<std::size_t>(map_.lattice.size[0]);
  const auto ny = static_cast<std::size_t>(map_.lattice.size[1]);
  Sample sample{};
  sample.rest = X;
  sample.first =
      static_cast<std::size_t>(s.first[0]) +
      nx * (static_cast<std::size_t>(s.first[1]) + ny * static_cast<std::size_t>(s.first[2]));
  for (std::size_t n = 0; n < 64; ++n) {
    sample.weights[n] = s.weights[0][n % 4] * s.weights[1][n / 4 % 4] * s.weights[2][n / 16];
  }
  return sample;
}

Vec3d ActiveFit::place_of(const Sample& sample, const double* x) const {
  Vec3d S{};
  for (std::size_t n = 0; n < 64; ++n) {
    const double* c = x + 3 * (sample.first + offsets_[n]);
    S += Vec3d{c[0], c[1], c[2]} * sample.weights[n];
  }
  return turn_ * (sample.rest + S - map_.center) + map_.center + map_.shift;
}

void ActiveFit::add_gradient(const Sample& sample, const Vec3d& gradient, double* result) const {
  const Vec3d g = transpose(turn_) * gradient;
  for (std::size_t n = 0; n < 64; ++n) {
    double* r = result + 3 * (sample.first + offsets_[n]);
    r[0] += g.x * sample.weights[n];
    r[1] += g.y * sample.weights[n];
    r[2] += g.z * sample.weights[n];
  }
}

void ActiveFit::set_weights(const FitWeights& weights) {
  weights_ = weights;
}

void ActiveFit::set_springs(const std::vector<FitSpring>& springs) {
  springs_.clear();
  for (const FitSpring& spring : springs) {
    Spring made{{}, spring.target, spring.stiffness};
    for (const auto& [X, weight] : spring.points) made.points.emplace_back(make_sample(X), weight);
    springs_.push_back(std::move(made));
  }
}

void ActiveFit::match() {
  const std::vector<double> x = coefficients();
  std::vector<Vec3d> mapped;
  for (const Sample& sample : samples_) mapped.push_back(place_of(sample, x.data()));
  matches_.resize(active_points_.size());
  parallel_for(active_points_.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t a = begin; a < end; ++a) {
      std::size_t nearest = 0;
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t p = 0; p < mapped.size(); ++p) {
        const Vec3d d = mapped[p] - active_points_[a].place;
        if (const double squared = dot(d, d); squared < least) least = squared, nearest = p;
      }
      matches_[a] = {nearest, active_points_[a]};
    }
  });
}

// Equation (5) over one cell: shape change by the isochoric neo-Hookean law, volume change by its
// logarithm against the wanted ratio.
double ActiveFit::evaluate_cell(const Cell& cell, const double* x, double* block) const {
  const double h = map_.lattice.spacing;
  double energy = 0;
  std::fill(block, block + std::size_t{3} * 64, 0.0);
  for (std::size_t q = 0; q < kPoints; q += cell.stride) {
    Mat3d A = Mat3d::identity();
    for (std::size_t n = 0; n < 64; ++n) {
      const double* c = x + 3 * (cell.first + offsets_[n]);
      const Vec3d& s = slopes_[q][n];
      A.col(0) += Vec3d{c[0], c[1], c[2]} * s.x;
      A.col(1) += Vec3d{c[0], c[1], c[2]} * s.y;
      A.col(2) += Vec3d{c[0], c[1], c[2]} * s.z;
    }
    const double J = determinant(A);
    if (!(J > kForbidden)) return std::numeric_limits<double>::infinity();
    const double in = cell.inside[q];
    const double volume = h * h * h * (cell.stride == 1 ? 1.0 / kPoints : 0.5);
    const double mu = volume * (in + weights_.outside * (1 - in));
    const double kappa = volume * (weights_.bulk * in + weights_.outside * (1 - in));
    const Mat3d dlnJ = cofactor(A) * (1 / J);
    const double iso = std::pow(J, -2.0 / 3), I1 = inner(A, A), lnJ = std::log(J / volume_ratio_);
    energy += 0.5 * mu * (iso * I1 - 3) + 0.5 * kappa * lnJ * lnJ;
    const Mat3d P = A * (mu * iso) + dlnJ * (kappa * lnJ - mu * iso * I1 / 3);
    for (std::size_t n = 0; n < 64; ++n) {
      const Vec3d g = P * slopes_[q][n];
      block[3 * n] += g.x, block[3 * n + 1] += g.y, block[3 * n + 2] += g.z;
    }
  }
  return energy;
}

double ActiveFit::add_elastic(const std::vector<double>& x, std::vector<double>& gradient) const {
  std::vector<double> blocks(cells_.size() * 192), energies(cells_.size());
  parallel_for(cells_.size(), kCellGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      energies[c] = evaluate_cell(cells_[c], x.data(), &blocks[192 * c]);
    }
  });
  double energy = 0;
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    energy += energies[c];
    for (std::size_t n = 0; n < 64; ++n) {
      double* g = &gradient[3 * (cells_[c].first + offsets_[n])];
      const double* b = &blocks[192 * c + 3 * n];
      g[0] += b[0], g[1] += b[1], g[2] += b[2];
    }
  }
  return energy;
}

// Equations (6) and (7): mapped passive points off the active surface, active points off the
// mapped surface, both along the active surface's normal.
double ActiveFit::add_surfaces(const std::vector<double>& x, std::vector<double>& gradient) const {
  const double stiffness = weights_.surface / map_.lattice.spacing;
  std::vector<Vec3d> places(samples_.size());
  std::vector<mesh::DistanceSample> distances(samples_.size());
  parallel_for(samples_.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      places[i] = place_of(samples_[i], x.data());
      distances[i] = mesh::sample_distance(active_, places[i]);
    }
  });
  double energy = 0;
  std::vector<Vec3d> forces(samples_.size());
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const double k = stiffness * passive_points_[i].area, d = distances[i].distance;
    energy += 0.5 * k * d * d;
    forces[i] = distances[i].normal * (k * d);
  }
  for (const Match& match : matches_) {
    const double k = stiffness * match.target.area;
    const double d = dot(match.target.normal, places[match.sample] - match.target.place);
    energy += 0.5 * k * d * d;
    forces[match.sample] += match.target.normal * (k * d);
  }
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    add_gradient(samples_[i], forces[i], gradient.data());
  }
  return energy;
}

double ActiveFit::evaluate(const std::vector<double>& x, std::vector<double>& gradient) const {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  double energy = add_elastic(x, gradient);
  if (!std::isfinite(energy)) return std::numeric_limits<double>::infinity();
  energy += add_surfaces(x, gradient);
  for (const Spring& spring : springs_) {  // equation (8)
    Vec3d mean{};
    for (const auto& [sample, weight] : spring.points) mean += place_of(sample, x.data()) * weight;
    const double k = weights_.springs * spring.stiffness;
    const Vec3d off = mean - spring.target;
    energy += 0.5 * k * dot(off, off);
    for (const auto& [sample, weight] : spring.points) {
      add_gradient(sample, off * (k * weight), gradient.data());
    }
  }
  return energy;
}

std::vector<double> ActiveFit::compute_diagonal() const {
  std::vector<double> diagonal(3 * map_.coefficients.size(), 1e-12);
  const auto add = [&](std::size_t coefficient, double value) {
    for (std::size_t a = 0; a < 3; ++a) diagonal[3 * coefficient + a] += value;
  };
  const double h = map_.lattice.spacing, volume = h * h * h / kPoints;
  for (const Cell& cell : cells_) {
    for (std::size_t q = 0; q < kPoints; ++q) {
      const double in = cell.inside[q];
      const double mu = volume * (in + weights_.outside * (1 - in));
      const double kappa = volume * (weights_.bulk * in + weights_.outside * (1 - in));
      for (std::size_t n = 0; n < 64; ++n) {
        add(cell.first + offsets_[n], (mu + kappa / 3) * dot(slopes_[q][n], slopes_[q][n]));
      }
    }
  }
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const double k = 2 * weights_.surface / h * passive_points_[i].area / 3;
    for (std::size_t n = 0; n < 64; ++n) {
      add(samples_[i].first + offsets_[n], k * samples_[i].weights[n] * samples_[i].weights[n]);
    }
  }
  return diagonal;
}

void ActiveFit::set_coefficients(const std::vector<double>& x) {
  for (std::size_t i = 0; i < map_.coefficients.size(); ++i) {
    map_.coefficients[i] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
  }
}

std::vector<double> ActiveFit::coefficients() const {
  std::vector<double> x;
  for (const Vec3d& c : map_.coefficients) x.insert(x.end(), {c.x, c.y, c.z});
  return x;
}

}  // namespace sinew::anatomy
