// Lengths and moment arms against tables that OpenSim computed.
#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>

#include <gtest/gtest.h>

#include "sinew/skeleton/read_osim.h"

#include "shared_data.h"
#include "wrap_scenes.h"

namespace sinew::skeleton {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& text, char border) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, border);) parts.push_back(part);
  return parts;
}

// One row of a table: what OpenSim found in a pose.
struct Row {
  std::string muscle, coordinate;  // no coordinate: a length
  double value;                    // m
  std::vector<double> q;
};

std::vector<Row> read_rows(const fs::path& file, const Skeleton& skeleton, bool lengths) {
  std::vector<Row> rows;
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    const std::vector<std::string> cells = split(line, ',');
    if (cells.size() < 4) continue;
    Row row{cells[0], lengths ? "" : cells[1], std::stod(cells[2]), rest_pose(skeleton)};
    const std::vector<std::string> settings = split(cells.back(), ';');
    for (const std::string& setting : settings) {
      const std::vector<std::string> pair = split(setting, '=');
      row.q[find_coordinate(skeleton, pair[0])] = std::stod(pair[1]);
    }
    apply_couplers(skeleton, row.q);
    rows.push_back(row);
  }
  return rows;
}

// The largest difference over the rows that `counts` admits, m.
double largest_error(const Skeleton& skeleton, const std::vector<Row>& rows, WrapRules rules,
                     const std::function<bool(const Row&)>& counts) {
  double worst = 0;
  for (const Row& row : rows) {
    if (!counts(row)) continue;
    const PathTable table = evaluate_pose(skeleton, row.q, rules);
    const std::size_t muscle = find_muscle(skeleton, row.muscle);
    const std::size_t coordinate = find_coordinate(skeleton, row.coordinate);
    const double found = coordinate == kNone
                             ? table.lengths[muscle]
                             : table.moment_arms[muscle * skeleton.coordinates.size() + coordinate];
    worst = std::max(worst, std::abs(found - row.value));
  }
  return worst;
}

TEST(PathsOpenSim, Arm26AgreesWithStoredLengthsAndMomentArms) {
  const fs::path folder = find_shared_data() / "opensim/moment_arms";
  if (!fs::exists(folder)) GTEST_SKIP() << "skipped: no data";
  const Skeleton skeleton = read_osim((folder / "arm26_myoconverter.osim").string());
  const auto arms = read_rows(folder / "arm26_moment_arms.csv", skeleton, false);
  const auto lengths = read_rows(folder / "arm26_lengths_forces.csv", skeleton, true);
  ASSERT_EQ(arms.size(), 225u);
  ASSERT_EQ(lengths.size(), 90u);
  // There OpenSim mixes positions of different rounds where a path has two objects at once.
  const std::size_t elevation = find_coordinate(skeleton, "r_shoulder_elev");
  const auto counts = [&](const Row& row) {
    return row.muscle != "TRIlong" || row.q[elevation] <= 1.1;
  };
  EXPECT_LT(largest_error(skeleton, arms, WrapRules::kOpenSim, counts), 1e-4);
  EXPECT_LT(largest_error(skeleton, lengths, WrapRules::kOpenSim, counts), 1e-4);
  // OpenSim's plane cuts and slides are not quite the shortest ways.
  EXPECT_LT(largest_error(skeleton, arms, WrapRules::kGeodesic, counts), 5e-4);
  EXPECT_LT(largest_error(skeleton, lengths, WrapRules::kGeodesic, counts), 5e-5);
}

TEST(PathsOpenSim, TheLegAgreesWithStoredLengthsAndMomentArms) {
  const fs::path folder = find_shared_data() / "opensim/leg_gait10dof18musc";
  if (!fs::exists(folder)) GTEST_SKIP() << "skipped: no data";
  const Skeleton skeleton = read_osim((folder / "gait10dof18musc_myoconverter.osim").string());
  const auto arms = read_rows(folder / "gait10dof18musc_moment_arms.csv", skeleton, false);
  const auto lengths = read_rows(folder / "gait10dof18musc_lengths_forces.csv", skeleton, true);
  ASSERT_GT(arms.size() + lengths.size(), 2000u);
  const auto all = [](const Row&) { return true; };
  for (const WrapRules rules : {WrapRules::kOpenSim, WrapRules::kGeodesic}) {
    EXPECT_LT(largest_error(skeleton, arms, rules, all), 1e-5);
    EXPECT_LT(largest_error(skeleton, lengths, rules, all), 1e-5);
  }
}

// A pose within the coordinates' ranges.
std::vector<double> draw_pose(const Skeleton& skeleton, std::mt19937& random) {
  std::vector<double> q = rest_pose(skeleton);
  for (std::size_t i = 0; i < q.size(); ++i) {
    const Coordinate& coordinate = skeleton.coordinates[i];
    const double widest = coordinate.rotational ? 3 : 0.1;
    const double low = std::max(coordinate.range[0], -widest);
    const double high = std::min(coordinate.range[1], widest);
    if (!coordinate.locked && high > low) q[i] = draw(random, low, high);
  }
  apply_couplers(skeleton, q);
  return q;
}

// Differences of all muscles at once, along one coordinate.
std::vector<double> differentiate_lengths(const Skeleton& skeleton, const std::vector<double>& q,
                                          std::size_t coordinate) {
  constexpr double kStep = 2e-5;
  const auto lengths = [&](double by) {
    std::vector<double> moved = q;
    moved[coordinate] += by;
    apply_couplers(skeleton, moved);
    return evaluate_pose(skeleton, moved, WrapRules::kGeodesic).lengths;
  };
  const auto a = lengths(-2 * kStep), b = lengths(-kStep), c = lengths(kStep),
             d = lengths(2 * kStep);
  std::vector<double> slopes(a.size());
  for (std::size_t m = 0; m < a.size(); ++m) {
    slopes[m] = -(8 * (c[m] - b[m]) - (d[m] - a[m])) / (12 * kStep);
  }
  return slopes;
}

class PathsOfModel : public testing::TestWithParam<const char*> {};

TEST_P(PathsOfModel, HaveMomentArmsThatAreDerivativesOfLengths) {
  const fs::path file = find_shared_data() / "opensim" / GetParam();
  if (!fs::exists(file)) GTEST_SKIP() << "skipped: no data";
  const Skeleton skeleton = read_osim(file.string());
  const std::size_t count = skeleton.coordinates.size();
  std::mt19937 random(2);
  for (int n = 0; n < 6; ++n) {
    const std::vector<double> q = draw_pose(skeleton, random);
    const PathTable table = evaluate_pose(skeleton, q, WrapRules::kGeodesic);
    for (std::size_t c = 0; c < count; ++c) {
      if (skeleton.coordinates[c].coupler) continue;
      const std::vector<double> slopes = differentiate_lengths(skeleton, q, c);
      for (std::size_t m = 0; m < slopes.size(); ++m) {
        EXPECT_NEAR(table.moment_arms[m * count + c], slopes[m], 1e-6)
            << skeleton.muscles[m].name << " " << skeleton.coordinates[c].name;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, PathsOfModel,
                         testing::Values("arm26_core/arm26.osim", "upper_extremity/das4_v4.osim",
                                         "upper_extremity/ThoracoscapularShoulderModel.osim",
                                         "upper_extremity/wrist.osim",
                                         "eye_upat/UPAT_Eye_Model_Passive_Pulleys_v4.osim"),
                         [](const auto& each) {
                           std::string name = fs::path(each.param).stem().string();
                           std::erase(name, '_');
                           return name;
                         });

}  // namespace
}  // namespace sinew::skeleton
