#include "sinew/levelset/mend_surface.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <utility>

#include <fmt/format.h>

namespace sinew::levelset {
namespace {

using Triangle = std::array<std::uint32_t, 3>;
using VertexPair = std::pair<std::uint32_t, std::uint32_t>;

void remove_flat_triangles(mesh::Surface& surface) {
  std::erase_if(surface.triangles,
                [](const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
}

bool runs_along(const Triangle& t, const VertexPair& edge) {
  return (t[0] == edge.first && t[1] == edge.second) ||
         (t[1] == edge.first && t[2] == edge.second) || (t[2] == edge.first && t[0] == edge.second);
}

VertexPair edge_of(const Triangle& t, std::size_t i) {
  return std::minmax(t[i], t[(i + 1) % 3]);
}

struct Side {
  VertexPair edge;
  std::uint32_t triangle;
};

// Triangles across the edges that exactly two of them share.
std::vector<std::vector<Side>> find_neighbours(const mesh::Surface& surface) {
  std::vector<Side> sides;
  sides.reserve(3 * surface.triangles.size());
  for (std::uint32_t t = 0; t < surface.triangles.size(); ++t) {
    for (std::size_t i = 0; i < 3; ++i) sides.push_back({edge_of(surface.triangles[t], i), t});
  }
  std::stable_sort(sides.begin(), sides.end(),
                   [](const Side& a, const Side& b) { return a.edge < b.edge; });
  std::vector<std::vector<Side>> neighbours(surface.triangles.size());
  for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
    while (end < sides.size() && sides[end].edge == sides[begin].edge) ++end;
    if (end - begin != 2) continue;
    neighbours[sides[begin].triangle].push_back(sides[begin + 1]);
    neighbours[sides[begin + 1].triangle].push_back(sides[begin]);
  }
  return neighbours;
}

// Shells of triangles joined by such edges, each turned as most of its triangles are.
struct Shells {
  std::vector<std::vector<std::uint32_t>> triangles;  // (num_shells)
  std::size_t num_turned = 0;
};

Shells turn_alike(mesh::Surface& surface) {
  const auto neighbours = find_neighbours(surface);
  std::vector<std::uint8_t> seen(surface.triangles.size(), 0), turned(seen);
  Shells shells;
  const auto turn = [&](std::uint32_t t) {
    std::swap(surface.triangles[t][1], surface.triangles[t][2]);
    turned[t] ^= 1U;
  };
  for (std::uint32_t first = 0; first < surface.triangles.size(); ++first) {
    if (seen[first] != 0) continue;
    std::vector<std::uint32_t> shell{first};
    seen[first] = 1;
    for (std::size_t n = 0; n < shell.size(); ++n) {
      const std::uint32_t from = shell[n];
      for (const Side& next : neighbours[from]) {
        if (seen[next.triangle] != 0) continue;
        seen[next.triangle] = 1;
        shell.push_back(next.triangle);
        if (runs_along(surface.triangles[from], next.edge) ==
            runs_along(surface.triangles[next.triangle], next.edge)) {
          turn(next.triangle);
        }
      }
    }
    const auto is_turned = [&](std::uint32_t t) { return turned[t] != 0; };
    const auto count = std::count_if(shell.begin(), shell.end(), is_turned);
    if (2 * static_cast<std::size_t>(count) > shell.size()) {
      for (const std::uint32_t t : shell) turn(t);
    }
    shells.num_turned +=
        static_cast<std::size_t>(std::count_if(shell.begin(), shell.end(), is_turned));
    shells.triangles.push_back(std::move(shell));
  }
  return shells;
}

mesh::Surface pick(const mesh::Surface& surface, const std::vector<std::uint32_t>& triangles) {
  mesh::Surface part;
  part.positions = surface.positions;
  for (const std::uint32_t t : triangles) part.triangles.push_back(surface.triangles[t]);
  return part;
}

// How often the surface winds around a point: its solid angle (van Oosterom and Strackee 1983).
double winding_number(const mesh::Surface& surface, const Vec3d& at) {
  double sum = 0;
  for (const Triangle& t : surface.triangles) {
    const Vec3d a = surface.positions[t[0]] - at;
    const Vec3d b = surface.positions[t[1]] - at;
    const Vec3d c = surface.positions[t[2]] - at;
    const double la = norm(a), lb = norm(b), lc = norm(c);
    sum += std::atan2(dot(a, cross(b, c)),
                      la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return sum / (2 * std::numbers::pi);
}

Vec3d middle_of(const mesh::Surface& surface, const std::vector<std::uint32_t>& triangles) {
  Vec3d sum{};
  for (const std::uint32_t t : triangles) {
    for (const std::uint32_t v : surface.triangles[t]) sum += surface.positions[v];
  }
  return sum / (3.0 * static_cast<double>(triangles.size()));
}

bool is_cavity(const mesh::Surface& surface, const Shells& shells, std::size_t shell) {
  const Vec3d at = surface.positions[surface.triangles[shells.triangles[shell][0]][0]];
  double around = 0;
  for (std::size_t s = 0; s < shells.triangles.size(); ++s) {
    if (s != shell) around += std::abs(winding_number(pick(surface, shells.triangles[s]), at));
  }
  return around > 0.5;
}

// Returns the number of shells that enclose something.
std::size_t orient(mesh::Surface& surface, std::vector<Repair>& repairs) {
  const mesh::Bounds box = mesh::compute_bounds(surface.positions);
  const double nothing = 1e-9 * std::pow(norm(box.high - box.low), 3);
  std::size_t num_solid = 0;
  const Shells shells = turn_alike(surface);
  if (shells.num_turned > 0) {
    repairs.push_back({"orientation", "", "", 0.5 * (box.low + box.high), 0, false,
                       fmt::format("{} triangles faced the other way than their neighbours and "
                                   "were turned",
                                   shells.num_turned)});
  }
  for (std::size_t s = 0; s < shells.triangles.size(); ++s) {
    const double volume = mesh::compute_volume(pick(surface, shells.triangles[s]));
    if (std::abs(volume) > nothing) ++num_solid;
    if (volume >= -nothing || is_cavity(surface, shells, s)) continue;
    for (const std::uint32_t t : shells.triangles[s]) {
      std::swap(surface.triangles[t][1], surface.triangles[t][2]);
    }
    repairs.push_back({"orientation", "", "", middle_of(surface, shells.triangles[s]), -volume,
                       false, "the surface was inside out and was turned over"});
  }
  return num_solid;
}

// Edges that are run along more often one way than the other, in the direction that is missing.
std::multimap<std::uint32_t, std::uint32_t> find_missing_edges(const mesh::Surface& surface) {
  std::map<VertexPair, int> balance;
  for (const Triangle& t : surface.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      balance[edge_of(t, i)] += t[i] < t[(i + 1) % 3] ? 1 : -1;
    }
  }
  std::multimap<std::uint32_t, std::uint32_t> missing;
  for (const auto& [edge, surplus] : balance) {
    for (int n = 0; n < std::abs(surplus); ++n) {
      if (surplus > 0) {
        missing.emplace(edge.second, edge.first);
      } else {
        missing.emplace(edge.first, edge.second);
      }
    }
  }
  return missing;
}

// Takes a loop of missing edges out. Every vertex has as many that begin as end at it, so a walk
// always comes back.
std::vector<std::uint32_t> take_loop(std::multimap<std::uint32_t, std::uint32_t>& missing) {
  const std::uint32_t first = missing.begin()->first;
  std::vector<std::uint32_t> loop;
  std::uint32_t at = first;
  do {
    loop.push_back(at);
    const auto next = missing.find(at);
    at = next->second;
    missing.erase(next);
  } while (at != first);
  return loop;
}

}  // namespace

MendedSurface mend_surface(mesh::Surface surface, double largest_hole) {
  MendedSurface mended;
  remove_flat_triangles(surface);
  if (surface.triangles.empty()) {
    mended.refusal = "the surface has no triangles";
    return mended;
  }
  mended.num_shells = orient(surface, mended.repairs);
  auto missing = find_missing_edges(surface);
  while (!missing.empty()) {
    const std::vector<std::uint32_t> loop = take_loop(missing);
    std::vector<Vec3d> rim;
    Vec3d middle{};
    for (const std::uint32_t v : loop) rim.push_back(surface.positions[v]), middle += rim.back();
    middle = middle / static_cast<double>(rim.size());
    const mesh::Bounds box = mesh::compute_bounds(rim);
    const double size = norm(box.high - box.low);
    if (size > largest_hole) {
      mended.refusal = fmt::format(
          "the surface has a hole of {:.3g} m and {} edges at ({:.4g}, {:.4g}, {:.4g}) m; holes up "
          "to {:.3g} m are closed here, fill larger ones in the program that made the surface",
          size, loop.size(), middle.x, middle.y, middle.z, largest_hole);
      return mended;
    }
    const auto hub = static_cast<std::uint32_t>(surface.positions.size());
    surface.positions.push_back(middle);
    for (std::size_t n = 0; n < loop.size(); ++n) {
      surface.triangles.push_back({hub, loop[n], loop[(n + 1) % loop.size()]});
    }
    mended.repairs.push_back(
        {"hole", "", "", middle, 0, false,
         fmt::format("a hole of {:.2g} mm and {} edges was closed", 1e3 * size, loop.size())});
  }
  mended.surface = std::move(surface);
  return mended;
}

}  // namespace sinew::levelset
