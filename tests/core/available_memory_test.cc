#include "sinew/core/available_memory.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "scratch_folder.h"

namespace sinew {
namespace {

constexpr double kMebi = 1024 * 1024;

// A machine with 1000 MiB free, in files.
class AvailableMemoryTest : public ::testing::Test {
 protected:
  AvailableMemoryTest() {
    put("/proc/meminfo",
        "MemTotal:       9999999 kB\nMemFree:          1024 kB\nMemAvailable:   1024000 kB\n");
  }
  void put(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_.path() + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  AvailableMemory find() { return find_available_memory(root_.path()); }

  ScratchFolder root_;
};

TEST_F(AvailableMemoryTest, IsWhatTheMachineHasFree) {
  EXPECT_EQ(find().bytes, 1000 * kMebi);
  EXPECT_EQ(find().bound, "what the machine has free");
}

TEST_F(AvailableMemoryTest, IsBoundByTheControlGroupAndThoseAboveItWithoutTheirCache) {
  put("/proc/self/cgroup", "0::/a/b\n");
  put("/sys/fs/cgroup/a/b/memory.max", "max\n");
  put("/sys/fs/cgroup/a/b/memory.current", "1\n");
  EXPECT_EQ(find().bytes, 1000 * kMebi);
  put("/sys/fs/cgroup/a/memory.max", std::to_string(500LL << 20));
  put("/sys/fs/cgroup/a/memory.current", std::to_string(300LL << 20));
  EXPECT_EQ(find().bytes, 200 * kMebi);
  put("/sys/fs/cgroup/a/memory.stat",
      "anon 1\ninactive_file " + std::to_string(250LL << 20) + "\nactive_file 7\n");
  EXPECT_EQ(find().bytes, 450 * kMebi);
  EXPECT_EQ(find().bound, "the limit of its control group");
  put("/sys/fs/cgroup/a/b/memory.max", "0\n");
  EXPECT_EQ(find().bytes, 0);
}

TEST_F(AvailableMemoryTest, IsBoundByControlGroupsOfTheFirstVersion) {
  put("/proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/job\n0::/\n");
  put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", std::to_string(700LL << 20));
  put("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", std::to_string(100LL << 20));
  EXPECT_EQ(find().bytes, 600 * kMebi);
}

TEST_F(AvailableMemoryTest, IsUnboundWhereNothingCanBeRead) {
  const ScratchFolder empty;
  EXPECT_TRUE(std::isinf(find_available_memory(empty.path()).bytes));
}

TEST(AvailableMemory, OfThisMachineIsThere) {
  EXPECT_GT(find_available_memory().bytes, 10 * kMebi);
  EXPECT_LT(find_available_memory().bytes, 1e15);
}

}  // namespace
}  // namespace sinew
