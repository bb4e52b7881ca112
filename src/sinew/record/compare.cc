#include "sinew/record/compare.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/text.h"
#include "sinew/mesh/surface_distance.h"

namespace sinew::record {
namespace {

constexpr double kSameTime = 1e-6;  // s: frames of both that show one moment

struct Moment {
  double time;
  std::size_t frame_a, frame_b;
};

std::vector<double> read_times(const RecordingReader& recording) {
  std::vector<double> times;
  for (std::size_t k = 0; k < recording.num_frames(); ++k) times.push_back(recording.read_time(k));
  return times;
}

std::vector<Moment> find_moments(const RecordingReader& a, const RecordingReader& b,
                                 std::size_t stride) {
  const std::vector<double> times_a = read_times(a), times_b = read_times(b);
  std::vector<Moment> all, taken;
  for (std::size_t i = 0, j = 0; i < times_a.size() && j < times_b.size();) {
    if (std::abs(times_a[i] - times_b[j]) <= kSameTime) {
      all.push_back({times_a[i], i, j});
      ++i, ++j;
    } else if (times_a[i] < times_b[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  if (all.empty()) {
    throw InputError(b.path(), "/frames/time",
                     fmt::format("no frame shows a moment that \"{}\" has too; use the same "
                                 "frame_rate in both scenes",
                                 printable(a.path())));
  }
  for (std::size_t i = 0; i < all.size(); i += stride) taken.push_back(all[i]);
  if ((all.size() - 1) % stride != 0) taken.push_back(all.back());
  return taken;
}

std::size_t find_body(const RecordingReader& recording, const std::string& name) {
  std::vector<std::string> names;
  for (const engine::BodyTopology& body : recording.info().bodies) {
    if (body.name == name) return names.size();
    names.push_back(body.name);
  }
  throw InputError(
      recording.path(), "/bodies",
      fmt::format("has no body \"{}\"; it has {}", printable(name), fmt::join(names, ", ")));
}

struct BodyPair {
  std::size_t a, b;
};

std::vector<BodyPair> find_pairs(const RecordingReader& a, const RecordingReader& b,
                                 const CompareSettings& settings) {
  std::vector<BodyPair> pairs;
  for (const auto& [name_a, name_b] : settings.bodies) {
    pairs.push_back({find_body(a, name_a), find_body(b, name_b)});
  }
  if (!pairs.empty()) return pairs;
  const auto& bodies_a = a.info().bodies;
  const auto& bodies_b = b.info().bodies;
  for (std::size_t i = 0; i < bodies_a.size(); ++i) {
    for (std::size_t j = 0; j < bodies_b.size(); ++j) {
      const bool solid = !bodies_a[i].triangles.empty() && !bodies_b[j].triangles.empty();
      if (bodies_a[i].name == bodies_b[j].name && solid) pairs.push_back({i, j});
    }
  }
  if (pairs.empty()) {
    throw InputError(b.path(), "/bodies",
                     fmt::format("no body has the name of one of \"{}\"; say which belong together "
                                 "with --body A=B",
                                 printable(a.path())));
  }
  return pairs;
}

mesh::Surface make_surface(const std::vector<Vec3f>& vertices,
                           const std::vector<std::array<std::uint32_t, 3>>& triangles) {
  mesh::Surface surface;
  surface.positions.reserve(vertices.size());
  for (const Vec3f& x : vertices)
    surface.positions.push_back({double{x.x}, double{x.y}, double{x.z}});
  surface.triangles = triangles;
  return surface;
}

std::vector<double> compute_areas(const mesh::Surface& surface) {
  std::vector<double> areas(surface.positions.size());
  for (const auto& t : surface.triangles) {
    const Vec3d& a = surface.positions[t[0]];
    const double area = norm(cross(surface.positions[t[1]] - a, surface.positions[t[2]] - a)) / 6;
    for (const std::uint32_t v : t) areas[v] += area;
  }
  return areas;
}

ComparedBody compare_bodies(const RecordingReader& a, const RecordingReader& b,
                            const BodyPair& pair, const std::vector<Moment>& moments) {
  const engine::BodyTopology& top_a = a.info().bodies[pair.a];
  const engine::BodyTopology& top_b = b.info().bodies[pair.b];
  ComparedBody body;
  body.name_a = top_a.name, body.name_b = top_b.name;
  const mesh::Bounds box =
      mesh::compute_bounds(make_surface(top_a.rest_surface, top_a.triangles).positions);
  body.size = norm(box.high - box.low);
  for (const Moment& moment : moments) {
    const mesh::Surface of_a =
        make_surface(a.read_body(moment.frame_a, pair.a).surface, top_a.triangles);
    const mesh::Surface of_b =
        make_surface(b.read_body(moment.frame_b, pair.b).surface, top_b.triangles);
    body.a_to_b.push_back(compute_gap(of_a, of_b));
    body.b_to_a.push_back(compute_gap(of_b, of_a));
    body.volume_a.push_back(mesh::compute_volume(of_a));
    body.volume_b.push_back(mesh::compute_volume(of_b));
  }
  return body;
}

std::vector<ComparedMeasure> compare_measures(const RecordingReader& a, const RecordingReader& b,
                                              const std::vector<Moment>& moments) {
  std::vector<ComparedMeasure> measures;
  const auto& columns_a = a.info().certificate;
  const auto& columns_b = b.info().certificate;
  for (std::size_t i = 0; i < columns_a.size(); ++i) {
    const auto same = std::find(columns_b.begin(), columns_b.end(), columns_a[i]);
    if (same == columns_b.end() || columns_a[i].unit == "ms") continue;
    const std::vector<double> of_a = a.read_measure(i, 0);
    const std::vector<double> of_b =
        b.read_measure(static_cast<std::size_t>(same - columns_b.begin()), 0);
    ComparedMeasure measure{columns_a[i].name, columns_a[i].unit, {}, {}};
    for (const Moment& moment : moments) {
      measure.a.push_back(of_a[moment.frame_a]);
      measure.b.push_back(of_b[moment.frame_b]);
    }
    measures.push_back(std::move(measure));
  }
  return measures;
}

}  // namespace

SurfaceGap compute_gap(const mesh::Surface& from, const mesh::Surface& to) {
  const mesh::SurfaceDistance distance(to);
  std::vector<std::pair<double, double>> gaps(from.positions.size());  // with their areas
  const std::vector<double> areas = compute_areas(from);
  parallel_for(gaps.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      gaps[v] = {std::abs(distance.sample(from.positions[v]).distance), areas[v]};
    }
  });
  double area = 0;
  SurfaceGap gap;
  for (const auto& [d, weight] : gaps) {
    gap.mean += d * weight, area += weight;
    gap.largest = std::max(gap.largest, d);
  }
  gap.mean /= area;
  std::sort(gaps.begin(), gaps.end());
  double below = 0;
  for (const auto& [d, weight] : gaps) {
    below += weight;
    gap.p99 = d;
    if (below >= 0.99 * area) break;
  }
  return gap;
}

Comparison compare(const RecordingReader& a, const RecordingReader& b,
                   const CompareSettings& settings) {
  const std::vector<BodyPair> pairs = find_pairs(a, b, settings);
  const std::vector<Moment> moments = find_moments(a, b, settings.stride);
  Comparison comparison;
  for (const Moment& moment : moments) comparison.times.push_back(moment.time);
  for (const BodyPair& pair : pairs) {
    comparison.bodies.push_back(compare_bodies(a, b, pair, moments));
  }
  comparison.measures = compare_measures(a, b, moments);
  return comparison;
}

std::string make_csv(const Comparison& comparison) {
  std::string text = "time [s]";
  for (const ComparedBody& body : comparison.bodies) {
    for (const char* way : {"a_to_b", "b_to_a"}) {
      for (const char* what : {"mean", "p99", "largest"}) {
        text += fmt::format(",{}.{}.{} [m]", body.name_a, way, what);
      }
    }
    text += fmt::format(",{0}.volume_a [m^3],{0}.volume_b [m^3]", body.name_a);
  }
  for (const ComparedMeasure& measure : comparison.measures) {
    text += fmt::format(",{0}.a [{1}],{0}.b [{1}]", measure.name, measure.unit);
  }
  text += "\n";
  for (std::size_t i = 0; i < comparison.times.size(); ++i) {
    text += fmt::format("{}", comparison.times[i]);
    for (const ComparedBody& body : comparison.bodies) {
      for (const SurfaceGap& gap : {body.a_to_b[i], body.b_to_a[i]}) {
        text += fmt::format(",{},{},{}", gap.mean, gap.p99, gap.largest);
      }
      text += fmt::format(",{},{}", body.volume_a[i], body.volume_b[i]);
    }
    for (const ComparedMeasure& measure : comparison.measures) {
      text += fmt::format(",{},{}", measure.a[i], measure.b[i]);
    }
    text += "\n";
  }
  return text;
}

}  // namespace sinew::record
