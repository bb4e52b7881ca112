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

}  // namespace
}  // namespace sinew::lab
