#include "sinew/eulerian/rest_field.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/core/parallel.h"
#include "sinew/mesh/surface.h"

namespace sinew::eulerian {
namespace {

constexpr double kMostSamples = 1 << 28;  // 1 GiB of distances

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
  const auto nx = static_cast<std::size_t>(f.size[0]), ny = static_cast<std::size_t>(f.size[1]);
  // Nearly all that is asked lies between samples.
  if (p.x >= 0 && p.y >= 0 && p.z >= 0 && p.x < f.size[0] - 1 && p.y < f.size[1] - 1 &&
      p.z < f.size[2] - 1) {
    const int i = static_cast<int>(p.x), j = static_cast<int>(p.y), k = static_cast<int>(p.z);
    s.fx = p.x - i, s.fy = p.y - j, s.fz = p.z - k;
    s.base = (static_cast<std::size_t>(k) * ny + static_cast<std::size_t>(j)) * nx +
             static_cast<std::size_t>(i);
    return s;
  }
  Vec3d out;
  const int i = split(p.x, f.size[0], s.fx, out.x);
  const int j = split(p.y, f.size[1], s.fy, out.y);
  const int k = split(p.z, f.size[2], s.fz, out.z);
  s.base = (static_cast<std::size_t>(k) * ny + static_cast<std::size_t>(j)) * nx +
           static_cast<std::size_t>(i);
  const double squared = dot(out, out);
  s.beyond = squared > 0 ? std::sqrt(squared) / f.inverse_spacing : 0;
  return s;
}

// Every fourth sample, exact: between those that are far from the surface the others are
// interpolated, which spares most of the distances of a shape that is slow to ask.
struct Coarse {
  static constexpr std::size_t kStep = 4;
  std::array<std::size_t, 3> size{};
  std::vector<double> value;
  double far = 0;  // m

  bool is_far(std::size_t i, std::size_t j, std::size_t k, double& out) const {
    const std::size_t base = (k / kStep * size[1] + j / kStep) * size[0] + i / kStep;
    const Vec3d f{static_cast<double>(i % kStep) / kStep, static_cast<double>(j % kStep) / kStep,
                  static_cast<double>(k % kStep) / kStep};
    out = 0;
    for (std::size_t c = 0; c < 8; ++c) {
      const double v =
          value[base + (c & 1) + ((c >> 1) & 1) * size[0] + (c >> 2) * size[0] * size[1]];
      if (std::abs(v) < far) return false;
      out += v * ((c & 1) != 0 ? f.x : 1 - f.x) * ((c & 2) != 0 ? f.y : 1 - f.y) *
             ((c & 4) != 0 ? f.z : 1 - f.z);
    }
    return true;
  }
};

Coarse make_coarse(const mesh::Shape& shape, const RestField& field) {
  Coarse out;
  const double spacing = Coarse::kStep / field.inverse_spacing;
  for (std::size_t a = 0; a < 3; ++a) {
    out.size[a] = static_cast<std::size_t>(field.size[a] - 1) / Coarse::kStep + 2;
  }
  out.far = spacing;
  out.value.resize(out.size[0] * out.size[1] * out.size[2]);
  parallel_for(out.size[1] * out.size[2], 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::size_t j = row % out.size[1], k = row / out.size[1];
      for (std::size_t i = 0; i < out.size[0]; ++i) {
        const Vec3d x = field.low + spacing * Vec3d{static_cast<double>(i), static_cast<double>(j),
                                                    static_cast<double>(k)};
        out.value[row * out.size[0] + i] = mesh::signed_distance(shape, x);
      }
    }
  });
  return out;
}

}  // namespace

mesh::Bounds grown(const mesh::Bounds& box, double margin) {
  const Vec3d by{margin, margin, margin};
  return {box.low - by, box.high + by};
}

void check_samples(const mesh::Bounds& box, double spacing) {
  const Vec3d extent = box.high - box.low;
  double samples = 1;
  for (std::size_t a = 0; a < 3; ++a) samples *= std::ceil(extent[a] / spacing) + 1;
  if (samples <= kMostSamples) return;
  throw std::invalid_argument(fmt::format(
      "{:g} x {:g} x {:g} m take {:.3g} samples that are {:g} m apart; allowed: {:.3g}; a larger "
      "spacing helps",
      extent.x, extent.y, extent.z, samples, spacing, kMostSamples));
}

RestField make_rest_field(const mesh::Shape& shape, const mesh::Bounds& box, double spacing) {
  check_samples(box, spacing);
  RestField field;
  field.low = box.low;
  field.inverse_spacing = 1 / spacing;
  const Vec3d extent = box.high - box.low;
  for (std::size_t a = 0; a < 3; ++a) {
    field.size[a] = std::max(2, static_cast<int>(std::ceil(extent[a] / spacing)) + 1);
  }
  const auto nx = static_cast<std::size_t>(field.size[0]);
  const auto ny = static_cast<std::size_t>(field.size[1]);
  const auto nz = static_cast<std::size_t>(field.size[2]);
  field.distance.resize(nx * ny * nz);
  const Coarse coarse = make_coarse(shape, field);
  parallel_for(ny * nz, 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::size_t j = row % ny, k = row / ny;
      for (std::size_t i = 0; i < nx; ++i) {
        const Vec3d x = field.low + spacing * Vec3d{static_cast<double>(i), static_cast<double>(j),
                                                    static_cast<double>(k)};
        double value = 0;
        if (!coarse.is_far(i, j, k, value)) value = mesh::signed_distance(shape, x);
        field.distance[row * nx + i] = static_cast<float>(value);
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
