#include "sinew/levelset/local_thickness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "sinew/levelset/distance_field.h"

namespace sinew::levelset {
namespace {

using volume::Field;
using volume::Index;

template <class Visit>
void visit_around(const volume::Grid& grid, const Index& at, const Visit& visit) {
  for (std::int32_t k = std::max(at[2] - 1, 0); k <= std::min(at[2] + 1, grid.size[2] - 1); ++k) {
    for (std::int32_t j = std::max(at[1] - 1, 0); j <= std::min(at[1] + 1, grid.size[1] - 1); ++j) {
      for (std::int32_t i = std::max(at[0] - 1, 0); i <= std::min(at[0] + 1, grid.size[0] - 1);
           ++i) {
        visit(volume::offset_of(grid, {i, j, k}));
      }
    }
  }
}

// The 27 voxels around one that is not at the rim, itself included.
struct Around {
  explicit Around(const volume::Grid& grid) {
    for (int c = 0; c < 27; ++c) {
      const int i = c % 3 - 1, j = c / 3 % 3 - 1, k = c / 9 - 1;
      step[static_cast<std::size_t>(c)] =
          i + static_cast<std::ptrdiff_t>(grid.size[0]) *
                  (j + static_cast<std::ptrdiff_t>(grid.size[1]) * k);
      length[static_cast<std::size_t>(c)] = std::sqrt(static_cast<double>(i * i + j * j + k * k));
    }
  }
  std::array<std::ptrdiff_t, 27> step;
  std::array<double, 27> length;  // voxels
};

// Balls that (nearly) lie in a neighbour's need not be drawn. Depth grows by the length of a step
// along its gradient, and the nearest of 26 directions is at most 27 degrees off: a factor 0.89.
bool is_on_ridge(const float* at, const Around& around, double h) {
  constexpr double kSlack = 0.85;
  const double depth = -*at;
  for (std::size_t c = 0; c < 27; ++c) {
    if (around.length[c] > 0 && -at[around.step[c]] >= depth + kSlack * (h * around.length[c])) {
      return false;
    }
  }
  return true;
}

// Raises `thickness` to `radius` in a ball, half a voxel wider so that voxels at the rim count.
void draw_ball(const Index& at, double radius, double h, Field& thickness) {
  const double reach = radius / h + 0.5;
  const auto& grid = thickness.grid;
  const auto r = static_cast<std::int32_t>(reach);
  for (std::int32_t k = std::max(at[2] - r, 0); k <= std::min(at[2] + r, grid.size[2] - 1); ++k) {
    for (std::int32_t j = std::max(at[1] - r, 0); j <= std::min(at[1] + r, grid.size[1] - 1); ++j) {
      const double rest = reach * reach - (k - at[2]) * (k - at[2]) - (j - at[1]) * (j - at[1]);
      if (rest < 0) continue;
      const auto w = static_cast<std::int32_t>(std::sqrt(rest));
      const std::size_t row = volume::offset_of(grid, {0, j, k});
      const auto low = static_cast<std::size_t>(std::max(at[0] - w, 0));
      const auto high = static_cast<std::size_t>(std::min(at[0] + w, grid.size[0] - 1));
      const auto value = static_cast<float>(radius);
      for (std::size_t n = row + low; n <= row + high; ++n) {
        thickness.voxels[n] = std::max(thickness.voxels[n], value);
      }
    }
  }
}

// Means over the neighbours inside, twice: balls leave steps that a border would follow.
void soften(const Field& distances, const Around& around, Field& thickness) {
  for (int pass = 0; pass < 2; ++pass) {
    const std::vector<float> old = thickness.voxels;
    for (std::size_t n = 0; n < old.size(); ++n) {
      if (distances.voxels[n] >= 0) continue;
      double sum = 0;
      int count = 0;
      for (const std::ptrdiff_t step : around.step) {
        if (distances.voxels[n + static_cast<std::size_t>(step)] >= 0) continue;
        sum += old[n + static_cast<std::size_t>(step)];
        ++count;
      }
      thickness.voxels[n] = static_cast<float>(sum / count);
    }
  }
}

void continue_outside(const Field& distances, double h, Field& thickness) {
  for (std::size_t n = 0; n < distances.voxels.size(); ++n) {
    if (distances.voxels[n] >= 0) thickness.voxels[n] = 0;
  }
  for (int layer = 0; layer < 2; ++layer) {
    const std::vector<float> old = thickness.voxels;
    for (std::size_t n = 0; n < old.size(); ++n) {
      if (old[n] > 0 || distances.voxels[n] > 3 * h) continue;
      visit_around(thickness.grid, volume::index_at(thickness.grid, n), [&](std::size_t m) {
        thickness.voxels[n] = std::max(thickness.voxels[n], old[m]);
      });
    }
  }
  for (float& t : thickness.voxels) t = std::max(t, static_cast<float>(0.5 * h));
}

}  // namespace

Field compute_local_thickness(const Field& distances) {
  const double h = spacing_of(distances.grid);
  const Around around(distances.grid);
  Field thickness{distances.grid, std::vector<float>(distances.voxels.size(), 0.0F)};
  for (std::size_t n = 0; n < distances.voxels.size(); ++n) {
    if (distances.voxels[n] >= 0) continue;
    if (!is_on_ridge(&distances.voxels[n], around, h)) continue;
    draw_ball(volume::index_at(distances.grid, n), -distances.voxels[n], h, thickness);
  }
  soften(distances, around, thickness);
  continue_outside(distances, h, thickness);
  return thickness;
}

}  // namespace sinew::levelset
