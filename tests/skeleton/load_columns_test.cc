// Which columns of a table an ExternalLoads file means.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/skeleton/external_loads.h"

#include "skeleton/chains.h"

namespace sinew::skeleton {
namespace {

namespace fs = std::filesystem;

// A scratch folder with a table of one row and the loads that name it.
class ExternalLoadsFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::temp_directory_path() /
        (std::string("sinew_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  ExternalLoads read(const std::string& columns, const std::string& row,
                     const std::string& identifiers, const std::string& tag = "ExternalForce") {
    std::ofstream(folder_ / "loads.sto")
        << "x\nnRows=1\nendheader\ntime\t" << columns << "\n0\t" << row << "\n";
    std::ofstream(folder_ / "loads.xml")
        << "<OpenSimDocument Version=\"30000\"><ExternalLoads><objects><" << tag << " name=\"l\">"
        << "<applied_to_body>" << arm_.bodies.back().name << "</applied_to_body>" << identifiers
        << "</" << tag << "></objects><datafile>loads.sto</datafile></ExternalLoads>"
        << "</OpenSimDocument>";
    return read_external_loads(arm_, (folder_ / "loads.xml").string());
  }

  std::string refusal(const std::string& columns, const std::string& row,
                      const std::string& identifiers, const std::string& tag = "ExternalForce") {
    try {
      read(columns, row, identifiers, tag);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }

  Skeleton arm_ = make_space_arm();
  fs::path folder_;
};

using Columns = std::array<std::size_t, 3>;

TEST_F(ExternalLoadsFiles, IdentifiersAreThePrefixesOfThreeColumns) {
  const ExternalLoads loads =
      read("f_vx\tf_vy\tf_vz\tf_px\tf_py\tf_pz\tm_1\tm_2\tm_3", "1\t2\t3\t4\t5\t6\t7\t8\t9",
           "<force_identifier>f_v</force_identifier><point_identifier>f_p</point_identifier>"
           "<torque_identifier>m</torque_identifier>");
  ASSERT_EQ(loads.forces.size(), 1U);
  EXPECT_EQ(loads.forces[0].force, (Columns{0, 1, 2}));
  EXPECT_EQ(loads.forces[0].point, (Columns{3, 4, 5}));
  EXPECT_EQ(loads.forces[0].torque, (Columns{6, 7, 8}));
}

// "F" begins "F2x" too; x, y and z behind it say which are meant, in whatever order they stand.
TEST_F(ExternalLoadsFiles, LettersOfAxesGoBeforeLongerNames) {
  const ExternalLoads loads = read("Fz\tFy\tFx\tF2x\tF2y\tF2z", "1\t2\t3\t4\t5\t6",
                                   "<force_identifier>F</force_identifier>"
                                   "<torque_identifier> </torque_identifier>");
  EXPECT_EQ(loads.forces[0].force, (Columns{2, 1, 0}));
  EXPECT_EQ(loads.forces[0].torque, (Columns{kNone, kNone, kNone}));
}

TEST_F(ExternalLoadsFiles, OtherNumbersOfColumnsAreRefusedByName) {
  EXPECT_NE(refusal("f_vx\tf_vy", "1\t2", "<torque_identifier>f_v</torque_identifier>")
                .find("torque_identifier is \"f_v\"; three columns of the datafile must begin with "
                      "it, 2 do: f_vx, f_vy"),
            std::string::npos);
  EXPECT_NE(refusal("f_vx\tf_vy", "1\t2", "<force_identifier>g</force_identifier>")
                .find("must begin with it, 0 do"),
            std::string::npos);
}

TEST_F(ExternalLoadsFiles, OtherKindsOfLoadsAreNotPassedOver) {
  EXPECT_NE(refusal("f_vx\tf_vy", "1\t2", "", "PrescribedForce").find("is no ExternalForce"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew::skeleton
