#include "sinew/mesh/tet_mesh.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/mesh/fill.h"

namespace sinew::mesh {
namespace {

struct ActiveTet {
  LatticeTet place;
  double fill;
};

// Cells emptier than this are left out, and none counts less: both are far below what the
// surface's own error makes of the volume.
constexpr double kLeastFill = 3e-3;
constexpr int kFillDepth = 2;

double compute_fill(const Shape& shape, const BccLattice& lattice, const LatticeTet& tet) {
  const auto nodes = nodes_of(tet);
  std::array<Vec3d, 4> corners;
  Vec3d middle{};
  for (std::size_t i = 0; i < 4; ++i) {
    corners[i] = position(lattice, nodes[i]);
    middle += corners[i] * 0.25;
  }
  // No corner is farther than this from the middle: sqrt(5)/4 spacings.
  const double radius = 0.56 * lattice.spacing;
  const double distance = signed_distance(shape, middle);
  if (distance > radius) return 0;
  if (distance < -radius) return 1;
  return fill_fraction(shape, corners, kFillDepth);
}

std::vector<ActiveTet> find_active(const Shape& shape, const BccLattice& lattice) {
  const std::int32_t nx = lattice.cells[0];
  const std::int32_t ny = lattice.cells[1];
  // Layers in parallel, each into its own list: the order never depends on threads.
  std::vector<std::vector<ActiveTet>> layers(static_cast<std::size_t>(lattice.cells[2]));
  parallel_for(layers.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      for (std::int32_t j = 0; j < ny; ++j) {
        std::vector<bool> near(static_cast<std::size_t>(nx));
        const auto cell_of = [&](std::int32_t i) {
          return Cell{i, j, static_cast<std::int32_t>(k)};
        };
        for (std::int32_t i = 0; i < nx; ++i) {
          // All 12 tetrahedra of a cell lie within 1.5 spacings of its centre.
          const double distance = signed_distance(shape, position(lattice, {cell_of(i), true}));
          near[static_cast<std::size_t>(i)] = distance <= 1.5 * lattice.spacing;
        }
        // Along x within an orientation: neighbours in this order have neighbouring nodes, which
        // is what lets a kernel load them in batches.
        for (int o = 0; o < kNumOrientations; ++o) {
          for (std::int32_t i = 0; i < nx; ++i) {
            if (!near[static_cast<std::size_t>(i)]) continue;
            const double fill = compute_fill(shape, lattice, {cell_of(i), o});
            if (fill >= kLeastFill) layers[k].push_back({{cell_of(i), o}, fill});
          }
        }
      }
    }
  });
  std::vector<ActiveTet> all;
  for (const auto& layer : layers) all.insert(all.end(), layer.begin(), layer.end());
  return all;
}

std::vector<LatticeNode> collect_nodes(const std::vector<ActiveTet>& active) {
  std::vector<LatticeNode> nodes;
  nodes.reserve(active.size() * 4);
  for (const ActiveTet& tet : active) {
    for (const LatticeNode& node : nodes_of(tet.place)) nodes.push_back(node);
  }
  std::sort(nodes.begin(), nodes.end(), node_before);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace

Vec3d compute_middle(std::span<const Vec3d> positions, const std::array<std::uint32_t, 4>& tet) {
  Vec3d sum{};
  for (const std::uint32_t n : tet) sum += positions[n];
  return sum * 0.25;
}

LatticeMesh make_lattice_mesh(const Shape& shape, double spacing) {
  LatticeMesh result;
  result.lattice = make_lattice(compute_bounds(shape), spacing, 2);
  const std::vector<ActiveTet> active = find_active(shape, result.lattice);
  const std::vector<LatticeNode> nodes = collect_nodes(active);

  TetMesh& mesh = result.mesh;
  for (const LatticeNode& node : nodes) {
    mesh.rest_positions.push_back(position(result.lattice, node));
    mesh.num_corners += node.centre ? 0 : 1;
  }
  for (int o = 0; o < kNumOrientations; ++o) mesh.edge_matrices.push_back(edge_matrix(o) * spacing);
  for (const ActiveTet& tet : active) {
    std::array<std::uint32_t, 4> ids;
    const auto places = nodes_of(tet.place);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto it = std::lower_bound(nodes.begin(), nodes.end(), places[i], node_before);
      ids[i] = static_cast<std::uint32_t>(it - nodes.begin());
    }
    mesh.tets.push_back(ids);
    mesh.fill.push_back(tet.fill);
    mesh.orientation.push_back(static_cast<std::uint8_t>(tet.place.orientation));
    result.keys.push_back(key_of(result.lattice, tet.place));
  }
  return result;
}

bool node_before(const LatticeNode& a, const LatticeNode& b) {
  if (a.centre != b.centre) return !a.centre;
  return std::lexicographical_compare(a.cell.rbegin(), a.cell.rend(), b.cell.rbegin(),
                                      b.cell.rend());
}

std::size_t find_key(const std::vector<std::uint64_t>& keys, std::uint64_t key) {
  const auto it = std::lower_bound(keys.begin(), keys.end(), key);
  return it != keys.end() && *it == key ? static_cast<std::size_t>(it - keys.begin()) : keys.size();
}

}  // namespace sinew::mesh
