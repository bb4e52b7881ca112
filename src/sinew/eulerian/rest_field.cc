#include "sinew/eulerian/rest_field.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sinew/core/parallel.h"
#include "sinew/mesh/surface.h"

namespace sinew::eulerian {
namespace {

struct Spot {
  std::size_t base;
  double fx, fy, fz;
  double beyond;  // m outside the samples
};

int split(double p, int size, double& fraction, double& outside) {
  const double q = std::clamp(p, 0.0, static_cast<double>(size - 1));
  outside = p - q;
  const int i = std::min(static_cast<int>(q), size - 2);
  fraction = q - i;
  return i;
}

Spot find(const RestField& f, const Vec3d& X) {
  const Vec3d p = (X - f.low) * f.inverse_spacing;
  Spot s{};
  Vec3d out;
  const int i = split(p.x, f.size[0], s.fx, out.x);
  const int j = split(p.y, f.size[1], s.fy, out.y);
  const int k = split(p.z, f.size[2], s.fz, out.z);
  const auto nx = static_cast<std::size_t>(f.size[0]), ny = static_cast<std::size_t>(f.size[1]);
  s.base = (static_cast<std::size_t>(k) * ny + static_cast<std::size_t>(j)) * nx +
           static_cast<std::size_t>(i);
  const double squared = dot(out, out);
  s.beyond = squared > 0 ? std::sqrt(squared) / f.inverse_spacing : 0;
  return s;
}

}  // namespace

RestField make_rest_field(const mesh::Shape& shape, double spacing, double margin) {
  const mesh::Bounds box = mesh::compute_bounds(shape);
  RestField field;
  field.low = box.low - Vec3d{margin, margin, margin};
  field.inverse_spacing = 1 / spacing;
  const Vec3d extent = box.high - box.low + Vec3d{margin, margin, margin} * 2.0;
  for (std::size_t a = 0; a < 3; ++a) {
    field.size[a] = std::max(2, static_cast<int>(std::ceil(extent[a] / spacing)) + 1);
  }
  const auto nx = static_cast<std::size_t>(field.size[0]);
  const auto ny = static_cast<std::size_t>(field.size[1]);
  const auto nz = static_cast<std::size_t>(field.size[2]);
  field.distance.resize(nx * ny * nz);
  parallel_for(ny * nz, 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::size_t j = row % ny, k = row / ny;
      for (std::size_t i = 0; i < nx; ++i) {
        const Vec3d x = field.low + spacing * Vec3d{static_cast<double>(i), static_cast<double>(j),
                                                    static_cast<double>(k)};
        field.distance[row * nx + i] = static_cast<float>(mesh::signed_distance(shape, x));
      }
    }
  });
  return field;
}

double sample(const RestField& f, const Vec3d& X) {
  const Spot s = find(f, X);
  const auto nx = static_cast<std::size_t>(f.size[0]);
  const std::size_t nxy = nx * static_cast<std::size_t>(f.size[1]);
  const float* d = f.distance.data() + s.base;
  const auto line = [&](std::size_t o) {
    const double a = static_cast<double>(d[o]);
    return a + s.fx * (static_cast<double>(d[o + 1]) - a);
  };
  const double a = line(0), b = line(nx), c = line(nxy), e = line(nxy + nx);
  const double near = a + s.fy * (b - a), far = c + s.fy * (e - c);
  return near + s.fz * (far - near) + s.beyond;
}

Vec3d sample_gradient(const RestField& f, const Vec3d& X) {
  const double step = 0.5 / f.inverse_spacing;
  Vec3d g;
  for (std::size_t a = 0; a < 3; ++a) {
    Vec3d d{};
    d[a] = step;
    g[a] = (sample(f, X + d) - sample(f, X - d)) / (2 * step);
  }
  return g;
}

}  // namespace sinew::eulerian
