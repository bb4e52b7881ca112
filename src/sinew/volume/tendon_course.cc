#include "sinew/volume/tendon_course.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/volume/crop.h"
#include "sinew/volume/shortest_path.h"

namespace sinew::volume {
namespace {

constexpr double kRoom = 2;             // times the gap, where the way is looked for
constexpr double kTurn = 0.2;           // rad, off the muscle's line, that doubles the cost
constexpr double kWidest = 1.3;         // rad, off the muscle's line, that a way may go
constexpr double kMostSpread = 1.5;     // of the radius, where neighbours take part of it
constexpr std::size_t kSmoothing = 3;   // points of the course to both sides
constexpr double kNearTip = 0.01;       // m, within which it may go anywhere
constexpr int kSweeps = 1000;           // of straightening
constexpr double kKnotSpacing = 8e-3;   // m, of the spline
constexpr double kPointSpacing = 1e-3;  // m, of the course

// The voxel of the muscle that is nearest to a place.
std::size_t find_source(const LabelVolume& part, std::uint16_t muscle, const Vec3d& place) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t at = 0; at < part.voxels.size(); ++at) {
    if (part.voxels[at] != muscle) continue;
    const double distance = norm(position_of(part.grid, index_at(part.grid, at)) - place);
    if (distance < least) least = distance, best = at;
  }
  return best;
}

double angle_off_line(const MuscleTip& tip, const Vec3d& place) {
  const Vec3d chord = place - tip.place;
  const double cosine = dot(chord, tip.direction) / std::max(norm(chord), 1e-12);
  return std::acos(std::clamp(cosine, -1.0, 1.0));
}

// How much a way to here costs as a tendon: more, the more it turns off the muscle's line.
double rate_goal(const MuscleTip& tip, const Vec3d& place, float length) {
  const double turn = angle_off_line(tip, place) / kTurn;
  return static_cast<double>(length) * (1 + turn * turn);
}

// Costs of find_paths: open are background ahead of the tip and the muscle next to it.
std::vector<float> open_cone(const LabelVolume& part, std::uint16_t muscle, const MuscleTip& tip) {
  std::vector<float> costs(part.voxels.size());
  for (std::size_t at = 0; at < costs.size(); ++at) {
    if (part.voxels[at] != 0 && part.voxels[at] != muscle) continue;
    const Vec3d place = position_of(part.grid, index_at(part.grid, at));
    const bool open = norm(place - tip.place) < kNearTip || angle_off_line(tip, place) < kWidest;
    costs[at] = open ? 1.0F : 0.0F;
  }
  return costs;
}

// A voxel of the bones across a face, or the voxel itself where there is none.
std::size_t find_bone_beside(const LabelVolume& part, std::size_t at,
                             std::span<const std::uint16_t> bones) {
  const Index index = index_at(part.grid, at);
  for (std::size_t face = 0; face < 6; ++face) {
    Index next = index;
    next[face / 2] += face % 2 == 0 ? 1 : -1;
    if (!contains(part.grid, next)) continue;
    const std::size_t beside = offset_of(part.grid, next);
    if (is_among(bones, part.voxels[beside])) return beside;
  }
  return at;
}

bool is_open(const LabelVolume& part, std::uint16_t muscle, const Vec3d& place) {
  const Vec3d at = index_of(part.grid, place);
  const Index index = {static_cast<std::int32_t>(std::lround(at.x)),
                       static_cast<std::int32_t>(std::lround(at.y)),
                       static_cast<std::int32_t>(std::lround(at.z))};
  if (!contains(part.grid, index)) return false;
  const std::uint16_t label = part.voxels[offset_of(part.grid, index)];
  return label == 0 || label == muscle;
}

// Pulls the way taut: of all ways that are equally short in steps between voxels, the path found is
// one that turns where voxels do. Its ends stay, and so does what would go through other labels.
void straighten(const LabelVolume& part, std::uint16_t muscle, std::vector<Vec3d>& way) {
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::size_t n = 1; n + 1 < way.size(); ++n) {
      const Vec3d middle = 0.5 * (way[n - 1] + way[n + 1]);
      if (is_open(part, muscle, middle)) way[n] = middle;
    }
  }
}

std::vector<Vec3d> find_way(const LabelVolume& part, std::uint16_t muscle, const MuscleTip& tip,
                            std::span<const std::uint16_t> bones) {
  const auto place_of = [&](std::size_t at) {
    return position_of(part.grid, index_at(part.grid, at));
  };
  const PathField field =
      find_paths(part.grid, open_cone(part, muscle, tip), {find_source(part, muscle, tip.place)});
  std::size_t goal = part.voxels.size();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t at = 0; at < part.voxels.size(); ++at) {
    if (!std::isfinite(field.lengths[at]) || find_bone_beside(part, at, bones) == at) continue;
    const double rating = rate_goal(tip, place_of(at), field.lengths[at]);
    if (rating < least) least = rating, goal = at;
  }
  std::vector<Vec3d> way;
  if (goal == part.voxels.size()) return way;
  for (const std::size_t at : trace_path(field, goal)) way.push_back(place_of(at));
  way.front() = tip.place;
  straighten(part, muscle, way);
  way.push_back(place_of(find_bone_beside(part, goal, bones)));
  return way;
}

// Points of the way every `kKnotSpacing`, each the mean of those around it; first and last stay.
std::vector<Vec3d> choose_knots(const std::vector<Vec3d>& way) {
  std::vector<double> along(way.size());
  for (std::size_t n = 1; n < way.size(); ++n) along[n] = along[n - 1] + norm(way[n] - way[n - 1]);
  const auto pieces = std::max(1, static_cast<int>(std::lround(along.back() / kKnotSpacing)));
  std::vector<Vec3d> knots = {way.front()};
  for (int piece = 1; piece < pieces; ++piece) {
    const double middle = along.back() * piece / pieces;
    Vec3d sum;
    double count = 0;
    for (std::size_t n = 0; n < way.size(); ++n) {
      if (std::abs(along[n] - middle) > 0.5 * kKnotSpacing) continue;
      sum += way[n];
      count += 1;
    }
    if (count > 0) knots.push_back(sum / count);
  }
  knots.push_back(way.back());
  return knots;
}

// Uniform Catmull-Rom spline between p1 and p2.
Vec3d interpolate(const Vec3d& p0, const Vec3d& p1, const Vec3d& p2, const Vec3d& p3, double t) {
  return 0.5 * (2.0 * p1 + t * (p2 - p0) + t * t * (2.0 * p0 - 5.0 * p1 + 4.0 * p2 - p3) +
                t * t * t * (3.0 * p1 - p0 - 3.0 * p2 + p3));
}

// Calls visit(offset) for the voxels within `radius`, m, of a place.
template <class Visit>
void visit_ball(const Grid& grid, const Vec3d& place, double radius, const Visit& visit) {
  const VoxelBox box = make_voxel_box(grid, place, radius);
  Index index{};
  for (index[2] = box.low[2]; index[2] <= box.high[2]; ++index[2]) {
    for (index[1] = box.low[1]; index[1] <= box.high[1]; ++index[1]) {
      for (index[0] = box.low[0]; index[0] <= box.high[0]; ++index[0]) {
        const Vec3d away = position_of(grid, index) - place;
        if (dot(away, away) <= radius * radius) visit(offset_of(grid, index));
      }
    }
  }
}

// How much wider than a free one a tendon is drawn, so that it keeps its section where neighbours
// take a part of it: flat between two muscles.
double measure_spread(const LabelVolume& labels, std::uint16_t muscle, const Vec3d& place,
                      double radius) {
  double free = 0, all = 0;
  visit_ball(labels.grid, place, radius, [&](std::size_t at) {
    const std::uint16_t label = labels.voxels[at];
    free += label == 0 || label == muscle ? 1 : 0;
    all += 1;
  });
  return free > 0 ? std::min(kMostSpread, std::sqrt(all / free)) : kMostSpread;
}

// (num_points) radii along the course, m.
std::vector<double> choose_radii(const LabelVolume& labels, std::uint16_t muscle,
                                 const std::vector<Vec3d>& course, double first, double last) {
  std::vector<double> plain(course.size()), spread(course.size());
  for (std::size_t n = 0; n < course.size(); ++n) {
    const double t = static_cast<double>(n) / static_cast<double>(course.size() - 1);
    plain[n] = first + t * (last - first);
    spread[n] = measure_spread(labels, muscle, course[n], plain[n]);
  }
  std::vector<double> radii(course.size());
  for (std::size_t n = 0; n < course.size(); ++n) {
    const std::size_t begin = n - std::min(n, kSmoothing);
    const std::size_t end = std::min(n + kSmoothing + 1, course.size());
    double sum = 0;
    for (std::size_t m = begin; m < end; ++m) sum += spread[m];
    radii[n] = plain[n] * sum / static_cast<double>(end - begin);
  }
  return radii;
}

}  // namespace

std::vector<Vec3d> find_tendon_course(const LabelVolume& labels, std::uint16_t muscle,
                                      const MuscleTip& tip, std::span<const std::uint16_t> bones,
                                      double gap) {
  const VoxelBox box = make_voxel_box(labels.grid, tip.place, kRoom * gap);
  const std::vector<Vec3d> way = find_way(crop(labels, box.low, box.high), muscle, tip, bones);
  if (way.size() < 2) return {};
  const std::vector<Vec3d> knots = choose_knots(way);
  std::vector<Vec3d> course = {knots.front()};
  for (std::size_t n = 0; n + 1 < knots.size(); ++n) {
    const Vec3d& p0 = n == 0 ? knots[n] : knots[n - 1];
    const Vec3d& p3 = n + 2 < knots.size() ? knots[n + 2] : knots[n + 1];
    const int steps =
        std::max(1, static_cast<int>(std::ceil(norm(knots[n + 1] - knots[n]) / kPointSpacing)));
    for (int step = 1; step <= steps; ++step) {
      course.push_back(interpolate(p0, knots[n], knots[n + 1], p3, double(step) / steps));
    }
  }
  return course;
}

std::vector<std::size_t> find_tendon_voxels(const LabelVolume& labels, std::uint16_t muscle,
                                            const std::vector<Vec3d>& course, double first_radius,
                                            double last_radius) {
  const std::vector<double> radii = choose_radii(labels, muscle, course, first_radius, last_radius);
  std::vector<std::size_t> voxels;
  for (std::size_t n = 0; n < course.size(); ++n) {
    visit_ball(labels.grid, course[n], radii[n], [&](std::size_t at) {
      if (labels.voxels[at] == 0) voxels.push_back(at);
    });
  }
  std::sort(voxels.begin(), voxels.end());
  voxels.erase(std::unique(voxels.begin(), voxels.end()), voxels.end());
  return voxels;
}

}  // namespace sinew::volume
