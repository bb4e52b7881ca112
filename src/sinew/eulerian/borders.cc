#include "sinew/eulerian/borders.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace sinew::eulerian {
namespace {

constexpr double kFar = 1e300;
constexpr double kNear = 0.5;     // cells: free nodes that are nearer are on a line
constexpr double kDeep = 1.8;     // cells: held nodes that are deeper are in no cell of free tissue
constexpr double kUpright = 0.6;  // least cosine between a line and the border's normal
constexpr int kLongest = 4;       // steps of a line

class Lines {
 public:
  Lines(const Body& body, const Depths& depths, const Block& block)
      : body_(body), depths_(depths), block_(block), h_(block.grid.spacing) {}

  // The node of free tissue that is most upright above, if possible in the body.
  bool find(Held& held) const {
    double best = 0;
    for (int k = -1; k <= 1; ++k) {
      for (int j = -1; j <= 1; ++j) {
        for (int i = -1; i <= 1; ++i) {
          const double length = h_ * std::sqrt(static_cast<double>(i * i + j * j + k * k));
          if (length > 0) best = std::max(best, follow(step_of(i, j, k), length, best, held));
        }
      }
    }
    return best > 0;
  }

 private:
  std::ptrdiff_t step_of(int i, int j, int k) const {
    return i + j * static_cast<std::ptrdiff_t>(block_.dy) +
           k * static_cast<std::ptrdiff_t>(block_.dz);
  }

  // Returns how good the line is, 0 where it leads nowhere; kept where it is better.
  double follow(std::ptrdiff_t step, double length, double best, Held& held) const {
    const double d = depths_.d[held.node];
    for (int m = 1; m <= kLongest; ++m) {
      const auto a = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(held.node) + m * step);
      if (block_.known[a] == 0 || depths_.nearest[a] != held.attachment) return 0;
      const double cosine = (depths_.d[a] - d) / (m * length);
      if (cosine < kUpright) return 0;
      if (depths_.d[a] < std::max(kNear * h_, std::abs(d))) continue;
      const double score = cosine + (sample(body_.rest, block_.X[a]) < 0 ? 1 : 0);
      if (score > best) {
        held.inner = static_cast<std::uint32_t>(a);
        held.ratio = d / depths_.d[a];
      }
      return score;
    }
    return 0;
  }

  const Body& body_;
  const Depths& depths_;
  const Block& block_;
  double h_;
};

}  // namespace

Depths find_depths(const Body& body, std::span<const engine::RigidPose> poses, const Block& block) {
  Depths out;
  out.d.assign(block.size(), kFar);
  out.nearest.assign(block.size(), 0);
  for (std::size_t a = 0; a < poses.size(); ++a) {
    for (const std::uint32_t n : block.band) {
      const Vec3d X = engine::apply_inverse(poses[a], position_of(block, n));
      const double d = mesh::signed_distance(body.attachments[a].where, X);
      if (d >= out.d[n]) continue;
      out.d[n] = d;
      out.nearest[n] = static_cast<std::uint32_t>(a);
    }
  }
  return out;
}

std::vector<Held> find_held(const Body& body, const Depths& depths, const Block& block) {
  std::vector<Held> out;
  const double h = block.grid.spacing;
  const Lines lines(body, depths, block);
  for (const std::uint32_t n : block.band) {
    const double d = depths.d[n];
    if (d >= kNear * h) continue;
    Held held{n, depths.nearest[n], 0, 0};
    const bool found = d > -kDeep * h && lines.find(held);
    if (found || d <= 0) out.push_back(held);
  }
  return out;
}

Vec3d find_material(const Held& held, const engine::RigidPose& pose, const Block& block) {
  const Vec3d X = engine::apply_inverse(pose, position_of(block, held.node));
  if (held.ratio == 0) return X;
  const Vec3d there = engine::apply_inverse(pose, position_of(block, held.inner));
  return X + (block.X[held.inner] - there) * held.ratio;
}

Vec3d find_place(const Held& held, const Block& block) {
  const Vec3d x = position_of(block, held.node);
  if (held.ratio == 0) return x;
  return (x - position_of(block, held.inner) * held.ratio) / (1 - held.ratio);
}

}  // namespace sinew::eulerian
