#include "sinew/brick/free_form.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/brick/kernels/free_form_kernel.h"
#include "sinew/core/instruction_set.h"
#include "sinew/core/parallel.h"

namespace sinew::brick {
namespace {

constexpr std::size_t kPiece = 16384;  // points a thread takes at a time

// Boxes of the elements in a grid of cells, so that a point meets few candidates.
class ElementFinder {
 public:
  explicit ElementFinder(const BrickMesh& mesh) {
    for (const BrickIndices& brick : mesh.bricks) {
      polynomials_.push_back(make_polynomial(brick, mesh.rest_positions));
      boxes_.push_back(compute_box(polynomials_.back()));
    }
    low_ = boxes_[0].low;
    Vec3d high = boxes_[0].high;
    for (const ElementBox& box : boxes_) {
      for (std::size_t i = 0; i < 3; ++i) {
        low_[i] = std::min(low_[i], box.low[i]), high[i] = std::max(high[i], box.high[i]);
      }
    }
    const double per_axis = std::cbrt(4.0 * static_cast<double>(boxes_.size()));
    for (std::size_t i = 0; i < 3; ++i) {
      counts_[i] = std::clamp<std::size_t>(static_cast<std::size_t>(per_axis), 1, 64);
      cell_[i] = std::max((high[i] - low_[i]) / static_cast<double>(counts_[i]), 1e-300);
    }
    cells_.resize(counts_[0] * counts_[1] * counts_[2]);
    for (std::uint32_t e = 0; e < boxes_.size(); ++e) enter(e);
  }

  EmbeddedPoint find(const Vec3d& x) const {
    EmbeddedPoint best;
    for (const std::uint32_t e : cells_[cell_of(x)]) {
      best.brick = e;
      if (brick::holds(boxes_[e], x) && invert(polynomials_[e], x, best)) return best;
    }
    // Outside of all: the element whose natural coordinates it leaves least.
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t e = 0; e < boxes_.size(); ++e) try_nearest(e, x, best, least);
    return best;
  }

  double rest_jacobian(const EmbeddedPoint& p) const {
    return determinant(brick::evaluate(polynomials_[p.brick], p.xi).jacobian);
  }

 private:
  void try_nearest(std::uint32_t e, const Vec3d& x, EmbeddedPoint& best, double& least) const {
    EmbeddedPoint p;
    approach(polynomials_[e], x, p);
    p.brick = e;
    const double excess = std::max({std::abs(p.xi.x), std::abs(p.xi.y), std::abs(p.xi.z), 1.0}) - 1;
    const ElementBox& box = boxes_[e];
    const double badness = p.miss + excess * norm(box.high - box.low);
    if (badness < least) best = p, least = badness;
  }
  std::size_t clamp_cell(double x, std::size_t axis) const {
    const double at = std::floor((x - low_[axis]) / cell_[axis]);
    return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(counts_[axis] - 1)));
  }
  std::size_t index(std::size_t i, std::size_t j, std::size_t k) const {
    return i + counts_[0] * (j + counts_[1] * k);
  }
  std::size_t cell_of(const Vec3d& x) const {
    return index(clamp_cell(x.x, 0), clamp_cell(x.y, 1), clamp_cell(x.z, 2));
  }
  void enter(std::uint32_t e) {
    const ElementBox& box = boxes_[e];
    for (std::size_t k = clamp_cell(box.low.z, 2); k <= clamp_cell(box.high.z, 2); ++k) {
      for (std::size_t j = clamp_cell(box.low.y, 1); j <= clamp_cell(box.high.y, 1); ++j) {
        for (std::size_t i = clamp_cell(box.low.x, 0); i <= clamp_cell(box.high.x, 0); ++i) {
          cells_[index(i, j, k)].push_back(e);
        }
      }
    }
  }

  std::vector<Polynomial> polynomials_;
  std::vector<ElementBox> boxes_;
  Vec3d low_{};
  Vec3d cell_{};
  std::array<std::size_t, 3> counts_{};
  std::vector<std::vector<std::uint32_t>> cells_;
};

std::array<float, 60> to_floats(const Polynomial& p) {
  std::array<float, 60> out;
  for (std::size_t m = 0; m < kBrickNodes; ++m) {
    for (std::size_t i = 0; i < 3; ++i) out[3 * m + i] = static_cast<float>(p.coefficients[m][i]);
  }
  return out;
}

}  // namespace

FreeForm::FreeForm(const BrickMesh& mesh, std::span<const Vec3d> points)
    : bricks_(mesh.bricks),
      points_(points.size()),
      rest_jacobians_(points.size()),
      order_(points.size()) {
  const ElementFinder finder(mesh);
  parallel_for(points.size(), 512, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      points_[i] = finder.find(points[i]);
      rest_jacobians_[i] = finder.rest_jacobian(points_[i]);
    }
  });
  std::iota(order_.begin(), order_.end(), 0U);
  std::stable_sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return points_[a].brick < points_[b].brick;
  });
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    const EmbeddedPoint& p = points_[order_[i]];
    r_.push_back(static_cast<float>(p.xi.x));
    s_.push_back(static_cast<float>(p.xi.y));
    t_.push_back(static_cast<float>(p.xi.z));
    const bool more = !runs_.empty() && runs_.back().brick == p.brick &&
                      runs_.back().end - runs_.back().begin < kPiece;
    if (!more) runs_.push_back({p.brick, i, i});
    ++runs_.back().end;
  }
}

void FreeForm::evaluate(std::span<const Vec3d> positions, std::span<Vec3f> out) const {
  static_assert(sizeof(Vec3f) == 3 * sizeof(float));
  if (out.empty()) return;
  const InstructionSet set = instruction_set();
  parallel_for(runs_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const Run& run = runs_[k];
      const std::array<float, 60> c = to_floats(make_polynomial(bricks_[run.brick], positions));
      const FreeFormTask task{r_.data(),     s_.data(), t_.data(),
                              order_.data(), c.data(),  &out.front().x};
      if (set == InstructionSet::kAvx512) {
        avx512::evaluate_points(task, run.begin, run.end);
      } else if (set == InstructionSet::kAvx2) {
        avx2::evaluate_points(task, run.begin, run.end);
      } else {
        sse2::evaluate_points(task, run.begin, run.end);
      }
    }
  });
}

Vec3d FreeForm::evaluate(std::span<const Vec3d> positions, std::size_t point) const {
  const EmbeddedPoint& p = points_[point];
  const BrickIndices& brick = bricks_[p.brick];
  return map_point(brick, positions, compute_shape(nodes_of(brick), p.xi)).position;
}

std::vector<float> FreeForm::compute_volume_ratios(std::span<const Vec3d> positions) const {
  std::vector<float> out(points_.size());
  parallel_for(runs_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const Polynomial polynomial = make_polynomial(bricks_[runs_[k].brick], positions);
      for (std::size_t i = runs_[k].begin; i < runs_[k].end; ++i) {
        const std::size_t p = order_[i];
        const Mat3d jacobian = brick::evaluate(polynomial, points_[p].xi).jacobian;
        out[p] = static_cast<float>(determinant(jacobian) / rest_jacobians_[p]);
      }
    }
  });
  return out;
}

}  // namespace sinew::brick
