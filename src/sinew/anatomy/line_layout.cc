#include "sinew/anatomy/line_layout.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "sinew/core/parallel.h"

namespace sinew::anatomy {
namespace {

constexpr std::size_t kNeighbors = 8;  // of a line, that it is walked to
constexpr int kRounds = 200;           // of the power iteration
constexpr int kSweeps = 400;           // of the second coordinate

using Table = std::vector<double>;  // (count x count)

// Root mean square distance between points at equal parts of the lengths.
Table direct_distances(const std::vector<std::vector<Vec3d>>& lines) {
  const std::size_t count = lines.size();
  Table table(count * count);
  parallel_for(count, 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t a = begin; a < end; ++a) {
      for (std::size_t b = 0; b < count; ++b) {
        double sum = 0;
        for (std::size_t k = 0; k < lines[a].size(); ++k) {
          const Vec3d d = lines[a][k] - lines[b][k];
          sum += dot(d, d);
        }
        table[a * count + b] = std::sqrt(sum / static_cast<double>(lines[a].size()));
      }
    }
  });
  return table;
}

using Links = std::vector<std::vector<std::size_t>>;

// Each line's nearest ones, both ways, and what joins the pieces that this leaves: the shortest
// link from each piece to the first.
Links link_neighbors(const Table& direct, std::size_t count) {
  Links links(count);
  const auto link = [&](std::size_t a, std::size_t b) {
    links[a].push_back(b);
    links[b].push_back(a);
  };
  for (std::size_t a = 0; a < count; ++a) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t b = 0; b < count; ++b) {
      if (b != a) order.emplace_back(direct[a * count + b], b);
    }
    const std::size_t most = std::min(kNeighbors, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most),
                      order.end());
    for (std::size_t n = 0; n < most; ++n) link(a, order[n].second);
  }
  std::vector<std::uint8_t> seen(count);
  std::vector<std::size_t> open = {0};
  for (std::size_t joined = 0;;) {
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (seen[at] != 0) continue;
      seen[at] = 1;
      ++joined;
      open.insert(open.end(), links[at].begin(), links[at].end());
    }
    if (joined == count) return links;
    std::pair<std::size_t, std::size_t> best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) {
        if (seen[a] == 0 || seen[b] != 0 || direct[a * count + b] >= least) continue;
        least = direct[a * count + b];
        best = {a, b};
      }
    }
    link(best.first, best.second);
    open.push_back(best.second);
  }
}

// Shortest walks from one line to all (Dijkstra).
void walk_from(const Table& direct, const Links& links, std::size_t from, double* walked) {
  const std::size_t count = links.size();
  std::fill_n(walked, count, std::numeric_limits<double>::infinity());
  using Entry = std::pair<double, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  walked[from] = 0;
  open.emplace(0.0, from);
  while (!open.empty()) {
    const auto [so_far, at] = open.top();
    open.pop();
    if (so_far > walked[at]) continue;
    for (const std::size_t next : links[at]) {
      const double length = so_far + direct[at * count + next];
      if (!(length < walked[next])) continue;
      walked[next] = length;
      open.emplace(length, next);
    }
  }
}

// -1/2 of the squares with the means of rows and columns taken out: products of the places.
void center_squares(Table& table, std::size_t count) {
  Table mean(count);
  double all = 0;
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      table[a * count + b] *= table[a * count + b];
      mean[a] += table[a * count + b] / static_cast<double>(count);
    }
    all += mean[a] / static_cast<double>(count);
  }
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      table[a * count + b] = -(table[a * count + b] - mean[a] - mean[b] + all) / 2;
    }
  }
}

// The largest eigenvalue's vector, scaled by its root, by power iteration; its part is then taken
// out of the table.
Table take_axis(Table& table, std::size_t count) {
  Table axis(count);
  for (std::size_t a = 0; a < count; ++a)
    axis[a] = table[a * count] + 1e-9 * static_cast<double>(a);
  double value = 0;
  for (int round = 0; round < kRounds; ++round) {
    Table next(count);
    double size = 0;
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) next[a] += table[a * count + b] * axis[b];
      size += next[a] * next[a];
    }
    value = std::sqrt(size);
    if (!(value > 0)) return Table(count);
    for (std::size_t a = 0; a < count; ++a) axis[a] = next[a] / value;
  }
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) table[a * count + b] -= value * axis[a] * axis[b];
  }
  for (double& x : axis) x *= std::sqrt(value);
  return axis;
}

Vec3d tangent_at(const std::vector<Vec3d>& line, std::size_t k) {
  const Vec3d d = line[std::min(k + 1, line.size() - 1)] - line[k == 0 ? 0 : k - 1];
  return norm(d) > 0 ? normalized(d) : Vec3d{};
}

// Unit vector across the fibre along which u rises: the gradient, by least squares over the
// neighbours in the plane across the fibre.
Vec3d rise_of(const std::vector<std::vector<Vec3d>>& lines, const Links& links, const Table& u,
              std::size_t a, std::size_t k) {
  const Vec3d along = tangent_at(lines[a], k);
  if (dot(along, along) == 0) return {};
  const Vec3d e1 = any_perpendicular(along);
  const Vec3d e2 = cross(along, e1);
  double xx = 0;
  double xy = 0;
  double yy = 0;
  double xu = 0;
  double yu = 0;
  for (const std::size_t b : links[a]) {
    const Vec3d d = lines[b][k] - lines[a][k];
    const double x = dot(d, e1);
    const double y = dot(d, e2);
    xx += x * x, xy += x * y, yy += y * y;
    xu += x * (u[b] - u[a]), yu += y * (u[b] - u[a]);
  }
  const double ridge = 1e-3 * (xx + yy);  // neighbours in one row say nothing across it
  const double det = (xx + ridge) * (yy + ridge) - xy * xy;
  if (!(det > 0)) return {};
  const Vec3d rise = e1 * ((yy + ridge) * xu - xy * yu) + e2 * ((xx + ridge) * yu - xy * xu);
  return norm(rise) > 0 ? normalized(rise) : Vec3d{};
}

// Directions across fibre and u, (count x points): along x rise.
std::vector<Vec3d> make_normals(const std::vector<std::vector<Vec3d>>& lines, const Links& links,
                                const Table& u) {
  const std::size_t points = lines[0].size();
  std::vector<Vec3d> normals(lines.size() * points);
  parallel_for(lines.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t a = begin; a < end; ++a) {
      for (std::size_t k = 0; k < points; ++k) {
        normals[a * points + k] = cross(tangent_at(lines[a], k), rise_of(lines, links, u, a, k));
      }
    }
  });
  return normals;
}

// The coordinate whose differences between neighbours are nearest to their distances along the
// normals: least squares by Gauss-Seidel sweeps, there and back.
Table lay_second(const std::vector<std::vector<Vec3d>>& lines, const Links& links,
                 const Table& first) {
  const std::size_t points = lines[0].size();
  const std::vector<Vec3d> normals = make_normals(lines, links, first);
  std::vector<std::vector<double>> steps(lines.size());  // from each line to its neighbours
  for (std::size_t a = 0; a < lines.size(); ++a) {
    for (const std::size_t b : links[a]) {
      double sum = 0;
      for (std::size_t k = 0; k < points; ++k) {
        const Vec3d normal = normals[a * points + k] + normals[b * points + k];
        sum += dot(lines[b][k] - lines[a][k], normal) / 2;
      }
      steps[a].push_back(sum / static_cast<double>(points));
    }
  }
  Table second(lines.size());
  const auto relax = [&](std::size_t a) {
    double sum = 0;
    for (std::size_t n = 0; n < links[a].size(); ++n) sum += second[links[a][n]] - steps[a][n];
    second[a] = sum / static_cast<double>(links[a].size());
  };
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::size_t a = 0; a < lines.size(); ++a) relax(a);
    for (std::size_t a = lines.size(); a-- > 0;) relax(a);
  }
  return second;
}

}  // namespace

std::vector<std::array<double, 2>> lay_out_lines(const std::vector<std::vector<Vec3d>>& lines) {
  const std::size_t count = lines.size();
  const Table direct = direct_distances(lines);
  const Links links = link_neighbors(direct, count);
  Table walked(count * count);
  parallel_for(count, 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t a = begin; a < end; ++a) walk_from(direct, links, a, &walked[a * count]);
  });
  center_squares(walked, count);
  const Table first = take_axis(walked, count);
  const Table second = lay_second(lines, links, first);
  std::vector<std::array<double, 2>> places(count);
  for (std::size_t a = 0; a < count; ++a) places[a] = {first[a], second[a]};
  return places;
}

}  // namespace sinew::anatomy
