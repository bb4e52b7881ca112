#include "sinew/brick/assembly.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew::brick {
namespace {

constexpr std::size_t kGroup = 64;  // elements whose matrices are kept at a time

// Calls work(e) for the elements of a group on all threads, then add(e) for each in order.
template <class Work, class Add>
void in_groups(std::size_t count, const Work& work, const Add& add) {
  for (std::size_t start = 0; start < count; start += kGroup) {
    const std::size_t size = std::min(kGroup, count - start);
    parallel_for(size, 4, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) work(start + i, i);
    });
    for (std::size_t i = 0; i < size; ++i) add(start + i, i);
  }
}

void add_stiffness(const BrickIndices& brick, const ElementStiffness& element, SparseMatrix& K) {
  for (std::size_t a = 0; a < kBrickNodes; ++a) {
    if (brick[a] == kNoNode) continue;
    for (std::size_t b = 0; b < kBrickNodes; ++b) {
      if (brick[b] == kNoNode) continue;
      for (std::uint32_t i = 0; i < 3; ++i) {
        const std::size_t at = find_entry(K, 3 * brick[a] + i, 3 * brick[b]);
        for (std::size_t j = 0; j < 3; ++j) {
          K.values[at + j] += element[(3 * a + i) * 60 + 3 * b + j];
        }
      }
    }
  }
}

void add_mass(const BrickIndices& brick, const ElementMass& element, SparseMatrix& M) {
  for (std::size_t a = 0; a < kBrickNodes; ++a) {
    if (brick[a] == kNoNode) continue;
    for (std::size_t b = 0; b < kBrickNodes; ++b) {
      if (brick[b] == kNoNode) continue;
      M.values[find_entry(M, brick[a], brick[b])] += element[a * 20 + b];
    }
  }
}

std::vector<std::vector<std::uint32_t>> find_neighbors(const BrickMesh& mesh) {
  std::vector<std::vector<std::uint32_t>> out(mesh.rest_positions.size());
  for (const BrickIndices& brick : mesh.bricks) {
    for (const std::uint32_t a : brick) {
      if (a == kNoNode) continue;
      for (const std::uint32_t b : brick) {
        if (b != kNoNode) out[a].push_back(b);
      }
    }
  }
  for (auto& list : out) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return out;
}

}  // namespace

SparseMatrix make_pattern(const BrickMesh& mesh, std::size_t block) {
  SparseMatrix out;
  out.first.push_back(0);
  for (const auto& list : find_neighbors(mesh)) {
    for (std::size_t i = 0; i < block; ++i) {
      for (const std::uint32_t b : list) {
        for (std::size_t j = 0; j < block; ++j) {
          out.columns.push_back(static_cast<std::uint32_t>(block * b + j));
        }
      }
      out.first.push_back(out.columns.size());
    }
  }
  out.values.assign(out.columns.size(), 0.0);
  return out;
}

Matrices assemble(const BrickMesh& mesh, std::span<const LinearMaterial> materials, Rule rule) {
  const std::size_t count = mesh.bricks.size();
  SINEW_CHECK(materials.size() == 1 || materials.size() == count, "one material, or one a brick");
  const auto material = [&](std::size_t e) { return materials[materials.size() == 1 ? 0 : e]; };
  Matrices out{make_pattern(mesh, 3), make_pattern(mesh, 1)};
  std::vector<ElementStiffness> K(kGroup);
  std::vector<ElementMass> M(kGroup);
  in_groups(
      count,
      [&](std::size_t e, std::size_t slot) {
        const LinearMaterial m = material(e);
        K[slot] = compute_stiffness(mesh.bricks[e], mesh.rest_positions, m.moduli, rule);
        M[slot] = compute_mass(mesh.bricks[e], mesh.rest_positions, m.density, Rule::k27);
      },
      [&](std::size_t e, std::size_t slot) {
        add_stiffness(mesh.bricks[e], K[slot], out.stiffness);
        add_mass(mesh.bricks[e], M[slot], out.mass);
      });
  return out;
}

std::vector<Vec3d> compute_loads(const SparseMatrix& mass, std::span<const Vec3d> accelerations) {
  std::vector<Vec3d> out(mass.rows());
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t k = mass.first[i]; k < mass.first[i + 1]; ++k) {
      out[i] += mass.values[k] * accelerations[mass.columns[k]];
    }
  }
  return out;
}

std::vector<Vec3d> compute_loads(const SparseMatrix& mass, const Vec3d& acceleration) {
  return compute_loads(mass, std::vector<Vec3d>(mass.rows(), acceleration));
}

double dot_all(std::span<const Vec3d> a, std::span<const Vec3d> b) {
  double sum = 0;
  for (std::size_t n = 0; n < a.size(); ++n) sum += dot(a[n], b[n]);
  return sum;
}

std::vector<Vec3d> multiply(const SparseMatrix& K, std::span<const Vec3d> u) {
  std::vector<Vec3d> out(u.size());
  for (std::size_t n = 0; n < out.size(); ++n) {
    for (std::size_t i = 0; i < 3; ++i) {
      double sum = 0;
      for (std::size_t k = K.first[3 * n + i]; k < K.first[3 * n + i + 1]; ++k) {
        sum += K.values[k] * u[K.columns[k] / 3][K.columns[k] % 3];
      }
      out[n][i] = sum;
    }
  }
  return out;
}

}  // namespace sinew::brick
