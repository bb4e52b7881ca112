#include "sinew/eulerian/occupancy.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"

namespace sinew::eulerian {
namespace {

constexpr std::size_t kGrain = 64;
constexpr double kLeastFill = 1e-6;

// Samples of a cut cell in one direction, as fractions of the cell.
constexpr std::array<double, 4> kSample{0.125, 0.375, 0.625, 0.875};

enum class Kind : std::uint8_t { kEmpty, kCut, kFull };

Kind classify(const Block& block, std::size_t n) {
  double low = 1e300, high = -1e300;
  for (const std::size_t offset : block.corner) {
    if (block.known[n + offset] == 0) return Kind::kEmpty;
    low = std::min(low, block.phi[n + offset]);
    high = std::max(high, block.phi[n + offset]);
  }
  // The material's length along a cell's edge: distances are measured in the rest shape.
  const Vec3d across = block.X[n + block.corner[7]] - block.X[n];
  const double edge = std::max(norm(across) / std::sqrt(3.0), high - low);
  if (low > 0.6 * edge) return Kind::kEmpty;
  return high < -0.3 * edge ? Kind::kFull : Kind::kCut;
}

using Samples = std::array<double, 64>;

// Trilinear values at the 64 samples, one direction after the other.
void spread(const std::array<double, 8>& c, Samples& out) {
  std::array<double, 16> lines{};  // 4 along x of each of 4 edges
  for (std::size_t e = 0; e < 4; ++e) {
    for (std::size_t i = 0; i < 4; ++i) {
      lines[4 * e + i] = c[2 * e] + kSample[i] * (c[2 * e + 1] - c[2 * e]);
    }
  }
  std::array<double, 32> faces{};  // 4 x 4 of each of 2 faces
  for (std::size_t f = 0; f < 2; ++f) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t i = 0; i < 4; ++i) {
        const double a = lines[8 * f + i], b = lines[8 * f + 4 + i];
        faces[16 * f + 4 * j + i] = a + kSample[j] * (b - a);
      }
    }
  }
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t ij = 0; ij < 16; ++ij) {
      out[16 * k + ij] = faces[ij] + kSample[k] * (faces[16 + ij] - faces[ij]);
    }
  }
}

std::array<double, 8> fetch(const Block& block, std::span<const double> field, std::size_t n) {
  std::array<double, 8> p{};
  for (std::size_t c = 0; c < 8; ++c) p[c] = field[n + block.corner[c]];
  return p;
}

// |grad phi|_1 times the cell's edge, from the corners.
double slope(const std::array<double, 8>& p) {
  const double x = p[1] - p[0] + p[3] - p[2] + p[5] - p[4] + p[7] - p[6];
  const double y = p[2] - p[0] + p[3] - p[1] + p[6] - p[4] + p[7] - p[5];
  const double z = p[4] - p[0] + p[5] - p[1] + p[6] - p[2] + p[7] - p[3];
  return (std::abs(x) + std::abs(y) + std::abs(z)) / 4;
}

// Gathers 64 weighted samples into a point an octant; returns the fill.
double gather(const Samples& weight, CellPoints& points) {
  std::array<double, kPoints> w{}, x{}, y{}, z{};
  for (std::size_t s = 0; s < 64; ++s) {
    const std::size_t i = s % 4, j = s / 4 % 4, k = s / 16;
    const std::size_t octant = (i / 2) + 2 * (j / 2) + 4 * (k / 2);
    w[octant] += weight[s];
    x[octant] += weight[s] * kSample[i];
    y[octant] += weight[s] * kSample[j];
    z[octant] += weight[s] * kSample[k];
  }
  double fill = 0;
  for (std::size_t o = 0; o < kPoints; ++o) {
    const double inverse = w[o] > 0 ? 1 / w[o] : 0;
    points.weight[o] = w[o] / 64;
    points.x[o] = w[o] > 0 ? x[o] * inverse : 0.5;
    points.y[o] = w[o] > 0 ? y[o] * inverse : 0.5;
    points.z[o] = w[o] > 0 ? z[o] * inverse : 0.5;
    fill += points.weight[o];
  }
  return fill;
}

void sample_cell(const RestField& rest, const Block& block, std::size_t n, Samples& weight) {
  std::array<Samples, 3> X;
  for (std::size_t a = 0; a < 3; ++a) spread(fetch(block, block.X.c[a], n), X[a]);
  const double width = std::max(slope(fetch(block, block.phi, n)), 0.3 * block.grid.spacing) / 4;
  const double inverse = 1 / width;
  for (std::size_t s = 0; s < 64; ++s) {
    const double phi = sample(rest, {X[0][s], X[1][s], X[2][s]});
    weight[s] = std::clamp(0.5 - phi * inverse, 0.0, 1.0);
  }
}

// Weights without what is within attachments, by the same ramp.
void leave_out(const std::array<double, 8>& depth, double h, Samples& weight) {
  Samples d;
  spread(depth, d);
  const double inverse = 4 / std::max(slope(depth), 0.3 * h);
  for (std::size_t s = 0; s < 64; ++s) weight[s] *= std::clamp(0.5 + d[s] * inverse, 0.0, 1.0);
}

}  // namespace

const CellPoints& full_cell_points() {
  static const CellPoints points = [] {
    CellPoints p;
    for (std::size_t o = 0; o < kPoints; ++o) {
      p.weight[o] = 0.125;
      p.x[o] = (o & 1) != 0 ? 0.75 : 0.25;
      p.y[o] = (o & 2) != 0 ? 0.75 : 0.25;
      p.z[o] = (o & 4) != 0 ? 0.75 : 0.25;
    }
    return p;
  }();
  return points;
}

void compute_distances(const RestField& rest, Block& block) {
  parallel_for(block.band.size(), 512, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t n = block.band[i];
      block.phi[n] = sample(rest, block.X[n]);
    }
  });
}

void find_cells(const RestField& rest, const Block& block, Cells& cells) {
  std::vector<std::uint32_t> cut;
  std::vector<Kind> kinds(block.band.size());
  parallel_for(block.band.size(), 512, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) kinds[i] = classify(block, block.band[i]);
  });
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] == Kind::kCut) cut.push_back(block.band[i]);
  }
  cells.points.resize(cut.size());
  std::vector<double> fill(cut.size());
  parallel_for(cut.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Samples weight;
      sample_cell(rest, block, cut[i], weight);
      fill[i] = gather(weight, cells.points[i]);
    }
  });
  cells.node.clear();
  cells.fill.clear();
  cells.cut.clear();
  cells.at.assign(block.size(), -1);
  std::size_t next = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] == Kind::kEmpty) continue;
    const bool is_cut = kinds[i] == Kind::kCut;
    const std::size_t c = next;
    if (is_cut) ++next;
    if (is_cut && fill[c] < kLeastFill) continue;
    cells.at[block.band[i]] = static_cast<std::int32_t>(cells.node.size());
    cells.node.push_back(block.band[i]);
    cells.fill.push_back(is_cut ? fill[c] : 1.0);
    cells.cut.push_back(is_cut ? static_cast<std::int32_t>(c) : -1);
  }
  cells.soft.assign(cells.size(), -1);
  cells.soft_fill = cells.fill;
  cells.soft_points.clear();
  cells.tied.assign(cells.size(), 0);
}

void cut_attachments(const RestField& rest, const Block& block, std::span<const double> depth,
                     Cells& cells) {
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const std::array<double, 8> d = fetch(block, depth, cells.node[c]);
    if (*std::min_element(d.begin(), d.end()) >= 0) continue;
    cells.soft[c] = -2;
    cells.soft_fill[c] = 0;
    if (*std::max_element(d.begin(), d.end()) <= 0) continue;
    Samples weight;
    weight.fill(1);
    if (cells.cut[c] >= 0) sample_cell(rest, block, cells.node[c], weight);
    leave_out(d, block.grid.spacing, weight);
    CellPoints points;
    const double fill = gather(weight, points);
    if (fill < kLeastFill) continue;
    cells.soft[c] = static_cast<std::int32_t>(cells.soft_points.size());
    cells.soft_fill[c] = fill;
    cells.soft_points.push_back(points);
  }
}

}  // namespace sinew::eulerian
