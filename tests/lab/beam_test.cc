#include "sinew/lab/beam.h"

#include <gtest/gtest.h>

#include "sinew/lab/experiments.h"

namespace sinew::lab {
namespace {

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

TEST(Beam, TakesNoPartWithoutBricks) {
  const Options none{.bricks = false};
  EXPECT_TRUE(run_beam(none).rows.empty());
  EXPECT_TRUE(run_modes(none).rows.empty());
}

}  // namespace
}  // namespace sinew::lab
