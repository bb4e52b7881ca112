// Every law's generalised forces against its energy, its power or its length, by differences.
#include "sinew/skeleton/joint_forces.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/skeleton/inverse_dynamics.h"
#include "sinew/skeleton/read_osim.h"

#include "osim_text.h"
#include "test_paths.h"
#include "wrap_scenes.h"

namespace sinew::skeleton {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
using Vector = std::vector<double>;

Vector forces_of(const Skeleton& skeleton, const Vector& q, Vector u = {}) {
  u.resize(q.size(), 0);
  JointForceWorkspace workspace;
  Vector out(q.size(), 0);
  add_joint_forces(skeleton, q, u, WrapRules::kGeodesic, workspace, out);
  return out;
}

// The pin arm of osim_text.h with one force: angle about z, pivot (0, 1, 0).
Skeleton pin_with(const std::string& force) {
  return parse_osim(pin4(set_of("ForceSet", force)), "pin.osim");
}
// A body on a free joint whose frames are those of ground and body: q are body-fixed angles and
// shifts of the body in the ground.
Skeleton free_with(const std::string& force) {
  std::string coordinates;
  for (const char* name : {"rx", "ry", "rz", "tx", "ty", "tz"})
    coordinates += tagged("Coordinate", name, "");
  return parse_osim(
      document("40000",
               "<Ground name=\"ground\"/>" + set_of("BodySet", tagged("Body", "arm", kMass)) +
                   set_of("JointSet", tagged("FreeJoint", "root",
                                             "<socket_parent_frame>/ground</socket_parent_frame>"
                                             "<socket_child_frame>/bodyset/arm</socket_child_frame>"
                                             "<coordinates>" +
                                                 coordinates + "</coordinates>")) +
                   set_of("ForceSet", force)),
      "free.osim");
}

// -dE/dq by fourth-order differences.
Vector slope_of(const std::function<double(const Vector&)>& energy, const Vector& q) {
  constexpr double kStep = 1e-3;
  Vector out(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    const auto at = [&](double by) {
      Vector moved = q;
      moved[i] += by;
      return energy(moved);
    };
    out[i] = -(8 * (at(kStep) - at(-kStep)) - (at(2 * kStep) - at(-2 * kStep))) / (12 * kStep);
  }
  return out;
}

void expect_equal(const Vector& a, const Vector& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

const std::string kLimit =
    tagged("CoordinateLimitForce", "limit",
           "<coordinate>angle</coordinate><upper_stiffness>20</upper_stiffness><upper_limit>30"
           "</upper_limit><lower_stiffness>5</lower_stiffness><lower_limit>-10</lower_limit>"
           "<damping>0.2</damping><transition>10</transition>");

TEST(JointForces, LimitsPushBackWithTheSlopeOfTheirEnergy) {
  const Skeleton skeleton = pin_with(kLimit);
  // Stiffness k s(x) by degree, s = 10 x^3 - 15 x^4 + 6 x^5 over the transition: integrated.
  const auto energy = [](const Vector& q) {
    const auto stored = [](double stiffness, double beyond) {  // N m by degree, rad
      const double k = stiffness / kDegree, width = 10 * kDegree;
      const double x = std::clamp(beyond / width, 0.0, 1.0);
      const double ramp = k * width * width * std::pow(x, 5) * (2 - 2.5 * x + 6.0 / 7 * x * x);
      return beyond <= width ? ramp : ramp + 0.5 * k * (beyond * beyond - width * width);
    };
    return stored(20, q[0] - 30 * kDegree) + stored(5, -10 * kDegree - q[0]);
  };
  for (const double degrees : {-60.0, -22.0, -15.0, -12.0, 33.0, 39.0, 47.0, 90.0}) {
    const Vector q{degrees * kDegree};
    const double force = forces_of(skeleton, q)[0];
    EXPECT_LT(force * degrees, 0) << degrees;
    // Truncation of the difference: step^4 times the fifth derivative of the ramp.
    EXPECT_NEAR(force, slope_of(energy, q)[0], 1e-5 * (1 + std::abs(force))) << degrees;
  }
  EXPECT_EQ(forces_of(skeleton, {0.2}, {5})[0], 0);  // within, not even damped
  // Beyond the transition: 20 N m a degree, and 0.2 N m of damping a degree per second.
  const double still = forces_of(skeleton, {45 * kDegree})[0];
  EXPECT_NEAR(still, -20 * 15, 1e-10);
  EXPECT_NEAR(forces_of(skeleton, {45 * kDegree}, {3 * kDegree})[0], still - 0.6, 1e-10);
}

TEST(JointForces, ALimitMayBeSharpOrSoftAndOfAShift) {
  const std::string sharp =
      tagged("CoordinateLimitForce", "limit",
             "<coordinate>angle</coordinate><upper_stiffness>0</upper_stiffness><upper_limit>0.1"
             "</upper_limit><lower_stiffness>7</lower_stiffness><lower_limit>-0.1</lower_limit>"
             "<damping>2</damping><transition>0</transition>");
  const Skeleton slider =
      parse_osim(model4("SliderJoint", "<coordinates>" + coordinate4("angle") + "</coordinates>",
                        set_of("ForceSet", sharp)),
                 "slider.osim");
  EXPECT_NEAR(forces_of(slider, {-0.4}, {0})[0], 7 * 0.3, 1e-12);  // m, not degrees
  EXPECT_NEAR(forces_of(slider, {0.4}, {3})[0], -6, 1e-12);        // damped without a spring
}

TEST(JointForces, SpringsAndFormulasOfCoordinatesAreWhatTheySay) {
  const Skeleton spring =
      pin_with(tagged("SpringGeneralizedForce", "s",
                      "<coordinate>angle</coordinate><stiffness>3</stiffness><rest_length>0.2"
                      "</rest_length><viscosity>0.5</viscosity>"));
  EXPECT_NEAR(forces_of(spring, {0.9}, {2})[0], -3 * 0.7 - 1, 1e-14);
  expect_equal(forces_of(spring, {0.9}),
               slope_of([](const Vector& q) { return 1.5 * (q[0] - 0.2) * (q[0] - 0.2); }, {0.9}),
               1e-9);
  const Skeleton formula = pin_with(
      tagged("ExpressionBasedCoordinateForce", "f",
             "<coordinate>angle</coordinate><expression> -2*q - q^3 - 0.1*qdot </expression>"));
  EXPECT_NEAR(forces_of(formula, {0.9}, {2})[0], -1.8 - 0.729 - 0.2, 1e-14);
}

const std::string kBushingLaw =
    "<rotational_stiffness>1 2 3</rotational_stiffness><translational_stiffness>10 20 30"
    "</translational_stiffness><rotational_damping>0.1 0.2 0.3</rotational_damping>"
    "<translational_damping>1 2 3</translational_damping>";

TEST(JointForces, ABushingOnAFreeJointIsSixSprings) {
  const Skeleton skeleton = free_with(
      tagged("BushingForce", "b",
             "<socket_frame1>/ground</socket_frame1><socket_frame2>/bodyset/arm</socket_frame2>" +
                 kBushingLaw));
  const Vector q{0.4, -0.3, 0.7, 0.1, -0.2, 0.3}, u{0.5, -1, 2, 0.3, 0.2, -0.4};
  const Vector stiffness{1, 2, 3, 10, 20, 30}, damping{0.1, 0.2, 0.3, 1, 2, 3};
  Vector wanted(6);
  for (std::size_t k = 0; k < 6; ++k) wanted[k] = -stiffness[k] * q[k] - damping[k] * u[k];
  expect_equal(forces_of(skeleton, q, u), wanted, 1e-12);
}

// The same between frames that are turned and shifted on their bodies.
const std::string kTurnedFrames =
    "<socket_frame1>one</socket_frame1><socket_frame2>two</socket_frame2><frames>"
    "<PhysicalOffsetFrame name=\"one\"><socket_parent>/ground</socket_parent><translation>0.1 0.2 "
    "0.3</translation><orientation>0.3 -0.2 0.5</orientation></PhysicalOffsetFrame>"
    "<PhysicalOffsetFrame name=\"two\"><socket_parent>/bodyset/arm</socket_parent><translation>"
    "-0.2 0.1 0.2</translation><orientation>-0.1 0.4 0.2</orientation></PhysicalOffsetFrame>"
    "</frames>";
Vector deflect(const Vector& q) {
  const Frame one{make_body_xyz({0.3, -0.2, 0.5}), {0.1, 0.2, 0.3}};
  const Frame two{make_body_xyz({-0.1, 0.4, 0.2}), {-0.2, 0.1, 0.2}};
  const Frame arm{make_body_xyz({q[0], q[1], q[2]}), {q[3], q[4], q[5]}};
  const Frame m = compose(inverse(one), compose(arm, two));
  return {std::atan2(-m.rotation(1, 2), m.rotation(2, 2)),
          std::asin(m.rotation(0, 2)),
          std::atan2(-m.rotation(0, 1), m.rotation(0, 0)),
          m.translation.x,
          m.translation.y,
          m.translation.z};
}

TEST(JointForces, BushingsPullWithTheSlopeOfTheirEnergy) {
  const auto bushing = [](const std::string& tag, const std::string& law) {
    return free_with(tagged(tag, "b", kTurnedFrames + law));
  };
  const Skeleton linear = bushing("BushingForce", kBushingLaw);
  const auto quadratic = [](const Vector& q) {
    const Vector d = deflect(q), k{1, 2, 3, 10, 20, 30};
    double energy = 0;
    for (std::size_t i = 0; i < 6; ++i) energy += 0.5 * k[i] * d[i] * d[i];
    return energy;
  };
  const Vector q{0.4, -0.3, 0.7, 0.1, -0.2, 0.3};
  expect_equal(forces_of(linear, q), slope_of(quadratic, q), 1e-9);

  const Skeleton by_functions =
      bushing("FunctionBasedBushingForce",
              "<m_y_theta_y_function><PolynomialFunction><coefficients>4 0 0 0</coefficients>"
              "</PolynomialFunction></m_y_theta_y_function><f_z_delta_z_function><LinearFunction>"
              "<coefficients>7 0</coefficients></LinearFunction></f_z_delta_z_function>");
  expect_equal(forces_of(by_functions, q),
               slope_of(
                   [](const Vector& at) {
                     const Vector d = deflect(at);
                     return std::pow(d[1], 4) + 3.5 * d[5] * d[5];
                   },
                   q),
               1e-9);

  const Skeleton by_formulas =
      bushing("ExpressionBasedBushingForce",
              "<Mx_expression>2*theta_x+delta_y</Mx_expression><Fy_expression>theta_x+30*delta_y"
              "</Fy_expression><Mz_expression>sin(theta_z)</Mz_expression>");
  expect_equal(forces_of(by_formulas, q),
               slope_of(
                   [](const Vector& at) {
                     const Vector d = deflect(at);
                     return d[0] * d[0] + d[0] * d[4] + 15 * d[4] * d[4] - std::cos(d[2]);
                   },
                   q),
               1e-9);
}

TEST(JointForces, DampersTakeThePowerOfTheirDeflectionsRates) {
  const Skeleton skeleton = free_with(tagged("BushingForce", "b", kTurnedFrames + kBushingLaw));
  const Vector q{0.4, -0.3, 0.7, 0.1, -0.2, 0.3}, u{0.5, -1, 2, 0.3, 0.2, -0.4};
  const Vector c{0.1, 0.2, 0.3, 1, 2, 3}, moving = forces_of(skeleton, q, u),
                                          still = forces_of(skeleton, q);
  constexpr double kStep = 1e-5;
  Vector after = q, before = q;
  for (std::size_t i = 0; i < 6; ++i) after[i] += kStep * u[i], before[i] -= kStep * u[i];
  const Vector b = deflect(after), a = deflect(before);
  double power = 0, lost = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    const double rate = (b[i] - a[i]) / (2 * kStep);
    power += (moving[i] - still[i]) * u[i];
    lost += c[i] * rate * rate;
  }
  EXPECT_GT(lost, 1);
  EXPECT_NEAR(power, -lost, 1e-8);
}

TEST(JointForces, BushingsOfOlderFilesAreTheSame) {
  const std::string older =
      tagged("BushingForce", "b",
             "<isDisabled>false</isDisabled><body_1>ground</body_1><body_2>arm</body_2>"
             "<location_body_1>0 0.1 0</location_body_1><orientation_body_1>0.1 0 0.2"
             "</orientation_body_1><location_body_2>0.1 0 0</location_body_2>" +
                 kBushingLaw);
  const std::string newer = tagged(
      "BushingForce", "b",
      "<socket_frame1>one</socket_frame1><socket_frame2>two</socket_frame2><frames>"
      "<PhysicalOffsetFrame name=\"one\"><socket_parent>/ground</socket_parent><translation>0 0.1 "
      "0</translation><orientation>0.1 0 0.2</orientation></PhysicalOffsetFrame>"
      "<PhysicalOffsetFrame name=\"two\"><socket_parent>/bodyset/arm</socket_parent><translation>"
      "0.1 0 0</translation></PhysicalOffsetFrame></frames>" +
          kBushingLaw);
  const Skeleton old_file =
      parse_osim(model3("30000", "PinJoint",
                        "<CoordinateSet><objects>" + tagged("Coordinate", "angle", "") +
                            "</objects></CoordinateSet>",
                        set_of("ForceSet", older)),
                 "old.osim");
  const double force = forces_of(pin_with(newer), {0.6}, {0.3})[0];
  EXPECT_GT(std::abs(force), 0.1);
  EXPECT_NEAR(forces_of(old_file, {0.6}, {0.3})[0], force, 1e-12);
}

TEST(JointForces, SpringsBetweenPointsPullWithTheSlopeOfTheirEnergy) {
  const std::string points =
      "<socket_body1>/ground</socket_body1><socket_body2>/bodyset/arm</socket_body2>"
      "<point1>0.1 0.2 -0.1</point1><point2>0.3 0 0.1</point2>";
  const Skeleton spring =
      free_with(tagged("PointToPointSpring", "s",
                       points + "<stiffness>40</stiffness><rest_length>0.2</rest_length>"));
  const auto distance = [](const Vector& q) {
    return norm(make_body_xyz({q[0], q[1], q[2]}) * Vec3d{0.3, 0, 0.1} + Vec3d{q[3], q[4], q[5]} -
                Vec3d{0.1, 0.2, -0.1});
  };
  const Vector q{0.4, -0.3, 0.7, 0.1, -0.2, 0.3}, u{0.5, -1, 2, 0.3, 0.2, -0.4};
  expect_equal(
      forces_of(spring, q),
      slope_of([&](const Vector& at) { return 20 * (distance(at) - 0.2) * (distance(at) - 0.2); },
               q),
      1e-9);
  const Skeleton formula = free_with(tagged("ExpressionBasedPointToPointForce", "f",
                                            points + "<expression>5*d^2+2*ddot</expression>"));
  expect_equal(forces_of(formula, q),
               slope_of([&](const Vector& at) { return 5.0 / 3 * std::pow(distance(at), 3); }, q),
               1e-9);
  // Its damping takes 2 ddot^2.
  const Vector moving = forces_of(formula, q, u), still = forces_of(formula, q);
  const Vector to_length = slope_of(distance, q);
  double power = 0, speed = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    power += (moving[i] - still[i]) * u[i];
    speed -= to_length[i] * u[i];
  }
  EXPECT_NEAR(power, -2 * speed * speed, 1e-9);
}

// A path over a cylinder at the pin, once as a muscle and once as a band.
Skeleton band_over_cylinder(const std::string& tag, const std::string& law, bool in_path = false) {
  const std::string wraps =
      set_of("PathWrapSet", tagged("PathWrap", "w", "<wrap_object>drum</wrap_object>"));
  const std::string path = "<GeometryPath>" +
                           set_of("PathPointSet", point4("a", "/ground", "0.1 1.3 0") +
                                                      point4("b", "/bodyset/arm", "0.05 -0.3 0")) +
                           wraps + "</GeometryPath>";
  const std::string drum =
      set_of("WrapObjectSet", tagged("WrapCylinder", "drum",
                                     "<translation>0 0 0</translation><radius>0.08</radius>"
                                     "<length>1</length><quadrant>+x</quadrant>"));
  return parse_osim(
      pin4(
          set_of("ForceSet", tagged("Thelen2003Muscle", "same", path + kStrength) +
                                 tagged(tag, "band", (in_path ? plain("path", path) : path) + law)),
          drum),
      "band.osim");
}

// -F dL/dq, with the length's slope by differences.
void expect_tension(const Skeleton& skeleton, const std::function<double(double, double)>& law) {
  ASSERT_EQ(skeleton.joint_forces.size(), 1U);
  for (const double angle : {-0.6, -0.2, 0.3, 0.8}) {
    const Vector q{angle};
    const double slope = differentiate_length(skeleton, q, 0, 0);  // -dL/dq
    const double length = path_length(skeleton, q, 0, WrapRules::kGeodesic);
    EXPECT_GT(std::abs(slope), 0.01);
    for (const double u : {0.0, 1.5, -1.5}) {
      const double wanted = law(length, -slope * u) * slope;
      EXPECT_NEAR(forces_of(skeleton, q, {u})[0], wanted, 1e-8 * (1 + std::abs(wanted))) << angle;
    }
  }
}

double smooth(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * x * (10 - 15 * x + 6 * x * x);
}

TEST(JointForces, BandsPullWithTheSlopeOfTheirLength) {
  expect_tension(
      band_over_cylinder("Ligament",
                         "<resting_length>0.6</resting_length><pcsa_force>80</pcsa_force>"
                         "<force_length_curve><PolynomialFunction><coefficients>3 -2 -1"
                         "</coefficients></PolynomialFunction></force_length_curve>"),
      [](double length, double) {
        const double x = length / 0.6;
        return x > 1 ? 80 * (3 * x * x - 2 * x - 1) : 0;
      });
  expect_tension(
      band_over_cylinder("Blankevoort1991Ligament",
                         "<linear_stiffness>500</linear_stiffness><slack_length>0.6</slack_length>"
                         "<transition_strain>0.04</transition_strain>"
                         "<damping_coefficient>3</damping_coefficient>"),
      [](double length, double speed) {
        const double e = length / 0.6 - 1;
        if (e <= 0) return 0.0;
        const double elastic = e < 0.04 ? 500 * e * e / 0.08 : 500 * (e - 0.02);
        return elastic + 3 * std::max(speed / 0.6, 0.0) * smooth(e / 0.01);
      });
  expect_tension(band_over_cylinder("PathSpring",
                                    "<resting_length>0.6</resting_length><stiffness>300"
                                    "</stiffness><dissipation>0.5</dissipation>"),
                 [](double length, double speed) {
                   return 300 * std::max(length - 0.6, 0.0) * (1 + 0.5 * speed);
                 });
  for (const bool clamp : {true, false}) {
    expect_tension(
        band_over_cylinder("ExpressionBasedPathForce",
                           "<resting_length>0.6</resting_length><expression>10+200*s+ldot"
                           "</expression><clamp_stretch>" +
                               std::string(clamp ? "true" : "false") + "</clamp_stretch>",
                           true),
        [clamp](double length, double speed) {
          const double s = length - 0.6;
          return 10 + 200 * (clamp ? std::max(s, 0.0) : s) + speed;
        });
  }
}

TEST(JointForces, LigamentsWithoutACurveTakeOpenSims) {
  const Skeleton skeleton = pin_with(tagged(
      "Ligament", "l",
      "<GeometryPath>" +
          set_of("PathPointSet",
                 point4("a", "/ground", "0 1 0.1") + point4("b", "/bodyset/arm", "0 -0.3 0.1")) +
          "</GeometryPath><resting_length>0.25</resting_length><pcsa_force>100</pcsa_force>"));
  const auto& law = std::get<LigamentCurve>(std::get<Band>(skeleton.joint_forces.at(0).law).law);
  for (const auto& [x, y] : std::map<double, double>{{1, 0}, {1.1, 0.035}, {1.3, 0.26}, {1.6, 2}})
    EXPECT_NEAR(evaluate(law.curve, x).value, y, 1e-12) << x;
}

// Elastic forces have an energy: their slopes are symmetric. With what follows another handed on.
class ActingParts : public testing::TestWithParam<int> {};
TEST_P(ActingParts, HaveAnEnergyAndActOnTheirCoordinates) {
  const Skeleton all =
      read_osim(SINEW_TEST_DATA "/skeletons/every_part_" + std::to_string(GetParam()) + ".osim");
  std::multiset<std::string> types;
  for (const JointForce& force : all.joint_forces) {
    if (force.name == "switched off") {
      EXPECT_TRUE(force.disabled);
      continue;
    }
    EXPECT_EQ(force.name, "acting " + force.type);
    types.insert(force.type);
    Skeleton one = all;
    one.joint_forces = {force};
    const std::size_t n = one.coordinates.size();
    Vector q(n);
    for (std::size_t i = 0; i < n; ++i) q[i] = 0.1 + 0.03 * static_cast<double>(i % 5);
    q[find_coordinate(one, "elbow")] = -0.2;  // beyond a limit
    const auto reduced = [&](Vector at) {
      apply_couplers(one, at);
      Vector out = forces_of(one, at);
      reduce_to_independent(one, at, out);
      return out;
    };
    constexpr double kStep = 1e-5;
    std::vector<Vector> slopes;
    double largest = 0, asymmetry = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (one.coordinates[i].coupler) {
        slopes.emplace_back(n, 0.0);
        continue;
      }
      Vector plus = q, minus = q;
      plus[i] += kStep, minus[i] -= kStep;
      const Vector b = reduced(plus), a = reduced(minus);
      slopes.emplace_back(n);
      for (std::size_t k = 0; k < n; ++k) slopes[i][k] = (b[k] - a[k]) / (2 * kStep);
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        largest = std::max(largest, std::abs(slopes[i][k]));
        asymmetry = std::max(asymmetry, std::abs(slopes[i][k] - slopes[k][i]));
      }
    }
    EXPECT_GT(largest, 0.1) << force.name;
    EXPECT_LT(asymmetry, 1e-6 * largest) << force.name;
  }
  EXPECT_EQ(types.size(), GetParam() == 4 ? 12U : 5U);
}
INSTANTIATE_TEST_SUITE_P(Versions, ActingParts, testing::Values(2, 3, 4));

TEST(JointForces, InverseDynamicsAsksForWhatTheyDoNotSupply) {
  const Skeleton with = pin_with(kLimit), without = pin_with("");
  const SmoothMotion motion{{0, 1}, {{0.2}, {0.8}}, {{1}, {1}}, {{0}, {2}}};
  const auto a = compute_joint_moments(with, motion, false);
  const auto b = compute_joint_moments(without, motion, false);
  const auto still = compute_joint_moments(with, motion, true);
  const auto still_without = compute_joint_moments(without, motion, true);
  EXPECT_EQ(a[0][0], b[0][0]);  // within the limits
  const double limit = -20 / kDegree * (0.8 - 30 * kDegree);
  EXPECT_NEAR(a[1][0], b[1][0] - limit + 0.2 / kDegree, 1e-9);
  EXPECT_NEAR(still[1][0], still_without[1][0] - limit, 1e-9);  // not damped where nothing moves
}

TEST(JointForces, DisabledOnesDoNotAct) {
  for (const char* off : {"<appliesForce>false</appliesForce>", "<isDisabled>true</isDisabled>"}) {
    std::string text = kLimit;
    text.insert(text.find("<coordinate>"), off);
    const Skeleton skeleton = pin_with(text);
    EXPECT_FALSE(has_joint_forces(skeleton));
    EXPECT_EQ(forces_of(skeleton, {1.5})[0], 0);
    // Nor does what has no law stop anything while it is off.
    EXPECT_NO_THROW(
        require_known_forces(pin_with(tagged("HuntCrossleyForce", "foot", off)), "--ignore"));
  }
}

std::string said_of(const Skeleton& skeleton) {
  try {
    require_known_forces(skeleton, "--ignore");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(JointForces, WhatHasNoLawIsRefusedByNameOrLeftOut) {
  const std::string parts =
      kLimit + tagged("HuntCrossleyForce", "foot", "") + tagged("HuntCrossleyForce", "toe", "") +
      tagged("PrescribedForce", "push", "") + tagged("CoordinateActuator", "motor", "") +
      tagged("ExpressionBasedCoordinateForce", "odd",
             "<coordinate>angle</coordinate><expression>p*2</expression>");
  Skeleton skeleton = pin_with(parts);
  const std::string said = said_of(skeleton);
  for (const char* part : {"pin.osim", "HuntCrossleyForce \"foot\"", "HuntCrossleyForce \"toe\"",
                           "PrescribedForce \"push\"", "\"odd\"", "--ignore"})
    EXPECT_NE(said.find(part), std::string::npos) << said;
  EXPECT_EQ(said.find("motor"), std::string::npos) << said;  // nothing drives it
  EXPECT_EQ(ignore_parts(skeleton, {"HuntCrossleyForce", "odd"}),
            (std::vector<std::string>{"HuntCrossleyForce \"foot\"", "HuntCrossleyForce \"toe\"",
                                      "ExpressionBasedCoordinateForce \"odd\""}));
  EXPECT_NE(said_of(skeleton).find("push"), std::string::npos);
  ignore_parts(skeleton, {"push"});
  EXPECT_EQ(said_of(skeleton), "");
  EXPECT_EQ(forces_of(skeleton, {0.8}).size(), 1U);
  EXPECT_NE(forces_of(skeleton, {0.8})[0], 0);
  EXPECT_EQ(ignore_parts(skeleton, {"limit"}).size(), 1U);
  EXPECT_EQ(forces_of(skeleton, {0.8})[0], 0);
  Skeleton other = pin_with(kLimit);
  try {
    ignore_parts(other, {"limt"});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"limit\"?"), std::string::npos);
  }
}

TEST(JointForces, DamagedOnesAreRefusedWithTheirLine) {
  const auto refused = [](const std::string& force, const std::string& message) {
    try {
      pin_with(force);
      ADD_FAILURE() << "accepted: " << force;
    } catch (const InputError& error) {
      const std::string said = error.what();
      EXPECT_NE(said.find(message), std::string::npos) << said;
      EXPECT_NE(said.find("line "), std::string::npos) << said;
    }
  };
  refused(tagged("CoordinateLimitForce", "l", "<coordinate>angel</coordinate>"),
          "did you mean \"angle\"?");
  refused(tagged("CoordinateLimitForce", "l",
                 "<coordinate>angle</coordinate><upper_stiffness>-1</upper_stiffness>"),
          "must be 0 or more");
  refused(tagged("BushingForce", "b", "<body_1>ground</body_1><body_2>leg</body_2>"),
          "\"leg\", which does not exist");
  refused(tagged("SpringGeneralizedForce", "s",
                 "<coordinate>angle</coordinate><stiffness>much</stiffness>"),
          "where a number should stand");
}

}  // namespace
}  // namespace sinew::skeleton
