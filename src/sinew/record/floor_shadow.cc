#include "sinew/record/floor_shadow.h"

#include <algorithm>
#include <cmath>

namespace sinew::record {
namespace {

constexpr int kCells = 256;
constexpr int kBlurRadius = 3;
constexpr int kBlurPasses = 2;
constexpr float kFade = 0.22F;    // height over which a shadow fades, of the scene's size
constexpr float kMargin = 0.15F;  // around the scene, for the blur

std::size_t index(int x, int z) {
  return static_cast<std::size_t>(z) * kCells + static_cast<std::size_t>(x);
}

}  // namespace

FloorShadow::FloorShadow(const Bounds& bounds)
    : bounds_(bounds),
      left_(bounds.center().x - (0.5F + kMargin) * bounds.size()),
      front_(bounds.center().z - (0.5F + kMargin) * bounds.size()),
      cell_((1 + 2 * kMargin) * bounds.size() / kCells),
      darkness_(static_cast<std::size_t>(kCells) * kCells, 0.0F) {}

FloorShadow::Cell FloorShadow::to_cell(float x, float z) const {
  return {(x - left_) / cell_ - 0.5F, (z - front_) / cell_ - 0.5F};
}

void FloorShadow::add_triangle(const Vec3f& a, const Vec3f& b, const Vec3f& c) {
  const Vec3f low = {std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}),
                     std::min({a.z, b.z, c.z})};
  const Vec3f high = {std::max({a.x, b.x, c.x}), 0, std::max({a.z, b.z, c.z})};
  const Cell first = to_cell(low.x, low.z);
  const Cell last = to_cell(high.x, high.z);
  if (!std::isfinite(first.x + first.z + last.x + last.z + low.y)) return;
  const float height = (low.y - bounds_.low.y) / (kFade * bounds_.size());
  const float dark = std::exp(-std::max(0.0F, height));
  const auto cell = [](float v) { return static_cast<int>(std::clamp(v, 0.0F, kCells - 1.0F)); };
  const float area = (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
  if (!(std::abs(area) > 0)) return;
  for (int z = cell(std::ceil(first.z)); z <= cell(last.z); ++z) {
    for (int x = cell(std::ceil(first.x)); x <= cell(last.x); ++x) {
      const float px = left_ + (static_cast<float>(x) + 0.5F) * cell_;
      const float pz = front_ + (static_cast<float>(z) + 0.5F) * cell_;
      const float u = ((px - a.x) * (c.z - a.z) - (pz - a.z) * (c.x - a.x)) / area;
      const float v = ((b.x - a.x) * (pz - a.z) - (b.z - a.z) * (px - a.x)) / area;
      if (u < 0 || v < 0 || u + v > 1) continue;
      float& value = darkness_[index(x, z)];
      value = std::max(value, dark);
    }
  }
}

void FloorShadow::add(const RenderedMesh& mesh) {
  for (const auto& t : mesh.triangles)
    add_triangle(mesh.positions[t[0]], mesh.positions[t[1]], mesh.positions[t[2]]);
}

// A mean over neighbours along every line: `step` from one cell to the next.
void FloorShadow::blur_lines(std::size_t step, std::size_t line_step) {
  std::vector<float> line(kCells);
  for (std::size_t l = 0; l < kCells; ++l) {
    for (std::size_t i = 0; i < kCells; ++i) line[i] = darkness_[l * line_step + i * step];
    for (int i = 0; i < kCells; ++i) {
      float sum = 0;
      for (int j = std::max(0, i - kBlurRadius); j <= std::min(kCells - 1, i + kBlurRadius); ++j)
        sum += line[static_cast<std::size_t>(j)];
      darkness_[l * line_step + static_cast<std::size_t>(i) * step] = sum / (2 * kBlurRadius + 1);
    }
  }
}

void FloorShadow::soften() {
  for (int pass = 0; pass < kBlurPasses; ++pass) {
    blur_lines(1, kCells);
    blur_lines(kCells, 1);
  }
}

float FloorShadow::darkness(float x, float z) const {
  const Cell at = to_cell(x, z);
  if (!(at.x >= 0 && at.z >= 0 && at.x < kCells - 1 && at.z < kCells - 1)) return 0;
  const int i = static_cast<int>(at.x);
  const int k = static_cast<int>(at.z);
  const float u = at.x - static_cast<float>(i);
  const float v = at.z - static_cast<float>(k);
  return (1 - v) * ((1 - u) * darkness_[index(i, k)] + u * darkness_[index(i + 1, k)]) +
         v * ((1 - u) * darkness_[index(i, k + 1)] + u * darkness_[index(i + 1, k + 1)]);
}

}  // namespace sinew::record
