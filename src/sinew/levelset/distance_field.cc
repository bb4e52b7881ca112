#include "sinew/levelset/distance_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
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

// Fast marching (Sethian 1996) of the size of the distance; the sign of `field` is kept and only
// voxels of the same sign see each other.
class Front {
 public:
  Front(Field& field, std::vector<std::uint8_t> done, double bound)
      : field_(field),
        strides_(field.grid),
        h_(static_cast<float>(spacing_of(field.grid))),
        bound_(static_cast<float>(bound)),
        done_(std::move(done)) {}

  void run() {
    for (std::size_t n = 0; n < field_.voxels.size(); ++n) {
      if (done_[n] == 0) field_.voxels[n] = field_.voxels[n] < 0 ? -kFar : kFar;
    }
    for (std::size_t n = 0; n < field_.voxels.size(); ++n) {
      if (done_[n] == 0 && has_done_neighbour(n)) update(n);
    }
    while (!heap_.empty()) {
      const auto [distance, n] = heap_.top();
      heap_.pop();
      if (done_[n] != 0) continue;
      done_[n] = 1;
      visit_neighbours(n, [&](std::size_t m, std::size_t) {
        if (done_[m] == 0) update(m);
      });
    }
    for (float& v : field_.voxels) {
      if (v > bound_) v = bound_;
      if (v == -kFar) v = -h_;  // no surface in sight: a lone voxel
    }
  }

 private:
  using Entry = std::pair<float, std::uint32_t>;  // ties go to the lower voxel: always one order

  template <class Visit>
  void visit_neighbours(std::size_t n, const Visit& visit) const {
    const Index at = volume::index_at(field_.grid, n);
    const bool inside = field_.voxels[n] < 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const auto step = static_cast<std::size_t>(strides_.step[a]);
      if (at[a] > 0 && (field_.voxels[n - step] < 0) == inside) visit(n - step, a);
      if (at[a] + 1 < strides_.size[a] && (field_.voxels[n + step] < 0) == inside) {
        visit(n + step, a);
      }
    }
  }

  bool has_done_neighbour(std::size_t n) const {
    bool found = false;
    visit_neighbours(n, [&](std::size_t m, std::size_t) { found = found || done_[m] != 0; });
    return found;
  }

  // A one-sided difference w (u - from) of the distance u along an axis.
  struct Slope {
    float from = kFar, w = 0;
  };

  // Of second order where two done neighbours in a row fall towards the surface (Sethian 1999).
  Slope slope_along(std::size_t n, std::size_t m) const {
    const float u1 = std::abs(field_.voxels[m]);
    const std::size_t m2 = 2 * m - n;  // one voxel further; beyond an end it is no neighbour of m
    bool second = false;
    visit_neighbours(m, [&](std::size_t at, std::size_t) { second = second || at == m2; });
    if (!second || done_[m2] == 0) return {u1, 1 / h_};
    const float u2 = std::abs(field_.voxels[m2]);
    if (u2 > u1) return {u1, 1 / h_};
    return {(4 * u1 - u2) / 3, 1.5F / h_};
  }

  // Solves the upwind |grad u| = 1, sum of w^2 (u - from)^2 = 1 over the axes that count.
  void update(std::size_t n) {
    std::array<Slope, 3> slopes;
    std::array<float, 3> nearest{kFar, kFar, kFar};
    visit_neighbours(n, [&](std::size_t m, std::size_t a) {
      const float u = std::abs(field_.voxels[m]);
      if (done_[m] == 0 || u >= nearest[a]) return;
      nearest[a] = u;
      slopes[a] = slope_along(n, m);
    });
    std::sort(slopes.begin(), slopes.end(),
              [](const Slope& a, const Slope& b) { return a.from < b.from; });
    float best = slopes[0].from + 1 / slopes[0].w;
    float a = slopes[0].w * slopes[0].w, b = 0, c = -1;  // about slopes[0].from, for its digits
    for (std::size_t d = 1; d < 3 && slopes[d].from < best; ++d) {
      const float ww = slopes[d].w * slopes[d].w, shift = slopes[d].from - slopes[0].from;
      a += ww, b += ww * shift, c += ww * shift * shift;
      const float root = b * b - a * c;
      if (root < 0) break;
      best = slopes[0].from + (b + std::sqrt(root)) / a;
    }
    best = std::max(best, *std::min_element(nearest.begin(), nearest.end()));
    const bool inside = field_.voxels[n] < 0;
    if ((!inside && best > bound_) || best >= std::abs(field_.voxels[n])) return;
    field_.voxels[n] = inside ? -best : best;
    heap_.emplace(best, static_cast<std::uint32_t>(n));
  }

  Field& field_;
  Strides strides_;
  float h_, bound_;
  std::vector<std::uint8_t> done_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap_;
};

// Marks the voxels of all cells that the surface crosses.
std::vector<std::uint8_t> find_crossed(const Field& field) {
  const Strides s(field.grid);
  std::vector<std::uint8_t> crossed(field.voxels.size(), 0);
  std::array<std::ptrdiff_t, 8> corners{};
  for (std::size_t c = 0; c < 8; ++c) {
    corners[c] = (c & 1 ? s.step[0] : 0) + (c & 2 ? s.step[1] : 0) + (c & 4 ? s.step[2] : 0);
  }
  for (std::ptrdiff_t k = 0; k + 1 < s.size[2]; ++k) {
    for (std::ptrdiff_t j = 0; j + 1 < s.size[1]; ++j) {
      const std::ptrdiff_t row = j * s.step[1] + k * s.step[2];
      for (std::ptrdiff_t n = row; n + 1 < row + s.size[0]; ++n) {
        int inside = 0;
        for (const std::ptrdiff_t c : corners) {
          inside += field.voxels[static_cast<std::size_t>(n + c)] < 0 ? 1 : 0;
        }
        if (inside == 0 || inside == 8) continue;
        for (const std::ptrdiff_t c : corners) crossed[static_cast<std::size_t>(n + c)] = 1;
      }
    }
  }
  return crossed;
}

double filled_part(const std::array<double, 8>& v) {
  // Six tetrahedra around the diagonal 0-7 (Kuhn): one for each order of the three axes.
  static constexpr std::array<std::array<std::size_t, 2>, 6> kMiddle{
      {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}}};
  double sum = 0;
  for (const auto& [a, b] : kMiddle) sum += mesh::fill_fraction({v[0], v[a], v[b], v[7]});
  return sum / 6;
}

}  // namespace

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
  Front(field, find_crossed(field), bound).run();
}

void extend_outside(Field& field, double known, double bound) {
  std::vector<std::uint8_t> done(field.voxels.size());
  // A hair less than the bound that stands where distances are not known.
  const auto limit = static_cast<float>(known * (1 - 1e-6));
  for (std::size_t n = 0; n < done.size(); ++n) done[n] = field.voxels[n] < limit ? 1 : 0;
  Front(field, std::move(done), bound).run();
}

void extend_inside(Field& field, double known) {
  std::vector<std::uint8_t> done(field.voxels.size());
  const auto limit = static_cast<float>(-known * (1 - 1e-6));
  for (std::size_t n = 0; n < done.size(); ++n) done[n] = field.voxels[n] > limit ? 1 : 0;
  Front(field, std::move(done), kFar).run();
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
  const Strides s(field.grid);
  const double h = spacing_of(field.grid);
  // Distances change by no more than a cell's diagonal within it, smoothed ones by little more.
  const auto far = static_cast<float>(3 * h);
  double cells = 0;
  for (std::ptrdiff_t k = 0; k + 1 < s.size[2]; ++k) {
    for (std::ptrdiff_t j = 0; j + 1 < s.size[1]; ++j) {
      const std::ptrdiff_t row = j * s.step[1] + k * s.step[2];
      for (std::ptrdiff_t n = row; n + 1 < row + s.size[0]; ++n) {
        const float first = field.voxels[static_cast<std::size_t>(n)];
        if (std::abs(first) > far) {
          cells += first < 0 ? 1.0 : 0.0;
          continue;
        }
        std::array<double, 8> v{};
        int inside = 0;
        for (std::size_t c = 0; c < 8; ++c) {
          const std::ptrdiff_t at =
              n + (c & 1 ? s.step[0] : 0) + (c & 2 ? s.step[1] : 0) + (c & 4 ? s.step[2] : 0);
          v[c] = field.voxels[static_cast<std::size_t>(at)];
          inside += v[c] < 0 ? 1 : 0;
        }
        if (inside != 0) cells += inside == 8 ? 1.0 : filled_part(v);
      }
    }
  }
  return cells * h * h * h;
}

}  // namespace sinew::levelset
