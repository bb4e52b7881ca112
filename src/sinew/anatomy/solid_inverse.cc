#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/anatomy/bspline_solid.h"
#include "sinew/mesh/surface.h"

namespace sinew::anatomy {
namespace {

constexpr std::uint32_t kSamplesPerSpan = 3;
constexpr std::size_t kStarts = 6;      // nearest samples tried where the first does not lead home
constexpr int kMaxIterations = 60;      // of one start
constexpr double kRounding = 1e-15;     // of the size: nearer than this nothing can be told apart
constexpr double kGoodEnough = 1e-12;   // of the size: no other start is tried
constexpr double kFirstDamping = 1e-3;  // relative to the mean of diag(J^T J)
constexpr double kMostDamping = 1e8;    // a step this damped is no step

// Parameters from knot to knot in equal steps.
std::vector<double> sample_parameters(const std::vector<double>& knots) {
  std::vector<double> parameters = {0};
  for (std::size_t i = 1; i < knots.size(); ++i) {
    for (std::uint32_t s = 1; knots[i] > knots[i - 1] && s <= kSamplesPerSpan; ++s) {
      parameters.push_back(knots[i - 1] + (knots[i] - knots[i - 1]) * s / kSamplesPerSpan);
    }
  }
  return parameters;
}

// The nearest few of the points seen so far, nearest first.
struct Nearest {
  std::array<double, kStarts> squared;
  std::array<std::uint32_t, kStarts> index{};

  Nearest() { squared.fill(std::numeric_limits<double>::infinity()); }
  void offer(double d, std::uint32_t i) {
    if (!(d < squared.back())) return;
    std::size_t at = kStarts - 1;
    for (; at > 0 && d < squared[at - 1]; --at) {
      squared[at] = squared[at - 1];
      index[at] = index[at - 1];
    }
    squared[at] = d;
    index[at] = i;
  }
};

// A Gauss-Newton step towards x with damping; parameters that stand at a bound and would be pushed
// out of the cube keep still.
Vec3d damped_step(const SolidSample& sample, const Vec3d& uvw, const Vec3d& x, double damping) {
  const Mat3d& J = sample.jacobian;
  Mat3d H = transpose(J) * J;
  Vec3d g = transpose(J) * (sample.position - x);
  const double ridge = damping * trace(H) / 3 + std::numeric_limits<double>::min();
  for (std::size_t a = 0; a < 3; ++a) {
    H(a, a) += ridge;
    const bool held = (uvw[a] <= 0 && g[a] > 0) || (uvw[a] >= 1 && g[a] < 0);
    if (!held) continue;
    for (std::size_t b = 0; b < 3; ++b) H(a, b) = H(b, a) = 0;
    H(a, a) = 1;
    g[a] = 0;
  }
  const double det = determinant(H);
  return det > 0 ? inverse(H) * -g : Vec3d{};
}

Vec3d clamp_to_cube(Vec3d uvw) {
  for (std::size_t a = 0; a < 3; ++a) uvw[a] = std::clamp(uvw[a], 0.0, 1.0);
  return uvw;
}

SolidPoint descend(const BsplineSolid& solid, Vec3d uvw, const Vec3d& x, double size) {
  SolidSample sample = evaluate_with_jacobian(solid, uvw);
  double distance = norm(sample.position - x);
  double damping = kFirstDamping;
  for (int i = 0; i < kMaxIterations && distance > kRounding * size; ++i) {
    const Vec3d next = clamp_to_cube(uvw + damped_step(sample, uvw, x, damping));
    const SolidSample tried = evaluate_with_jacobian(solid, next);
    const double new_distance = norm(tried.position - x);
    const bool better = new_distance < distance;
    const double step = norm(next - uvw);
    if (better) {
      uvw = next, sample = tried, distance = new_distance;
      damping *= 0.02;
    } else {
      damping = std::max(damping * 30, kFirstDamping);
    }
    if (step < 1e-15 || damping > kMostDamping) break;
  }
  return {uvw, distance};
}

}  // namespace

struct SolidInverse::Samples {
  BsplineSolid solid;
  double size;                      // m
  std::vector<Vec3d> points, uvws;  // (num_samples) in the order of the tree
  // A balanced k-d tree without pointers: the middle of a range splits it along its axis.
  std::vector<std::uint8_t> axes;

  explicit Samples(BsplineSolid given) : solid(std::move(given)) {
    const mesh::Bounds box = mesh::compute_bounds(solid.control_points);
    size = norm(box.high - box.low);
    std::array<std::vector<double>, 3> t;
    for (std::size_t a = 0; a < 3; ++a) t[a] = sample_parameters(solid.knots[a]);
    for (const double w : t[2])
      for (const double v : t[1])
        for (const double u : t[0]) uvws.push_back({u, v, w});
    for (const Vec3d& uvw : uvws) points.push_back(evaluate(solid, uvw));
    std::vector<std::uint32_t> order(points.size());
    std::iota(order.begin(), order.end(), 0U);
    axes.resize(points.size());
    split(order, 0, points.size());
    permute(order);
  }

  void split(std::vector<std::uint32_t>& order, std::size_t begin, std::size_t end) {
    if (end - begin < 2) return;
    Vec3d low = points[order[begin]];
    Vec3d high = low;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t a = 0; a < 3; ++a) {
        low[a] = std::min(low[a], points[order[i]][a]);
        high[a] = std::max(high[a], points[order[i]][a]);
      }
    }
    const Vec3d extent = high - low;
    const std::size_t axis =
        extent.x >= extent.y && extent.x >= extent.z ? 0 : (extent.y >= extent.z ? 1 : 2);
    const std::size_t middle = begin + (end - begin) / 2;
    const auto at = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
      return points[a][axis] != points[b][axis] ? points[a][axis] < points[b][axis] : a < b;
    });
    axes[middle] = static_cast<std::uint8_t>(axis);
    split(order, begin, middle);
    split(order, middle + 1, end);
  }

  void permute(const std::vector<std::uint32_t>& order) {
    std::vector<Vec3d> new_points, new_uvws;
    for (const std::uint32_t i : order) {
      new_points.push_back(points[i]);
      new_uvws.push_back(uvws[i]);
    }
    points.swap(new_points);
    uvws.swap(new_uvws);
  }

  void search(const Vec3d& x, std::size_t begin, std::size_t end, Nearest& nearest) const {
    if (begin == end) return;
    const std::size_t middle = begin + (end - begin) / 2;
    const Vec3d d = x - points[middle];
    nearest.offer(dot(d, d), static_cast<std::uint32_t>(middle));
    const double side = d[axes[middle]];
    const bool low_first = side < 0;
    search(x, low_first ? begin : middle + 1, low_first ? middle : end, nearest);
    if (side * side < nearest.squared.back()) {
      search(x, low_first ? middle + 1 : begin, low_first ? end : middle, nearest);
    }
  }
};

SolidInverse::SolidInverse(BsplineSolid solid) {
  check_bspline_solid(solid);
  samples_ = std::make_unique<const Samples>(std::move(solid));
}
SolidInverse::~SolidInverse() = default;
SolidInverse::SolidInverse(SolidInverse&&) noexcept = default;
SolidInverse& SolidInverse::operator=(SolidInverse&&) noexcept = default;

const BsplineSolid& SolidInverse::solid() const {
  return samples_->solid;
}

double SolidInverse::size() const {
  return samples_->size;
}

SolidPoint SolidInverse::find(const Vec3d& x) const {
  Nearest nearest;
  samples_->search(x, 0, samples_->points.size(), nearest);
  SolidPoint best{{}, std::numeric_limits<double>::infinity()};
  const std::size_t starts = std::min(kStarts, samples_->points.size());
  for (std::size_t i = 0; i < starts && !(best.distance < kGoodEnough * samples_->size); ++i) {
    const SolidPoint found =
        descend(samples_->solid, samples_->uvws[nearest.index[i]], x, samples_->size);
    if (i == 0 || found.distance < best.distance) best = found;
  }
  return best;
}

Vec3d SolidInverse::fiber_direction(const Vec3d& x) const {
  const Vec3d along = evaluate_with_jacobian(samples_->solid, find(x).uvw).jacobian.col(2);
  const double length = norm(along);
  return length > kRounding * samples_->size ? along / length : Vec3d{};
}

}  // namespace sinew::anatomy
