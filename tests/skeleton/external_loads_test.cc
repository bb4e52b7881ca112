#include "sinew/skeleton/external_loads.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "sinew/core/error.h"

#include "skeleton/sample_skeletons.h"

namespace sinew::skeleton {
namespace {

std::filesystem::path make_folder(const std::string& name) {
  const auto folder = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::create_directories(folder);
  return folder;
}

void write_table(const std::filesystem::path& path, double force) {
  std::ofstream(path) << "loads\nnRows=2\nnColumns=4\ninDegrees=no\nendheader\ntime\tfx\tfy\tfz\n"
                      << "0\t" << force << "\t0\t0\n1\t" << force << "\t0\t0\n";
}

std::string write_loads(const std::filesystem::path& folder, const std::string& datafile) {
  const auto path = folder / "loads.xml";
  std::ofstream(path) << "<OpenSimDocument><ExternalLoads><objects><ExternalForce name=\"push\">"
                         "<applied_to_body>rod1</applied_to_body><force_identifier>f"
                         "</force_identifier></ExternalForce></objects><datafile>"
                      << datafile << "</datafile></ExternalLoads></OpenSimDocument>";
  return path.string();
}

TEST(ExternalLoads, TheirTableIsLookedForBesideThemFirst) {
  const auto folder = make_folder("loads_beside"), other = make_folder("loads_elsewhere");
  write_table(folder / "table.mot", 3);
  write_table(other / "table.mot", 8);
  const Skeleton skeleton = make_pendulum(1);
  const auto force_of = [&](const std::string& datafile) {
    return read_external_loads(skeleton, write_loads(folder, datafile)).table.rows[0][0];
  };
  EXPECT_EQ(force_of("table.mot"), 3);
  // One of the same name that can be reached by the path itself is not meant.
  EXPECT_EQ(force_of((other / "table.mot").string()), 3);
  EXPECT_EQ(force_of("E:\\study\\table.mot"), 3);
  std::filesystem::remove(folder / "table.mot");
  EXPECT_EQ(force_of((other / "table.mot").string()), 8);
  EXPECT_THROW(force_of("table.mot"), InputError);
}

// A force column over time.
ExternalLoads make_loads(const std::vector<double>& times, const std::vector<double>& forces) {
  ExternalLoads out;
  out.table.file = "walk.mot";
  out.table.columns = {"fx", "fy", "fz"};
  out.table.times = times;
  for (const double force : forces) out.table.rows.push_back({0, force, 0});
  ExternalForce force;
  force.body = 1;
  force.force = {0, 1, 2};
  out.forces.push_back(force);
  return out;
}

std::vector<double> times_between(double first, double last) {
  std::vector<double> out(21);
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = first + (last - first) * static_cast<double>(k) / 20;
  return out;
}

TEST(ExternalLoads, MustFitTheMotionInTime) {
  const auto refused = [](const ExternalLoads& loads, double first, double last) {
    try {
      check_times(loads, times_between(first, last));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const ExternalLoads loads = make_loads({0, 0.5, 1}, {700, 800, 700});
  EXPECT_EQ(check_times(loads, times_between(0, 1)), "");
  EXPECT_EQ(check_times(loads, times_between(-1e-3, 1.04)), "");  // less than a step of the motion
  EXPECT_NE(refused(loads, 2, 3).find("no pose has a load"), std::string::npos);
  EXPECT_NE(refused(loads, 0, 2).find("whose last row has 700 N"), std::string::npos);
  EXPECT_NE(refused(loads, -1, 1).find("whose first row has 700 N"), std::string::npos);
  EXPECT_NE(refused(loads, 0, 2).find("from 0 to 1 s, the motion from 0 to 2 s"),
            std::string::npos);
  // A foot in the air may stay there.
  const ExternalLoads step = make_loads({0, 0.5, 1}, {0, 800, 2});
  EXPECT_NE(check_times(step, times_between(0, 2)).find("9 poses come after the table"),
            std::string::npos);
  EXPECT_NE(check_times(step, times_between(-1, 1)).find("9 poses come before the table"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew::skeleton
