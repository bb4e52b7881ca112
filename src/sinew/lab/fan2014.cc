// The claims of fan2014, each on a small version of its figure.
#include "sinew/lab/fan2014.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "sinew/lab/experiments.h"

namespace sinew::lab {
namespace {

constexpr double kAny = HUGE_VAL;
constexpr int kCells = 32;  // a side of the crushed cube's grid

double largest_change(const VolumeCurve& curve) {
  double worst = 0;
  for (const double v : curve.volume) worst = std::max(worst, std::abs(v - 1));
  return worst;
}

Series per_mille(const std::string& name, const VolumeCurve& curve) {
  Series series{name, curve.time, {}};
  for (const double v : curve.volume) series.y.push_back(1000 * (v - 1));
  return series;
}

void add_volume(Result& result) {
  VolumeCurve none = crush_cube(eulerian::VolumeMode::kNone, kCells);
  const VolumeCurve velocity = crush_cube(eulerian::VolumeMode::kVelocity, kCells);
  const VolumeCurve stabilised = crush_cube(eulerian::VolumeMode::kStabilized, kCells);
  result.rows.push_back(
      within("cube without constraint: change", largest_change(none), "1", 0.2, 1));
  result.rows.push_back(
      within("cube, div v = 0: change", largest_change(velocity), "1", 0.003, 0.05));
  result.rows.push_back(
      within("cube stabilised: change", largest_change(stabilised), "1", 0, 0.002));
  result.rows.push_back(
      within("cube stabilised: change by surface", stabilised.surface_change, "1", 0, 0.002));
  result.rows.push_back(within("cube stabilised: rms of J - 1", stabilised.spread, "1", 0, 0.015));
  result.plots.push_back({"volume",
                          "A crushed cube",
                          {"time", "s"},
                          {"volume", "volume at rest"},
                          {{"none", none.time, std::move(none.volume)},
                           {"velocity", velocity.time, velocity.volume, Stroke::kDashed},
                           {"stabilized", stabilised.time, stabilised.volume}},
                          "Without a constraint the cube is smashed (Fig. 7, 8)."});
  result.plots.push_back({"volume-kept",
                          "The two that keep their volume",
                          {"time", "s"},
                          {"change of volume", "per mille"},
                          {per_mille("velocity", velocity), per_mille("stabilized", stabilised)},
                          "With div v = 0 the volume drifts; stabilised it is drawn back."});
}

void add_bodies(Result& result) {
  const ActiveBar bar = activate_bar();
  result.rows.push_back(within("active shape: ends leave their place by", bar.ends, "m", 0, 1e-6));
  result.rows.push_back(
      within("active shape: shift of the centroid", bar.centroid_shift, "lengths", 0.1, 1));
  result.rows.push_back(within("active shape: volume", bar.volume_change, "1", 0, 0.0025));
  result.rows.push_back(within("active shape: jiggle", bar.jiggle, "1", 0, 1e-5));
  const Slide slide = slide_blocks();
  result.rows.push_back(within("sliding: way", slide.way, "cells", 4.5, 5.5));
  result.rows.push_back(within("sliding: gap", slide.gap, "cells", 0, 0.1));
  result.rows.push_back(within("sliding: overlap", slide.overlap, "1", 0, 0.003));
  result.rows.push_back(within("sliding: volume", slide.volumes, "1", 0, 0.005));
  result.rows.push_back(within("pulled away: follows by", slide.follows, "cells", 0.05, 0.5));
  result.rows.push_back(within("ball in its socket: overlap", turn_ball(), "1", 0, 0.001));
  const Drop drop = drop_pair();
  result.rows.push_back(within("drop: penetration", drop.penetration, "cells", 0, 0.05));
  result.rows.push_back(within("drop: volume of the one that keeps it", drop.kept, "1", 0, 0.01));
  result.rows.push_back(within("drop: volume of the other", drop.free, "1", 0.04, 1));
}

void add_eye(Result& result) {
  EyeRun eye = turn_eye(0.0012, 0.6);
  const auto [low, high] = std::minmax_element(eye.gaze.begin(), eye.gaze.end());
  result.rows.push_back(within("eye: to the nose", *high, "degrees", 15, 45));
  result.rows.push_back(within("eye: outwards", -*low, "degrees", 15, 45));
  result.rows.push_back(within("eye: left at", std::abs(eye.gaze.back()), "degrees", 0, 1.5));
  result.rows.push_back(within("eye: volume", eye.volume_change, "1", 0, 0.01));
  result.plots.push_back({"gaze",
                          "An eye",
                          {"time", "s"},
                          {"gaze", "degrees"},
                          {{"gaze", eye.time, std::move(eye.gaze)}},
                          "The medial, then the lateral rectus turn the globe, which returns "
                          "(Fig. 10)."});
  result.plots.push_back({"eye-tension",
                          "Its muscles",
                          {"time", "s"},
                          {"tension", "N"},
                          {{"medial rectus", eye.time, std::move(eye.medial)},
                           {"lateral rectus", eye.time, std::move(eye.lateral), Stroke::kDashed}},
                          "Both pull alike while the globe stands still."});
}

void add_punch(Result& result) {
  Punch punch = throw_punch();
  result.rows.push_back(within("boxer: flexed by",
                               *std::max_element(punch.elbow.begin(), punch.elbow.end()), "degrees",
                               20, 75));
  result.rows.push_back(within("boxer: rebound", punch.rebound, "degrees", 2, 60));
  result.rows.push_back(within("boxer: penetration", punch.penetration, "cells", 0, 0.5));
  result.rows.push_back(within("boxer: jolt of the extensor", punch.jolt, "N", 5, 1000));
  result.rows.push_back(
      within("boxer: tissue shaken, times before the blow", punch.shake, "1", 2, kAny));
  result.plots.push_back({"elbow",
                          "A boxer's arm",
                          {"time", "s"},
                          {"elbow", "degrees"},
                          {{"elbow", punch.time, std::move(punch.elbow)}},
                          "Flexed, then thrown at a box, from which the glove bounces (Fig. 13)."});
  result.plots.push_back({"impact",
                          "The impact in the tissue",
                          {"time", "s"},
                          {"kinetic energy seen from the bones", "J"},
                          {{"muscles and glove", punch.time, std::move(punch.kinetic)}},
                          "The blow is felt in the tissue."});
  result.plots.push_back({"punch-tension",
                          "The extensor",
                          {"time", "s"},
                          {"tension", "N"},
                          {{"triceps", punch.time, std::move(punch.tension)}},
                          ""});
}

}  // namespace

Result run_fan2014(const Options& options) {
  Result result;
  if (!options.grids) return result;
  add_volume(result);
  add_bodies(result);
  add_eye(result);
  add_punch(result);
  return result;
}

}  // namespace sinew::lab
