// Beams of bricks, and what CalculiX says of the files that are written for it.
#include "sinew/lab/beam.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "sinew/brick/modes.h"
#include "sinew/brick/static_solution.h"
#include "sinew/core/temporary_file.h"
#include "sinew/lab/emit.h"
#include "sinew/lab/experiments.h"

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

// A case of bricks of 20 nodes, solved here.
std::vector<Vec3d> solve_sag_case(const SolidCase& solid) {
  brick::BrickMesh mesh;
  mesh.rest_positions = solid.nodes;
  for (const auto& e : solid.elements) {
    brick::BrickIndices brick{};
    std::copy(e.begin(), e.end(), brick.begin());
    mesh.bricks.push_back(brick);
  }
  const brick::LinearMaterial material{
      material::compute_lame(solid.young_modulus, solid.poisson_ratio), solid.density};
  const auto matrices = brick::assemble(mesh, std::span(&material, 1), brick::Rule::k27);
  std::vector<char> held(solid.nodes.size(), 0);
  for (const std::uint32_t n : solid.supports.at(0).nodes) held[n] = 1;
  return brick::solve_static(matrices.stiffness, brick::compute_loads(matrices.mass, solid.gravity),
                             held)
      .displacements;
}

TEST(Beam, SagsAsInCalculiXAndAsTheThesisPrints) {
  const Result result = run_beam({});
  EXPECT_GE(result.rows.size(), 10U);
  for (const CheckRow& row : result.rows) EXPECT_TRUE(row.pass) << row.name << " " << row.value;
}

TEST(Beam, HasTheFrequenciesOfCalculiX) {
  const Result result = run_modes({});
  EXPECT_GE(result.rows.size(), 8U);
  for (const CheckRow& row : result.rows) EXPECT_TRUE(row.pass) << row.name << " " << row.value;
}

TEST(Emit, StaticCasesRunInCalculiXAndAgree) {
  if (!has_calculix()) GTEST_SKIP() << "skipped: no ccx (Debian package calculix-ccx)";
  for (const SolidCase& solid : make_beam_cases()) {
    const std::vector<Vec3d> theirs = read_displacements(run_calculix(solid), solid.nodes.size());
    ASSERT_EQ(theirs.size(), solid.nodes.size()) << solid.name;
    const int count = static_cast<int>(solid.elements.size());
    const Beam beam = make_beam({count, 1, 1}, solid.poisson_ratio, brick::Rule::k27);
    const auto ours =
        brick::solve_static(beam.matrices.stiffness,
                            brick::compute_loads(beam.matrices.mass, solid.gravity), beam.held)
            .displacements;
    const double sag = find_tip_sag(beam, ours);
    EXPECT_GT(sag, 0.5);
    for (std::size_t n = 0; n < ours.size(); ++n) {
      EXPECT_LT(norm(ours[n] - theirs[n]), kAgreement * sag) << solid.name << " node " << n + 1;
    }
  }
}

TEST(Emit, AMuscleHeldAtBothEndsSagsInCalculiXAsHere) {
  if (!has_calculix()) GTEST_SKIP() << "skipped: no ccx (Debian package calculix-ccx)";
  const SolidCase solid = make_sag_cases().at(0);
  const std::vector<Vec3d> theirs = read_displacements(run_calculix(solid), solid.nodes.size());
  const std::vector<Vec3d> ours = solve_sag_case(solid);
  ASSERT_EQ(theirs.size(), ours.size());
  double sag = 0;
  for (const Vec3d& u : ours) sag = std::fmax(sag, -u.y);
  EXPECT_GT(sag, 1e-3);
  for (std::size_t n = 0; n < ours.size(); ++n) {
    EXPECT_LT(norm(ours[n] - theirs[n]), kAgreement * sag) << "node " << n + 1;
  }
}

TEST(Emit, FrequenciesRunInCalculiXAndAgree) {
  if (!has_calculix()) GTEST_SKIP() << "skipped: no ccx (Debian package calculix-ccx)";
  for (const SolidCase& solid : make_mode_cases()) {
    const std::string dat = run_calculix(solid);
    const int count = static_cast<int>(solid.elements.size());
    const Beam beam = make_beam({count, 1, 1}, solid.poisson_ratio, brick::Rule::k27);
    const auto modes =
        brick::compute_modes(beam.matrices, beam.held, static_cast<std::size_t>(solid.num_modes));
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
  }
}

TEST(Emit, FebioFileHoldsEveryNodeAndElement) {
  const SolidCase solid = make_beam_cases()[0];
  const std::string text = make_febio_input(solid);
  const auto count = [&](const std::string& word) {
    std::size_t n = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
      ++n;
    return n;
  };
  EXPECT_EQ(count("<node id="), solid.nodes.size());
  EXPECT_EQ(count("<elem id="), solid.elements.size());
  EXPECT_EQ(count("<bc "), 3U);
  EXPECT_EQ(count("<Mesh>"), count("</Mesh>"));
  EXPECT_NE(text.find("type=\"hex20\""), std::string::npos);
}

}  // namespace
}  // namespace sinew::lab
