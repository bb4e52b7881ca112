#include "sinew/eulerian/implicit.h"

#include <span>
#include <vector>

#include "sinew/core/parallel.h"
#include "sinew/eulerian/elastic_matrix.h"
#include "sinew/eulerian/minres.h"
#include "sinew/eulerian/sparse.h"

namespace sinew::eulerian {
namespace {

constexpr std::size_t kGrain = 512;
constexpr int kMostIterations = 600;

// G D^-1 G^T + L + C
SparseMatrix make_schur_matrix(const Rows& rows, std::span<const double> inverse) {
  std::vector<SparseMatrix> parts((rows.size() + kGrain - 1) / kGrain);
  parallel_for(rows.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    RowSum sum(rows.size());
    for (std::size_t r = begin; r < end; ++r) {
      double own = rows.compliance[r];
      for (std::uint32_t l = rows.link_offset[r]; l < rows.link_offset[r + 1]; ++l) {
        own += rows.link_weight[l];
        sum.add(rows.link_row[l], -rows.link_weight[l]);
      }
      sum.add(static_cast<std::uint32_t>(r), own);
      for (std::uint32_t e = rows.offset[r]; e < rows.offset[r + 1]; ++e) {
        const std::uint32_t u = rows.column[e];
        const Vec3d g = rows.coefficient[e] * inverse[u];
        for (std::uint32_t f = rows.column_offset[u]; f < rows.column_offset[u + 1]; ++f) {
          sum.add(rows.row[f], dot(g, rows.row_coefficient[f]));
        }
      }
      sum.flush(r, parts[begin / kGrain]);
    }
  });
  return join(parts);
}

// [A G^T; G -(L + C)]
void multiply_kkt(const SparseMatrix& A, const Rows& rows, const KktVector& in, KktVector& out) {
  parallel_for(in.v.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t u = begin; u < end; ++u) {
      Vec3d sum{};
      for (std::uint32_t e = A.offset[u]; e < A.offset[u + 1]; ++e) {
        sum += in.v[A.column[e]] * A.value[e];
      }
      for (std::uint32_t e = rows.column_offset[u]; e < rows.column_offset[u + 1]; ++e) {
        sum += rows.row_coefficient[e] * in.y[rows.row[e]];
      }
      out.v[u] = sum;
    }
  });
  parallel_for(in.y.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      if (rows.idle[r] != 0) {
        out.y[r] = 0;
        continue;
      }
      double sum = -smooth(rows, in.y, r);
      for (std::uint32_t e = rows.offset[r]; e < rows.offset[r + 1]; ++e) {
        sum += dot(rows.coefficient[e], in.v[rows.column[e]]);
      }
      out.y[r] = sum;
    }
  });
}

}  // namespace

SolveReport solve_implicit(const Model& model, double dt, Workspace& workspace) {
  Rows& rows = workspace.rows;
  const std::size_t n = workspace.unknowns.size();
  KktVector b(n, rows.size()), x(n, rows.size());
  std::vector<Vec3d> held;
  const SparseMatrix A = make_elastic_matrix(dt, workspace, held);
  std::vector<double> inverse(n);
  for (std::size_t u = 0; u < n; ++u) {
    inverse[u] = 1 / A.diagonal[u];
    b.v[u] = workspace.momentum[u] - held[u];
    x.v[u] = workspace.momentum[u] / workspace.mass[u];
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    b.y[r] = rows.idle[r] != 0 ? 0 : rows.rhs[r];
    x.y[r] = rows.idle[r] != 0 ? 0 : rows.multiplier[r];
  }
  const Sweep elastic = make_sweep(A), schur = make_sweep(make_schur_matrix(rows, inverse));
  const KktOperator matrix = [&](const KktVector& in, KktVector& out) {
    multiply_kkt(A, rows, in, out);
  };
  const KktOperator preconditioner = [&](const KktVector& in, KktVector& out) {
    apply(elastic, std::span<const Vec3d>(in.v), std::span<Vec3d>(out.v));
    apply(schur, std::span<const double>(in.y), std::span<double>(out.y));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (rows.idle[r] != 0) out.y[r] = 0;
    }
  };
  const SolveReport report =
      solve_minres(matrix, preconditioner, b, model.step.tolerance, kMostIterations, x);
  workspace.velocity = std::move(x.v);
  rows.multiplier = std::move(x.y);
  return report;
}

}  // namespace sinew::eulerian
