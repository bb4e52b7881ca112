#include "sinew/scene/read_goals.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/skeleton/read_osim.h"

#include "test_paths.h"

namespace sinew::scene {
namespace {

skeleton::Skeleton read_pendulum() {
  return skeleton::read_osim(SINEW_TEST_DATA "/skeletons/pendulum.osim");
}

const std::string kGoals =
    "method = \"least-squares\"\n"
    "rate = 20\n"
    "[[goals]]\n"
    "body = \"lower\"\n"
    "point = [0, -0.2, 0]\n"
    "times = [0, 2]\n"
    "targets = [[0, -0.5, 0], [0.2, -0.3, 0]]\n"
    "interpolation = \"smooth\"\n"
    "weight = 2\n"
    "[[preferred]]\n"
    "coordinate = \"elbow\"\n"
    "angle_deg = 90\n"
    "weight = 0.5\n";

TEST(ReadGoals, FillsEveryFieldFromItsKey) {
  const GoalFile file = parse_goals(kGoals, "goals.toml", read_pendulum());
  EXPECT_EQ(file.settings.method, skeleton::FollowSettings::Method::kLeastSquares);
  EXPECT_EQ(file.settings.rate, 20);
  ASSERT_EQ(file.goals.size(), 1U);
  const skeleton::MovingGoal& goal = file.goals[0];
  EXPECT_EQ(goal.body, 2U);
  EXPECT_EQ(goal.location, (Vec3d{0, -0.2, 0}));
  EXPECT_EQ(goal.weight, 2);
  EXPECT_EQ(goal.target[0].values, (std::vector<double>{0, 0.2}));
  EXPECT_EQ(goal.target[1].values, (std::vector<double>{-0.5, -0.3}));
  EXPECT_EQ(goal.target[2].times, (std::vector<double>{0, 2}));
  EXPECT_EQ(goal.target[2].interpolation, engine::Interpolation::kSmooth);
  ASSERT_EQ(file.settings.preferred.size(), 1U);
  EXPECT_NEAR(file.settings.preferred[0].value, 1.5707963267948966, 1e-15);
  EXPECT_EQ(file.settings.preferred[0].weight, 0.5);
}

TEST(ReadGoals, LeadsToTheMotionThatReachesThem) {
  const skeleton::Skeleton pendulum = read_pendulum();
  const GoalFile file = parse_goals(kGoals, "goals.toml", pendulum);
  const skeleton::IkResult result = follow_goals(pendulum, file.goals, file.settings);
  ASSERT_EQ(result.motion.times.size(), 41U);
  EXPECT_NEAR(result.motion.q.front()[0], 0, 1e-4);  // the preference pulls a little
  EXPECT_NEAR(result.motion.q.back()[0], 1.5707963267948966, 1e-4);
}

TEST(ReadGoals, RefusesMistakesWithLineAndReason) {
  const auto refused = [](const std::string& from, const std::string& to,
                          const std::string& words) {
    std::string text = kGoals;
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
    std::string message = "accepted";
    try {
      parse_goals(text, "bad.toml", read_pendulum());
    } catch (const InputError& error) {
      message = error.what();
    }
    EXPECT_NE(message.find("bad.toml: " + words), std::string::npos) << message;
  };
  refused("\"least-squares\"", "\"least\"", "line 1: method");
  refused("rate = 20", "rate = 0", "line 2: rate: 0 is out of range");
  refused("rate = 20", "rate = 600000", "line 3: goals: 2 s at 600000 poses/s are more than");
  refused("\"lower\"", "\"lowr\"", "line 4: goals[0].body: there is no body \"lowr\"");
  refused("point", "pint", "line 5: goals[0].pint: unknown key; did you mean \"point\"?");
  refused("times = [0, 2]", "times = [2, 0]", "line 6: goals[0].times: times must increase");
  refused("times = [0, 2]", "times = [0]", "line 7: goals[0].targets: there are 2 values for 1");
  refused("[0.2, -0.3, 0]", "[0.2, -0.3]", "line 7: goals[0].targets[1]");
  refused("[0.2, -0.3, 0]", "[nan, -0.3, 0]", "line 7: goals[0].targets[1]");
  refused("weight = 2", "weight = -2", "line 9: goals[0].weight: -2 is out of range");
  refused("\"elbow\"", "\"knee\"", "line 11: preferred[0].coordinate: there is no coordinate");
  refused("angle_deg = 90", "value = 1", "line 10: preferred[0]: the key \"angle_deg\" is missing");
  refused(kGoals, "rate = 1\n", "line 1: there is nothing to reach");
}

}  // namespace
}  // namespace sinew::scene
