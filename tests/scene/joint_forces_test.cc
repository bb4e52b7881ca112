// Forces on joints and measured loads in scenes: they act, are left out by name, or are refused.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/scene/scene.h"

#include "test_paths.h"

namespace sinew::scene {
namespace {

std::filesystem::path make_folder(const std::string& name) {
  const auto folder = std::filesystem::path(testing::TempDir()) / ("joint_forces_" + name);
  std::filesystem::create_directories(folder);
  return folder;
}

// tests/data/skeletons/pendulum.osim with more forces: a forearm of 1 kg, 0.1 m below its hinge.
std::filesystem::path write_pendulum(const std::string& name, const std::string& forces) {
  std::ifstream file(SINEW_TEST_DATA "/skeletons/pendulum.osim");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t at = text.find("</objects></ForceSet>");
  EXPECT_NE(at, std::string::npos);
  text.insert(at, forces);
  const auto folder = make_folder(name);
  std::ofstream(folder / "pendulum.osim") << text;
  return folder;
}

Scene parse(const std::filesystem::path& folder, const std::string& more) {
  return parse_scene("duration = 1\n[skeleton]\nfile = \"pendulum.osim\"\n" + more,
                     (folder / "scene.toml").string());
}

std::string refusal(const std::filesystem::path& folder, const std::string& more) {
  try {
    parse(folder, more);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

bool says(const Scene& scene, const std::string& what) {
  for (const std::string& note : scene.skeleton->notes)
    if (note.find(what) != std::string::npos) return true;
  return false;
}

// The elbow at 30 degrees, and the flexor's activation there.
const std::string kHeld =
    "[[skeleton.moves]]\ncoordinate = \"elbow\"\ntimes = [0, 1]\nangles_deg = [30, 30]\n"
    "[skeleton.activations]\n";
double activation(const Scene& scene) {
  return scene.skeleton->activations.at(0).values.at(5);
}

const std::string kContact = "<HuntCrossleyForce name=\"heel\"/>";
const std::string kStop =
    "<CoordinateLimitForce name=\"stop\"><coordinate>elbow</coordinate><upper_stiffness>0.2"
    "</upper_stiffness><upper_limit>20</upper_limit><lower_stiffness>0.2</lower_stiffness>"
    "<lower_limit>-20</lower_limit><damping>0</damping><transition>1</transition>"
    "</CoordinateLimitForce>";

TEST(SceneForces, ThoseWithoutALawStopWhatNeedsThem) {
  const auto folder = write_pendulum("contact", kContact);
  for (const std::string more : {"two_way = true\n", kHeld.c_str()}) {
    const std::string said = refusal(folder, more);
    EXPECT_NE(said.find("HuntCrossleyForce \"heel\""), std::string::npos) << said;
    EXPECT_NE(said.find("skeleton.ignore"), std::string::npos) << said;
    EXPECT_NE(said.find("line "), std::string::npos) << said;
    const Scene scene = parse(folder, "ignore = [\"heel\"]\n" + more);
    EXPECT_TRUE(says(scene, "left out: HuntCrossleyForce \"heel\""));
    EXPECT_EQ(refusal(folder, "ignore = [\"HuntCrossleyForce\"]\n" + more), "accepted");
  }
  EXPECT_EQ(refusal(folder, ""), "accepted");  // a picture needs no moments
  EXPECT_NE(refusal(folder, "ignore = [\"heal\"]\n").find("did you mean \"heel\"?"),
            std::string::npos);
}

TEST(SceneForces, LimitsAreHeldByMusclesUnlessLeftOut) {
  const auto plain = write_pendulum("plain", ""), stopped = write_pendulum("stopped", kStop);
  const double free = activation(parse(plain, kHeld));
  // 2 N m beside a weight of 9.81 N at 0.05 m.
  EXPECT_NEAR(activation(parse(stopped, kHeld)) / free, 1 + 2 / (9.80665 * 0.05), 1e-3);
  EXPECT_NEAR(activation(parse(stopped, "ignore = [\"stop\"]\n" + kHeld)), free, 1e-12);
}

TEST(SceneForces, LimitsStopBonesThatFall) {
  // 5 kg beside the hinge turn it down past -20 degrees, where 20 N m a degree and much damping
  // catch it: 9.8 N m are half a degree more, and the transition lets it go by another one.
  std::string spring = kStop;
  spring.replace(spring.find("<lower_stiffness>0.2"), 20, "<lower_stiffness>20");
  spring.replace(spring.find("<damping>0"), 10, "<damping>2");
  const auto folder = write_pendulum("falling", spring);
  const std::string falling =
      "two_way = true\n[[skeleton.weights]]\nbody = \"lower\"\n"
      "mass = 5\npoint = [0.2, 0, 0]\n";
  const auto swing = [&](const std::string& more) {
    const Scene scene = parse(folder, more + falling);
    const auto engine = make_engine(scene);
    engine->advance(0.3);
    for (const auto& entry : engine->observe().certificate)
      if (entry.name == "coordinate.elbow") return entry.value;
    return 100.0;
  };
  // It falls by far more than 20 degrees where nothing holds it.
  EXPECT_LT(swing("ignore = [\"stop\"]\n"), -0.6);
  const double caught = swing("");
  EXPECT_LT(caught, -20 * 0.0174);
  EXPECT_GT(caught, -22 * 0.0175);
}

void write_loads(const std::filesystem::path& folder, double until) {
  std::ofstream(folder / "push.xml")
      << "<OpenSimDocument><ExternalLoads><objects><ExternalForce name=\"push\">"
         "<applied_to_body>lower</applied_to_body><force_expressed_in_body>ground"
         "</force_expressed_in_body><point_expressed_in_body>lower</point_expressed_in_body>"
         "<force_identifier>f</force_identifier><point_identifier>p</point_identifier>"
         "</ExternalForce></objects><datafile>push.mot</datafile></ExternalLoads>"
         "</OpenSimDocument>";
  std::ofstream(folder / "push.mot")
      << "push\nnRows=2\nnColumns=7\ninDegrees=no\nendheader\ntime\tfx\tfy\tfz\tpx\tpy\tpz\n"
         "0\t0\t-9.80665\t0\t0\t-0.1\t0\n"
      << until << "\t0\t-9.80665\t0\t0\t-0.1\t0\n";
}

TEST(SceneForces, LoadsEnterComputedActivations) {
  const auto folder = write_pendulum("loads", "");
  write_loads(folder, 1);
  const double free = activation(parse(folder, kHeld));
  const Scene loaded = parse(folder, kHeld + "loads = \"push.xml\"\n");
  // As much again as its own weight, at its mass centre.
  EXPECT_NEAR(activation(loaded), 2 * free, 1e-3 * free);
  write_loads(folder, 0.5);
  EXPECT_NE(refusal(folder, kHeld + "loads = \"push.xml\"\n").find("loads are given from 0 to 0.5"),
            std::string::npos);
  EXPECT_NE(refusal(folder, kHeld + "loads = \"pull.xml\"\n").find("pull.xml"), std::string::npos);
  EXPECT_NE(refusal(folder, kHeld + "loads = \"push.xml\"\nfile = \"a.sto\"\n")
                .find("belongs to activations that are computed"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew::scene
