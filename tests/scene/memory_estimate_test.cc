#include "sinew/scene/memory_estimate.h"

#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/eulerian/model.h"
#include "sinew/eulerian/state.h"

namespace sinew::scene {
namespace {

Scene make_tets(const std::string& shape, double resolution, const std::string& integrator) {
  return parse_scene(
      fmt::format("duration = 1\n[solver]\nintegrator = \"{}\"\n[[bodies]]\nname = \"blob\"\n"
                  "resolution = {}\nshape = {}\nmaterial = {{ law = \"neo-hookean\", "
                  "young_modulus = 1e4, poisson_ratio = 0.3, density = 1000 }}\n",
                  integrator, resolution, shape),
      "blob.toml");
}

const std::string kBall = R"({ type = "sphere", center = [0, 0, 0], radius = 0.1 })";
const std::string kRing =
    R"({ type = "torus", center = [0, 0, 0], major_radius = 0.3, minor_radius = 0.03 })";
const std::string kBox = R"({ type = "box", center = [0, 0, 0], size = [0.4, 0.2, 0.1] })";

// Within a tenth where a body has more than a few cells across.
TEST(MemoryEstimate, CountsTheTetrahedraThatALatticeWillHave) {
  for (const auto& [shape, resolution] : {std::pair{kBall, 0.02}, {kRing, 0.015}, {kBox, 0.02}}) {
    const Scene scene = make_tets(shape, resolution, "semi-explicit");
    const auto counted = static_cast<double>(make_model(scene).tets.size());
    const BodyMemory body = estimate_memory(scene).bodies.at(0);
    EXPECT_NEAR(body.count / counted, 1, 0.1) << shape << " at " << resolution;
    EXPECT_STREQ(body.kind, "tetrahedra");
  }
}

TEST(MemoryEstimate, GrowsWithElementsAndWithImplicitSteps) {
  const double some = estimate_memory(make_tets(kBox, 0.01, "semi-explicit")).bodies[0].bytes;
  const double more = estimate_memory(make_tets(kBox, 0.005, "semi-explicit")).bodies[0].bytes;
  const double implicit = estimate_memory(make_tets(kBox, 0.01, "tr-bdf2")).bodies[0].bytes;
  EXPECT_NEAR(more / some, 8, 0.8);
  EXPECT_GT(implicit, 1.5 * some);
}

TEST(MemoryEstimate, CountsCellsOfGridsAndTheirDistances) {
  const auto make = [](int cells) {
    return parse_scene(
        fmt::format("engine = \"eulerian\"\nduration = 1\n[[grids]]\nname = \"g\"\n"
                    "low = [-0.1, -0.1, -0.1]\nspacing = {}\ncells = [{}, {}, {}]\n[[bodies]]\n"
                    "name = \"ball\"\nshape = {{ type = \"sphere\", center = [0, 0, 0], radius = "
                    "0.05 }}\nmaterial = {{ shear_modulus = 1e4, volume = \"stabilized\" }}\n",
                    0.2 / cells, cells, cells, cells),
        "grid.toml");
  };
  const Scene scene = make(40);
  const BodyMemory ball = estimate_memory(scene).bodies.at(0);
  const eulerian::Model model = eulerian::make_model(*scene.eulerian);
  const auto band =
      static_cast<double>(eulerian::find_band(model.bodies[0].rest, model.grids[0].grid,
                                              scene.eulerian->grids[0].spacing)
                              .size());
  EXPECT_NEAR(ball.count / band, 1, 0.1);
  EXPECT_GT(ball.bytes, 4.0 * static_cast<double>(model.bodies[0].rest.distance.size()));
  EXPECT_NEAR(estimate_memory(make(80)).bodies[0].bytes / ball.bytes, 7, 1);
}

TEST(MemoryEstimate, OfBricksGrowsWithTheirFactorsAndModes) {
  const auto bytes_of = [](int along, const std::string& strain, int modes) {
    const Scene scene = parse_scene(
        fmt::format(
            "engine = \"brick\"\nduration = 1\n[solver]\nstrain = \"{0}\"\n[[bodies]]\n"
            "name = \"b\"\nbricks = [{1}, {1}, {1}]\n{2}shape = {3}\nmaterial = {{ law = "
            "\"neo-hookean\", young_modulus = 1e4, poisson_ratio = 0.3, density = 1000 }}\n",
            strain, along, modes > 0 ? fmt::format("modes = {}\n", modes) : "", kBox),
        "bricks.toml");
    return estimate_memory(scene).bodies.at(0).bytes;
  };
  EXPECT_GT(bytes_of(8, "large", 0) / bytes_of(4, "large", 0), 8);
  EXPECT_GT(bytes_of(4, "small", 60), bytes_of(4, "small", 20));
  EXPECT_GT(bytes_of(4, "small", 0), bytes_of(4, "small", 60));
}

std::string refusal(const Scene& scene, double available) {
  try {
    check_memory(scene, available, "a test's");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

// The advice is followed and held against the same limit.
TEST(CheckMemory, RefusesWhatDoesNotFitAndNamesBodyCountNeedLimitAndAFix) {
  const Scene scene = make_tets(kBox, 0.004, "tr-bdf2");
  const double needed = estimate_memory(scene).bytes;
  EXPECT_EQ(refusal(scene, needed), "");
  EXPECT_EQ(refusal(scene, std::numeric_limits<double>::infinity()), "");
  const std::string message = refusal(scene, 500.0 * (1 << 20));
  EXPECT_EQ(message,
            "blob.toml: bodies: \"blob\" has about 1.56e+06 tetrahedra, and a run takes about 1.7 "
            "GiB of memory; there are 500 MiB (a test's); at 0.0063 m instead of 0.004 m it would "
            "fit");
  EXPECT_EQ(refusal(make_tets(kBox, 0.0063, "tr-bdf2"), 500.0 * (1 << 20)), "");
}

}  // namespace
}  // namespace sinew::scene
