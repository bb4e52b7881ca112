#include "sinew/eulerian/contact_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/core/parallel.h"

namespace sinew::eulerian {
namespace {

constexpr double kReach = 0.3;       // cells: how near both surfaces must be
constexpr double kOpposed = 1.9;     // least |n_A - n_B|
constexpr double kFacing = 1.4;      // the same where rows cannot pull
constexpr double kLeastArea = 0.05;  // of a cell's face
constexpr double kRelaxation = 0.2;  // part of a gap that is closed in a step
constexpr double kExpulsion = 0.5;   // part of what is in an obstacle that leaves it in a step
constexpr double kSkin = 0.08;       // cells kept from obstacles: a row sees a cell's mean gap only
constexpr double kLeastCoverage = 0.5;  // of a sample's weights by nodes that move
constexpr std::size_t kGrain = 64;
constexpr std::array<double, 4> kSample{0.125, 0.375, 0.625, 0.875};

using Corners = std::array<double, 8>;

struct Slope {
  Vec3d direction;  // unit
  double length;
};

Slope find_slope(const Corners& p, double h) {
  const Vec3d g{p[1] - p[0] + p[3] - p[2] + p[5] - p[4] + p[7] - p[6],
                p[2] - p[0] + p[3] - p[1] + p[6] - p[4] + p[7] - p[5],
                p[4] - p[0] + p[5] - p[1] + p[6] - p[2] + p[7] - p[3]};
  const double length = norm(g) / (4 * h);
  return {length > 1e-6 ? g / (4 * h * length) : Vec3d{}, length};
}

Corners shape_functions(double x, double y, double z) {
  return {
      (1 - x) * (1 - y) * (1 - z), x * (1 - y) * (1 - z), (1 - x) * y * (1 - z), x * y * (1 - z),
      (1 - x) * (1 - y) * z,       x * (1 - y) * z,       (1 - x) * y * z,       x * y * z};
}

double interpolate_corners(const Corners& value, const Corners& N) {
  double sum = 0;
  for (std::size_t c = 0; c < 8; ++c) sum += value[c] * N[c];
  return sum;
}

// What a cell contributes: weights of its corners on the mid-surface.
struct Patch {
  std::uint32_t node = 0;    // lowest, in the first block
  std::ptrdiff_t shift = 0;  // of the same node in the partner's block
  Vec3d normal{};
  Corners weight{};          // m^2
  double area = 0, gap = 0;  // m^2, m^3 (gap integrated)
};

class Finder {
 public:
  explicit Finder(const ContactTask& task) : task_(task), h_(task.block.grid.spacing) {
    if (task.partner.block == nullptr) return;
    for (std::size_t a = 0; a < 3; ++a) {
      offset_[a] = task.block.place[a] - task.partner.block->place[a];
    }
  }

  bool find(std::uint32_t n, Patch& out) const {
    Corners a{}, b{};
    if (!first_distances(n, a) || !other_distances(n, out.shift, b)) return false;
    const double nearest = *std::min_element(a.begin(), a.end());
    const double other = *std::min_element(b.begin(), b.end());
    if (nearest > h_ || other > h_) return false;
    const Slope slope_a = find_slope(a, h_), slope_b = find_slope(b, h_);
    const Vec3d difference = slope_a.direction - slope_b.direction;
    const double opposed = norm(difference);
    if (opposed < (task_.inequality ? kFacing : kOpposed)) return false;
    for (std::size_t c = 0; c < 8; ++c) a[c] /= slope_a.length, b[c] /= slope_b.length;
    out.node = n;
    // A rigid one's own normal is the better one where the two are not parallel.
    out.normal = task_.inequality ? -slope_b.direction : difference / opposed;
    add_samples(a, b, {1 / slope_a.length, 1 / slope_b.length}, out);
    return out.area > kLeastArea * h_ * h_;
  }

 private:
  bool first_distances(std::size_t n, Corners& phi) const {
    for (std::size_t c = 0; c < 8; ++c) {
      const std::size_t m = n + task_.block.corner[c];
      if (task_.block.known[m] == 0) return false;
      phi[c] = task_.block.phi[m];
    }
    return true;
  }

  bool other_distances(std::size_t n, std::ptrdiff_t& shift, Corners& phi) const {
    const auto place = place_of(task_.block, n);
    if (task_.partner.block == nullptr) {
      for (std::size_t c = 0; c < 8; ++c) {
        phi[c] = task_.partner.distance(position_of(task_.block, n + task_.block.corner[c]));
        if (c == 0 && phi[0] > 3 * h_) return false;
      }
      return true;
    }
    const Block& other = *task_.partner.block;
    std::array<int, 3> p{};
    for (std::size_t a = 0; a < 3; ++a) {
      p[a] = place[a] + offset_[a];
      if (p[a] < 0 || p[a] + 1 >= other.grid.nodes[a]) return false;
    }
    const std::size_t m = static_cast<std::size_t>(p[0]) +
                          static_cast<std::size_t>(p[1]) * other.dy +
                          static_cast<std::size_t>(p[2]) * other.dz;
    for (std::size_t c = 0; c < 8; ++c) {
      if (other.known[m + other.corner[c]] == 0) return false;
      phi[c] = other.phi[m + other.corner[c]];
    }
    shift = static_cast<std::ptrdiff_t>(m) - static_cast<std::ptrdiff_t>(n);
    return true;
  }

  static Vec3d material_at(const Block& block, std::size_t n, const Corners& N) {
    Vec3d X{};
    for (std::size_t c = 0; c < 8; ++c) X += block.X[n + block.corner[c]] * N[c];
    return X;
  }

  double other_distance(const Patch& patch, const Corners& N, const Vec3d& x) const {
    if (task_.partner.block == nullptr) return task_.partner.distance(x);
    const auto m = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(patch.node) + patch.shift);
    return sample(*task_.partner.rest, material_at(*task_.partner.block, m, N));
  }

  // Surface integrals as volume integrals over 4^3 samples of a hat that is as wide as a sample.
  // Distances are those that occupancy sees, at the samples' own material.
  void add_samples(const Corners& a, const Corners& b, const std::array<double, 2>& scale,
                   Patch& out) const {
    Corners g{};
    for (std::size_t c = 0; c < 8; ++c) g[c] = a[c] - b[c];
    const Slope slope = find_slope(g, h_);
    const Vec3d d = slope.direction * slope.length;
    const double width = 0.25 * h_ * (std::abs(d.x) + std::abs(d.y) + std::abs(d.z));
    if (width <= 0) return;
    const double least = *std::min_element(g.begin(), g.end());
    const double most = *std::max_element(g.begin(), g.end());
    if (least > width || most < -width) return;
    const double volume = h_ * h_ * h_ / 64;
    const Vec3d low = position_of(task_.block, out.node);
    for (std::size_t s = 0; s < 64; ++s) {
      const std::size_t i = s % 4, j = s / 4 % 4, k = s / 16;
      const Corners N = shape_functions(kSample[i], kSample[j], kSample[k]);
      if (std::abs(interpolate_corners(g, N)) >= 2 * width) continue;
      const Vec3d X = material_at(task_.block, out.node, N);
      const Vec3d x = low + Vec3d{kSample[i], kSample[j], kSample[k]} * h_;
      const double phi_a = sample(task_.rest, X) * scale[0];
      const double phi_b = other_distance(out, N, x) * scale[1];
      const double value = std::abs(phi_a - phi_b);
      if (value >= width || 0.5 * (phi_a + phi_b) > kReach * h_) continue;
      if (task_.tagged && !task_.tagged(X)) continue;
      const double area = (1 - value / width) / width * slope.length * volume;
      for (std::size_t c = 0; c < 8; ++c) out.weight[c] += area * N[c];
      out.area += area;
      out.gap += area * (phi_a + phi_b);
    }
  }

  const ContactTask& task_;
  double h_;
  std::array<int, 3> offset_{};
};

// Weights of one body's corners, spread over those that move; false where too few do.
bool cover(const Unknowns& unknowns, std::size_t body, const Block& block, std::size_t node,
           double area, Corners& weight) {
  double covered = 0;
  for (std::size_t c = 0; c < 8; ++c) {
    if (unknowns.code[body][node + block.corner[c]] == kNoNode) weight[c] = 0;
    covered += weight[c];
  }
  if (covered < kLeastCoverage * area) return false;
  for (double& w : weight) w *= area / covered;
  return true;
}

class Assembler {
 public:
  Assembler(const ContactTask& task, const Unknowns& unknowns) : task_(task), unknowns_(unknowns) {}

  // False where too few nodes move.
  bool add(const Patch& patch, double pressure, RowPart& part) const {
    Sides sides{patch.weight, patch.weight};
    const Block* other = task_.partner.block;
    if (!cover(unknowns_, task_.body, task_.block, patch.node, patch.area, sides.first) ||
        (other != nullptr && !cover(unknowns_, task_.partner.body, *other, find_there(patch),
                                    patch.area, sides.second))) {
      return false;
    }
    const double given = add_entries(patch, sides, patch.normal, part);
    // What may be closed in this step: all of a free gap, a part of an overlap or of a kept gap.
    const double skin = task_.inequality ? kSkin * task_.block.grid.spacing * patch.area : 0;
    const double gap = patch.gap - skin;
    const double closed = !task_.inequality ? kRelaxation : gap > 0 ? 1 : kExpulsion;
    part.finish(closed / task_.dt * gap + given, 0, pressure * task_.dt);
    return true;
  }

  // Sliding along a direction, of a patch that has a row.
  void add_slide(const Patch& patch, const Vec3d& direction, RowPart& part) const {
    Sides sides{patch.weight, patch.weight};
    cover(unknowns_, task_.body, task_.block, patch.node, patch.area, sides.first);
    const double given = add_entries(patch, sides, direction, part);
    part.finish(given, 0, 0);
  }

 private:
  struct Sides {
    Corners first, second;  // weights of the bodies' corners, m^2
  };

  static std::size_t find_there(const Patch& patch) {
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(patch.node) + patch.shift);
  }

  // Returns what the rigid partner does.
  double add_entries(const Patch& patch, const Sides& sides, const Vec3d& direction,
                     RowPart& part) const {
    const Block* other = task_.partner.block;
    double given = 0;
    for (std::size_t c = 0; c < 8; ++c) {
      const std::size_t n = patch.node + task_.block.corner[c];
      part.add_entry(unknowns_, task_.body, n, direction * sides.first[c]);
      if (other != nullptr) {
        part.add_entry(unknowns_, task_.partner.body, find_there(patch) + other->corner[c],
                       direction * -sides.second[c]);
      } else if (task_.partner.velocity) {
        given +=
            dot(task_.partner.velocity(position_of(task_.block, n)), direction) * patch.weight[c];
      }
    }
    return given;
  }

  const ContactTask& task_;
  const Unknowns& unknowns_;
};

Vec3d center_of(const Block& block, const Patch& patch) {
  Vec3d sum{};
  for (std::size_t c = 0; c < 8; ++c) {
    sum += position_of(block, patch.node + block.corner[c]) * patch.weight[c];
  }
  return sum / patch.area;
}

double find_start(const ContactState& start, std::uint32_t cell) {
  const auto it = std::lower_bound(start.cells.begin(), start.cells.end(), cell);
  if (it == start.cells.end() || *it != cell) return 0;
  return start.pressures[static_cast<std::size_t>(it - start.cells.begin())];
}

void link_neighbours(const Grid& grid, const ContactTask& task, const ContactRows& rows,
                     std::vector<Link>& links) {
  const double face = task.block.grid.spacing * task.block.grid.spacing;
  const auto nx = static_cast<std::uint32_t>(grid.nodes[0]);
  const auto ny = static_cast<std::uint32_t>(grid.nodes[1]);
  for (std::size_t r = 0; r < rows.cells.size(); ++r) {
    for (const std::uint32_t offset : {1U, nx, nx * ny}) {
      const auto it =
          std::lower_bound(rows.cells.begin(), rows.cells.end(), rows.cells[r] + offset);
      if (it == rows.cells.end() || *it != rows.cells[r] + offset) continue;
      const auto s = static_cast<std::size_t>(it - rows.cells.begin());
      const double area = std::min({rows.area[r], rows.area[s], face});
      links.push_back({rows.begin + static_cast<std::uint32_t>(r),
                       rows.begin + static_cast<std::uint32_t>(s), task.smoothing * area / face});
    }
  }
}

}  // namespace

ContactRows add_contact_rows(const Grid& grid, const ContactTask& task, const Unknowns& unknowns,
                             const ContactState& start, Rows& rows, std::vector<Link>& links) {
  ContactRows out;
  out.body = task.body;
  out.begin = static_cast<std::uint32_t>(rows.size());
  const std::vector<std::uint32_t>& band = task.block.band;
  const std::size_t pieces = (band.size() + kGrain - 1) / kGrain;
  std::vector<std::vector<Patch>> found(pieces);
  const Finder finder(task);
  parallel_for(band.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (std::abs(task.block.phi[band[i]]) > 3 * task.block.grid.spacing) continue;
      Patch patch;
      if (finder.find(band[i], patch)) found[begin / kGrain].push_back(patch);
    }
  });
  std::vector<RowPart> part(1), slides(1);
  const Assembler assembler(task, unknowns);
  for (const std::vector<Patch>& piece : found) {
    for (const Patch& patch : piece) {
      const std::uint32_t cell = to_grid(grid, task.block, patch.node);
      if (!assembler.add(patch, find_start(start, cell), part[0])) continue;
      out.cells.push_back(cell);
      out.area.push_back(patch.area);
      out.gap.push_back(patch.gap / patch.area);
      out.center.push_back(center_of(task.block, patch));
      out.normal.push_back(patch.normal);
      if (task.friction <= 0) continue;
      const Vec3d tangent = any_perpendicular(patch.normal);
      assembler.add_slide(patch, tangent, slides[0]);
      assembler.add_slide(patch, cross(patch.normal, tangent), slides[0]);
      out.tangent.push_back(tangent);
    }
  }
  append(part, rows);
  out.friction = task.friction;
  out.slide_begin = static_cast<std::uint32_t>(rows.size());
  append(slides, rows);
  if (task.smoothing > 0) link_neighbours(grid, task, out, links);
  return out;
}

}  // namespace sinew::eulerian
