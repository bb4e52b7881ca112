#include "sinew/levelset/distance_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/mesh/fill.h"

namespace sinew::levelset {
namespace {

using volume::Field;
using volume::Index;

constexpr float kFar = std::numeric_limits<float>::max();

// Steps through a field in memory.
struct Strides {
  explicit Strides(const volume::Grid& grid)
      : size{grid.size[0], grid.size[1], grid.size[2]},
        step{1, grid.size[0], static_cast<std::ptrdiff_t>(grid.size[0]) * grid.size[1]} {}
  std::array<std::ptrdiff_t, 3> size, step;
};

// Voxels by their distance, in buckets of a small part of a voxel: within one, first come, first
// served. Nearly the order of a heap without its cost (Yatziv, Bartesaghi and Sapiro 2006), and
// always the same one.
class BucketQueue {
 public:
  explicit BucketQueue(float h) : per_metre_(kBuckets / h) {}

  void push(float distance, std::uint32_t voxel) {
    const float wanted = std::min(distance * per_metre_, static_cast<float>(kMost));
    // What is less than the bucket at hand by rounding belongs to it.
    const std::size_t bucket = std::max(static_cast<std::size_t>(wanted), bucket_);
    if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
    buckets_[bucket].push_back(voxel);
  }

  // False where none is left.
  bool pop(std::uint32_t& voxel) {
    while (bucket_ < buckets_.size() && next_ == buckets_[bucket_].size()) {
      std::vector<std::uint32_t>().swap(buckets_[bucket_]);
      ++bucket_;
      next_ = 0;
    }
    if (bucket_ == buckets_.size()) return false;
    voxel = buckets_[bucket_][next_++];
    return true;
  }

 private:
  static constexpr float kBuckets = 16;          // a voxel
  static constexpr std::size_t kMost = 1 << 20;  // farther ones share the last
  float per_metre_;
  std::vector<std::vector<std::uint32_t>> buckets_;
  std::size_t bucket_ = 0, next_ = 0;
};

// Fast marching (Sethian 1996) of the size of the distance; the sign of `field` is kept and only
// voxels of the same sign see each other. Works on a copy with a voxel of wall around it, so that
// no step has to ask where it is.
class Front {
 public:
  // Distances stop at the bounds (m), outside and inside.
  Front(Field& field, const std::vector<std::uint8_t>& done, double bound, double inside_bound)
      : field_(field),
        h_(static_cast<float>(spacing_of(field.grid))),
        bounds_{static_cast<float>(bound), static_cast<float>(inside_bound)},
        queue_(h_) {
    const Strides s(field.grid);
    step_ = {1, static_cast<std::size_t>(s.size[0] + 2),
             static_cast<std::size_t>((s.size[0] + 2) * (s.size[1] + 2))};
    const std::size_t count = step_[2] * static_cast<std::size_t>(s.size[2] + 2);
    state_.assign(count, kWall);
    values_.resize(count, 0.0F);
    for_each_row([&](std::size_t from, std::size_t to, std::size_t length) {
      for (std::size_t i = 0; i < length; ++i) {
        const float v = field_.voxels[from + i];
        const bool known = done[from + i] != 0;
        state_[to + i] = static_cast<std::uint8_t>((v < 0 ? kInside : 0) | (known ? kDone : 0));
        values_[to + i] = known ? std::abs(v) : kFar;
      }
    });
  }

  void run() {
    for_each_row([&](std::size_t, std::size_t to, std::size_t length) {
      for (std::size_t n = to; n < to + length; ++n) {
        if ((state_[n] & kDone) != 0) update_around(n);
      }
    });
    for (std::uint32_t n = 0; queue_.pop(n);) {
      if ((state_[n] & kDone) != 0) continue;
      state_[n] |= kDone;
      update_around(n);
    }
    for_each_row([&](std::size_t from, std::size_t to, std::size_t length) {
      for (std::size_t i = 0; i < length; ++i) field_.voxels[from + i] = result_at(to + i);
    });
  }

 private:
  static constexpr std::uint8_t kInside = 1, kDone = 2, kWall = 4;

  // Calls visit(offset in the field, offset here, length).
  template <class Visit>
  void for_each_row(const Visit& visit) {
    const auto length = static_cast<std::size_t>(field_.grid.size[0]);
    const auto rows = static_cast<std::size_t>(field_.grid.size[1]);
    for (std::size_t from = 0; from < field_.voxels.size(); from += length) {
      const std::size_t row = from / length;
      visit(from, 1 + (row % rows + 1) * step_[1] + (row / rows + 1) * step_[2], length);
    }
  }

  float result_at(std::size_t n) const {
    const bool inside = (state_[n] & kInside) != 0;
    float v = values_[n];
    if (v > bounds_[inside ? 1 : 0]) v = bounds_[inside ? 1 : 0];
    if (v == kFar) v = h_;  // no surface in sight: a lone voxel
    return inside ? -v : v;
  }

  bool is_done(std::size_t m, std::size_t n) const {
    return state_[m] == ((state_[n] & kInside) | kDone);
  }

  void update_around(std::size_t n) {
    const std::uint8_t open = state_[n] & kInside;
    for (const std::size_t step : step_) {
      if (state_[n - step] == open) update(n - step);
      if (state_[n + step] == open) update(n + step);
    }
  }

  // A one-sided difference w (u - from) of the distance u along an axis.
  struct Slope {
    float from = kFar, w = 0;
  };

  // Of second order where two done neighbours in a row fall towards the surface (Sethian 1999).
  Slope slope_along(std::size_t n, std::size_t m) const {
    const float u1 = values_[m];
    const std::size_t m2 = 2 * m - n;  // one voxel further
    if (!is_done(m2, n)) return {u1, 1 / h_};
    const float u2 = values_[m2];
    if (u2 > u1) return {u1, 1 / h_};
    return {(4 * u1 - u2) / 3, 1.5F / h_};
  }

  // Solves the upwind |grad u| = 1, sum of w^2 (u - from)^2 = 1 over the axes that count.
  void update(std::size_t n) {
    std::array<Slope, 3> slopes;
    float nearest = kFar;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t low = n - step_[axis], high = n + step_[axis];
      const float below = is_done(low, n) ? values_[low] : kFar;
      const float above = is_done(high, n) ? values_[high] : kFar;
      const float u = std::min(below, above);
      if (u == kFar) continue;
      nearest = std::min(nearest, u);
      slopes[axis] = slope_along(n, below <= above ? low : high);
    }
    const float best = std::max(solve(slopes), nearest);
    if (best > bounds_[state_[n] & kInside] || best >= values_[n]) return;
    values_[n] = best;
    queue_.push(best, static_cast<std::uint32_t>(n));
  }

  static float solve(std::array<Slope, 3>& slopes) {
    for (const auto& [i, j] : {std::pair{0, 1}, {1, 2}, {0, 1}}) {
      if (slopes[j].from < slopes[i].from) std::swap(slopes[i], slopes[j]);
    }
    float best = slopes[0].from + 1 / slopes[0].w;
    float a = slopes[0].w * slopes[0].w, b = 0, c = -1;  // about slopes[0].from, for its digits
    for (std::size_t d = 1; d < 3 && slopes[d].from < best; ++d) {
      const float ww = slopes[d].w * slopes[d].w, shift = slopes[d].from - slopes[0].from;
      a += ww, b += ww * shift, c += ww * shift * shift;
      const float root = b * b - a * c;
      if (root < 0) break;
      best = slopes[0].from + (b + std::sqrt(root)) / a;
    }
    return best;
  }

  Field& field_;
  float h_;
  std::array<float, 2> bounds_;  // outside, inside
  std::array<std::size_t, 3> step_{};
  std::vector<std::uint8_t> state_;  // (num_voxels with the wall)
  std::vector<float> values_;        // (num_voxels with the wall) size of the distance
  BucketQueue queue_;
};

// Marks the voxels of all cells that the surface crosses.
std::vector<std::uint8_t> find_crossed(const Field& field) {
  const auto& size = field.grid.size;
  std::vector<std::uint8_t> inside(field.voxels.size());
  std::transform(field.voxels.begin(), field.voxels.end(), inside.begin(),
                 [](float v) { return v < 0 ? std::uint8_t{1} : std::uint8_t{0}; });
  std::vector<std::uint8_t> crossed(field.voxels.size(), 0);
  const std::array<std::size_t, 8> corners = cell_corners(field.grid);
  const auto length = static_cast<std::size_t>(size[0]);
  std::vector<std::uint8_t> sums(length);  // over the four rows of a row of cells
  for (std::int32_t k = 0; k + 1 < size[2]; ++k) {
    for (std::int32_t j = 0; j + 1 < size[1]; ++j) {
      const std::size_t row = volume::offset_of(field.grid, {0, j, k});
      const std::uint8_t* first = &inside[row];
      for (std::size_t i = 0; i < length; ++i) {
        sums[i] = static_cast<std::uint8_t>(first[i] + first[i + corners[2]] +
                                            first[i + corners[4]] + first[i + corners[6]]);
      }
      for (std::size_t i = 0; i + 1 < length; ++i) {
        const int count = sums[i] + sums[i + 1];
        if (count == 0 || count == 8) continue;
        for (const std::size_t c : corners) crossed[row + i + c] = 1;
      }
    }
  }
  return crossed;
}

}  // namespace

std::array<std::size_t, 8> cell_corners(const volume::Grid& grid) {
  const auto row = static_cast<std::size_t>(grid.size[0]);
  const std::size_t slice = row * static_cast<std::size_t>(grid.size[1]);
  return {0, 1, row, row + 1, slice, slice + 1, slice + row, slice + row + 1};
}

double filled_part(const std::array<double, 8>& v) {
  // Six tetrahedra around the diagonal 0-7 (Kuhn): one for each order of the three axes.
  static constexpr std::array<std::array<std::size_t, 2>, 6> kMiddle{
      {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}}};
  const auto inside = std::count_if(v.begin(), v.end(), [](double value) { return value < 0; });
  if (inside == 0 || inside == 8) return inside == 0 ? 0.0 : 1.0;
  double sum = 0;
  for (const auto& [a, b] : kMiddle) sum += mesh::fill_fraction({v[0], v[a], v[b], v[7]});
  return sum / 6;
}

double spacing_of(const volume::Grid& grid) {
  const double h = grid.axes(0, 0);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      SINEW_CHECK(std::abs(grid.axes(i, j) - (i == j ? h : 0.0)) <= 1e-9 * std::abs(h) && h > 0,
                  "voxels must be cubes along the world's axes");
    }
  }
  return h;
}

void redistance(Field& field, double bound) {
  Front(field, find_crossed(field), bound, kFar).run();
}

void redistance_band(Field& field, double bound) {
  Front(field, find_crossed(field), bound, bound).run();
}

void extend_outside(Field& field, double known, double bound) {
  std::vector<std::uint8_t> done(field.voxels.size());
  // A hair less than the bound that stands where distances are not known.
  const auto limit = static_cast<float>(known * (1 - 1e-6));
  for (std::size_t n = 0; n < done.size(); ++n) done[n] = field.voxels[n] < limit ? 1 : 0;
  Front(field, done, bound, kFar).run();
}

void extend_inside(Field& field, double known) {
  std::vector<std::uint8_t> done(field.voxels.size());
  const auto limit = static_cast<float>(-known * (1 - 1e-6));
  for (std::size_t n = 0; n < done.size(); ++n) done[n] = field.voxels[n] > limit ? 1 : 0;
  Front(field, done, kFar, kFar).run();
}

void normalize_near_surface(Field& field, double least) {
  const std::vector<std::uint8_t> crossed = find_crossed(field);
  const std::vector<float> old = field.voxels;
  const Strides s(field.grid);
  const double h = spacing_of(field.grid);
  for (std::size_t n = 0; n < crossed.size(); ++n) {
    if (crossed[n] == 0) continue;
    const Index at = volume::index_at(field.grid, n);
    double squares = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const auto step = static_cast<std::size_t>(s.step[a]);
      const std::size_t low = at[a] > 0 ? n - step : n;
      const std::size_t high = at[a] + 1 < s.size[a] ? n + step : n;
      const std::size_t steps = (high - low) / step;
      const double run = h * static_cast<double>(steps);
      const double slope = run > 0 ? (static_cast<double>(old[high]) - old[low]) / run : 0.0;
      squares += slope * slope;
    }
    field.voxels[n] = static_cast<float>(old[n] / std::max(std::sqrt(squares), least));
  }
}

double compute_volume(const Field& field) {
  const auto& size = field.grid.size;
  const double h = spacing_of(field.grid);
  const std::array<std::size_t, 8> corners = cell_corners(field.grid);
  // Distances change by no more than a cell's diagonal within it, smoothed ones by little more.
  const auto far = static_cast<float>(3 * h);
  double cells = 0;
  for (std::int32_t k = 0; k + 1 < size[2]; ++k) {
    for (std::int32_t j = 0; j + 1 < size[1]; ++j) {
      const std::size_t row = volume::offset_of(field.grid, {0, j, k});
      for (std::size_t n = row; n + 1 < row + static_cast<std::size_t>(size[0]); ++n) {
        const float first = field.voxels[n];
        if (std::abs(first) > far) {
          cells += first < 0 ? 1.0 : 0.0;
          continue;
        }
        std::array<double, 8> v{};
        for (std::size_t c = 0; c < 8; ++c) v[c] = field.voxels[n + corners[c]];
        cells += filled_part(v);
      }
    }
  }
  return cells * h * h * h;
}

}  // namespace sinew::levelset
