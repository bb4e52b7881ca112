#include "sinew/volume/label_kernel.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace sinew::volume {
namespace {

// By the number of axes along which a neighbour lies. A logistic regression on segmented limbs of
// several spacings with noise at their boundaries comes to these.
constexpr std::array<double, 4> kByAxes = {0.0, 1.0, 0.16, 0.09};
constexpr std::int32_t kCenter = 13;

std::array<std::int32_t, 3> step_to(std::int32_t n) {
  return {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
}

LabelKernel make_kernel(const std::array<double, 3>& along) {
  LabelKernel kernel{};
  for (std::int32_t n = 0; n < 27; ++n) {
    const std::array<std::int32_t, 3> step = step_to(n);
    std::size_t axes = 0;
    double weight = kFaceWeight;
    for (std::size_t a = 0; a < 3; ++a) {
      if (step[a] == 0) continue;
      ++axes;
      weight *= along[a];
    }
    kernel[static_cast<std::size_t>(n)] =
        static_cast<std::int32_t>(std::lround(kByAxes[axes] * weight));
  }
  return kernel;
}

// Pairs of neighbours along each axis with different labels; at least 1.
std::array<double, 3> count_changes(const LabelVolume& labels) {
  const Index& size = labels.grid.size;
  std::array<std::size_t, 3> changes = {1, 1, 1};
  std::size_t at = 0;
  for (std::int32_t k = 0; k < size[2]; ++k) {
    for (std::int32_t j = 0; j < size[1]; ++j) {
      for (std::int32_t i = 0; i < size[0]; ++i, ++at) {
        const Index index = {i, j, k};
        std::size_t stride = 1;
        for (std::size_t a = 0; a < 3; ++a) {
          if (index[a] > 0 && labels.voxels[at - stride] != labels.voxels[at]) ++changes[a];
          stride *= static_cast<std::size_t>(size[a]);
        }
      }
    }
  }
  return {static_cast<double>(changes[0]), static_cast<double>(changes[1]),
          static_cast<double>(changes[2])};
}

struct Tally {
  std::uint16_t label;
  std::int32_t faces, rest;
  std::int32_t all() const { return faces + rest; }
};

}  // namespace

LabelKernel make_even_kernel() {
  return make_kernel({1, 1, 1});
}

LabelKernel make_fitted_kernel(const LabelVolume& labels) {
  const auto [x, y, z] = count_changes(labels);
  // Reciprocals of the changes with mean 1, as products of whole numbers: in any order of the axes
  // the same to the last bit.
  const double sum = x * y + y * z + z * x;
  return make_kernel({3 * (y * z) / sum, 3 * (z * x) / sum, 3 * (x * y) / sum});
}

Vote count_votes(const LabelVolume& labels, const LabelKernel& kernel, const Index& center) {
  std::array<Tally, 27> seen{};
  std::size_t kinds = 0;
  for (std::int32_t n = 0; n < 27; ++n) {
    if (n == kCenter) continue;
    const std::array<std::int32_t, 3> step = step_to(n);
    Index at{};
    for (std::size_t a = 0; a < 3; ++a) {
      at[a] = std::clamp(center[a] + step[a], 0, labels.grid.size[a] - 1);
    }
    const std::uint16_t label = labels.voxels[offset_of(labels.grid, at)];
    if (label == kUnknownLabel) continue;
    std::size_t kind = 0;
    while (kind < kinds && seen[kind].label != label) ++kind;
    if (kind == kinds) seen[kinds++] = {label, 0, 0};
    const bool face = step[0] * step[0] + step[1] * step[1] + step[2] * step[2] == 1;
    (face ? seen[kind].faces : seen[kind].rest) += kernel[static_cast<std::size_t>(n)];
  }
  Vote vote;
  const std::uint16_t own = labels.voxels[offset_of(labels.grid, center)];
  for (const Tally& tally : std::span(seen).first(kinds)) {
    if (tally.label == own) {
      vote.own_faces = tally.faces;
      vote.own_rest = tally.rest;
      continue;
    }
    const std::int32_t most = vote.faces + vote.rest;
    if (tally.all() < most || (tally.all() == most && tally.label > vote.best)) continue;
    vote.best = tally.label;
    vote.faces = tally.faces;
    vote.rest = tally.rest;
  }
  return vote;
}

}  // namespace sinew::volume
