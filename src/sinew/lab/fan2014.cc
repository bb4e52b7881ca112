// The claims of fan2014, each on a small version of its figure.
#include "sinew/lab/fan2014.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/lab/experiments.h"

namespace sinew::lab {
namespace {

constexpr double kAny = HUGE_VAL;
constexpr int kCells = 24;  // a side of the crushed cube's grid; with 20 modes differ too little

double largest_change(const VolumeCurve& curve) {
  double worst = 0;
  for (const double v : curve.volume) worst = std::max(worst, std::abs(v - 1));
  return worst;
}

void add_volume(Result& result) {
  const std::pair<const char*, eulerian::VolumeMode> modes[] = {
      {"none", eulerian::VolumeMode::kNone},
      {"velocity", eulerian::VolumeMode::kVelocity},
      {"stabilized", eulerian::VolumeMode::kStabilized}};
  Plot plot{"volume",
            "A crushed cube",
            {"time", "s"},
            {"volume", "volume at rest"},
            {},
            "Without a constraint the cube is smashed; with div v = 0 it drifts; stabilised it "
            "keeps its volume (Fig. 8)."};
  double changes[3];
  for (std::size_t m = 0; m < 3; ++m) {
    VolumeCurve curve = crush_cube(modes[m].second, kCells);
    changes[m] = largest_change(curve);
    plot.series.push_back({modes[m].first, std::move(curve.time), std::move(curve.volume)});
  }
  result.rows.push_back(within("cube without constraint: change", changes[0], "1", 0.2, 1));
  result.rows.push_back(within("cube stabilised: change", changes[2], "1", 0, 0.004));
  result.rows.push_back(
      within("cube, velocity over stabilised", changes[1] / changes[2], "1", 1.2, kAny));
  result.plots.push_back(std::move(plot));
}

void add_bodies(Result& result) {
  const ActiveBar bar = activate_bar();
  result.rows.push_back(
      within("active shape: shift of the centroid", bar.centroid_shift, "lengths", 0.05, 1));
  result.rows.push_back(within("active shape: volume", bar.volume_change, "1", 0, 0.005));
  result.rows.push_back(within("active shape: jiggle", bar.jiggle, "1", 0, 1e-4));
  const Slide slide = slide_blocks();
  result.rows.push_back(within("sliding: way", slide.way, "cells", 4.5, 5.5));
  result.rows.push_back(within("sliding: gap", slide.gap, "cells", 0, 0.1));
  result.rows.push_back(within("sliding: volume", slide.volumes, "1", 0, 0.005));
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
