// What CalculiX says of the files that are written for it: every case of every experiment.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "sinew/brick/assembly.h"
#include "sinew/brick/modes.h"
#include "sinew/brick/static_solution.h"
#include "sinew/core/temporary_file.h"
#include "sinew/lab/catalog.h"
#include "sinew/lab/emit.h"

namespace sinew::lab {
namespace {

namespace fs = std::filesystem;

constexpr double kAgreement = 1e-4;  // CalculiX prints seven digits

bool has_calculix() {
  return std::system("command -v ccx > /dev/null 2>&1") == 0;
}

// Runs a case in a folder of its own; the text of its .dat file.
std::string run_calculix(const SolidCase& solid) {
  const fs::path folder = fs::path(testing::TempDir()) / ("ccx-" + solid.name);
  fs::remove_all(folder);
  fs::create_directories(folder);
  write_file((folder / "case.inp").string(), make_calculix_input(solid));
  const std::string command =
      "cd '" + folder.string() + "' && OMP_NUM_THREADS=1 ccx case > ccx.log 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << folder;
  std::ifstream in(folder / "case.dat");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<Vec3d> read_displacements(const std::string& dat, std::size_t count) {
  std::vector<Vec3d> u;
  std::istringstream in(dat.substr(dat.find("displacements")));
  std::string line;
  std::getline(in, line);
  std::size_t node = 0;
  Vec3d d{};
  while (u.size() < count && in >> node >> d.x >> d.y >> d.z) {
    EXPECT_EQ(node, u.size() + 1);
    u.push_back(d);
  }
  return u;
}

// A case of bricks of 20 nodes as it is solved here.
struct OwnCase {
  brick::Matrices matrices;
  std::vector<char> held;
  std::vector<Vec3d> moved;  // (num_nodes) by supports
};
OwnCase assemble_case(const SolidCase& solid) {
  brick::BrickMesh mesh;
  mesh.rest_positions = solid.nodes;
  for (const auto& e : solid.elements) {
    brick::BrickIndices brick{};
    std::copy(e.begin(), e.end(), brick.begin());
    mesh.bricks.push_back(brick);
  }
  const brick::LinearMaterial material{
      material::compute_lame(solid.young_modulus, solid.poisson_ratio), solid.density};
  OwnCase own{brick::assemble(mesh, std::span(&material, 1), brick::Rule::k27),
              std::vector<char>(solid.nodes.size(), 0), std::vector<Vec3d>(solid.nodes.size())};
  for (const Support& support : solid.supports) {
    EXPECT_EQ(support.held, (std::array<bool, 3>{true, true, true}));
    for (const std::uint32_t n : support.nodes) {
      own.held[n] = 1;
      own.moved[n] = support.displacement;
    }
  }
  return own;
}

void compare_displacements(const SolidCase& solid, const std::string& dat) {
  const std::vector<Vec3d> theirs = read_displacements(dat, solid.nodes.size());
  ASSERT_EQ(theirs.size(), solid.nodes.size()) << solid.name;
  const OwnCase own = assemble_case(solid);
  // What supports move pulls at the others.
  std::vector<Vec3d> loads = brick::compute_loads(own.matrices.mass, solid.gravity);
  const std::vector<Vec3d> pull = brick::multiply(own.matrices.stiffness, own.moved);
  for (std::size_t n = 0; n < loads.size(); ++n) loads[n] -= pull[n];
  std::vector<Vec3d> ours =
      brick::solve_static(own.matrices.stiffness, loads, own.held).displacements;
  for (std::size_t n = 0; n < ours.size(); ++n) ours[n] += own.moved[n];
  double sag = 0, size = 0;
  for (const Vec3d& u : ours) sag = std::fmax(sag, norm(u));
  for (const Vec3d& x : solid.nodes) size = std::fmax(size, norm(x));
  EXPECT_GT(sag, 0.01 * size) << solid.name;  // there is something to compare
  for (std::size_t n = 0; n < ours.size(); ++n) {
    EXPECT_LT(norm(ours[n] - theirs[n]), kAgreement * sag) << solid.name << " node " << n + 1;
  }
}

void compare_frequencies(const SolidCase& solid, const std::string& dat) {
  const OwnCase own = assemble_case(solid);
  const auto modes =
      brick::compute_modes(own.matrices, own.held, static_cast<std::size_t>(solid.num_modes));
  // "mode eigenvalue rad/time cycles/time imaginary", from the line of mode 1 on.
  std::istringstream in(dat.substr(dat.find("RAD/TIME")));
  std::string line;
  std::size_t found = 0;
  while (found < modes.size() && std::getline(in, line)) {
    std::istringstream numbers(line);
    std::size_t mode = 0;
    double eigenvalue = 0, radians = 0;
    if (!(numbers >> mode >> eigenvalue >> radians) || mode != found + 1) continue;
    EXPECT_NEAR(modes.frequencies[found] / radians, 1, kAgreement) << solid.name << " " << mode;
    ++found;
  }
  EXPECT_EQ(found, modes.size()) << solid.name;
  EXPECT_GT(found, 0U);
}

TEST(Emit, EveryCaseRunsInCalculiXAndAgrees) {
  if (!has_calculix()) GTEST_SKIP() << "skipped: no ccx (Debian package calculix-ccx)";
  int still = 0, swinging = 0;
  for (const Experiment& experiment : experiments()) {
    if (experiment.cases == nullptr) continue;
    for (const SolidCase& solid : experiment.cases()) {
      const std::string dat = run_calculix(solid);
      const bool modes = solid.analysis == Analysis::kModes;
      ++(modes ? swinging : still);
      modes ? compare_frequencies(solid, dat) : compare_displacements(solid, dat);
    }
  }
  EXPECT_GE(still, 6);
  EXPECT_GE(swinging, 2);
}

}  // namespace
}  // namespace sinew::lab
