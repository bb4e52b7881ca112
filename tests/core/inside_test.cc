#include "sinew/core/inside.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace sinew {
namespace {

namespace fs = std::filesystem;

class Inside : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(top_);
    fs::create_directories(here_ / "sub");
    for (const fs::path& path : {here_ / "a.raw", here_ / "sub/a.raw", top_ / "out.raw"})
      std::ofstream(path) << "x";
    fs::create_directories(top_ / "here-too");
    std::ofstream(top_ / "here-too/a.raw") << "x";
  }
  void TearDown() override { fs::remove_all(top_); }

  // Tests of one program may run at the same time.
  const fs::path top_ = fs::path(testing::TempDir()) / ("sinew-inside-" + std::to_string(getpid()));
  const fs::path here_ = top_ / "here";
};

TEST_F(Inside, FindsWhatLiesInTheFolderOrBelow) {
  for (const char* name : {"a.raw", "sub/a.raw", "./a.raw", "none.raw", "..a", "sub//a.raw"})
    EXPECT_EQ(find_inside(here_, name), here_ / name) << name;
}

TEST_F(Inside, RefusesEveryNameThatLeadsOut) {
  const std::string absolute = (here_ / "a.raw").string();
  for (const char* name : {"", "..", "../out.raw", "sub/../../out.raw", "sub/..", "../here/a.raw",
                           "../here-too/a.raw", "/etc/passwd", absolute.c_str()})
    EXPECT_TRUE(find_inside(here_, name).empty()) << name;
}

TEST_F(Inside, RefusesLinksThatLeadOutAndFollowsThoseThatDoNot) {
  fs::create_symlink("../out.raw", here_ / "out");
  fs::create_symlink("/etc/passwd", here_ / "passwd");
  fs::create_directory_symlink(top_, here_ / "up");
  fs::create_symlink("loop", here_ / "loop");
  fs::create_symlink("sub/a.raw", here_ / "below");
  for (const char* name : {"out", "passwd", "up/out.raw", "up/here-too/a.raw", "loop"})
    EXPECT_TRUE(find_inside(here_, name).empty()) << name;
  EXPECT_EQ(find_inside(here_, "below"), here_ / "below");
  EXPECT_EQ(find_inside(here_, "up/here/a.raw"), here_ / "up/here/a.raw");  // and back again
}

TEST_F(Inside, TakesAFolderThatIsALinkOrTheOneWeAreIn) {
  fs::create_directory_symlink(here_, top_ / "link");
  EXPECT_EQ(find_inside(top_ / "link", "a.raw"), top_ / "link/a.raw");
  EXPECT_EQ(find_inside("", "a.raw"), fs::path("a.raw"));
}

}  // namespace
}  // namespace sinew
