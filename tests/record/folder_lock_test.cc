#include "sinew/record/folder_lock.h"

#include <csignal>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/core/error.h"

#include "scratch_folder.h"

namespace sinew::record {
namespace {

namespace fs = std::filesystem;

std::string refusal(const std::string& folder) {
  try {
    const FolderLock lock(folder);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(FolderLock, RefusesASecondWriterAndNamesTheFirst) {
  const ScratchFolder folder;
  {
    const FolderLock first(folder / "run");
    const std::string expected =
        fmt::format("{}: process {} is writing into this folder", folder / "run", ::getpid());
    EXPECT_EQ(refusal(folder / "run").substr(0, expected.size()), expected);
    EXPECT_EQ(refusal(folder / "run").substr(0, expected.size()), expected);
    EXPECT_EQ(refusal(folder / "other"), "");
  }
  EXPECT_EQ(refusal(folder / "run"), "");
}

TEST(FolderLock, LeavesNothingBehindButFilesOfOthers) {
  const ScratchFolder folder;
  {
    const FolderLock lock(folder / "empty");
    EXPECT_TRUE(fs::exists(folder / "empty"));
  }
  EXPECT_FALSE(fs::exists(folder / "empty"));
  fs::create_directory(folder / "mine");
  { const FolderLock lock(folder / "mine"); }
  EXPECT_TRUE(fs::exists(folder / "mine"));
  EXPECT_TRUE(fs::is_empty(folder / "mine"));
}

// The child tells by the pipe that it holds the lock.
pid_t start_holder(const std::string& folder) {
  int ends[2];
  if (::pipe(ends) != 0) return -1;
  const pid_t child = ::fork();
  if (child == 0) {
    const FolderLock lock(folder);
    static_cast<void>(!::write(ends[1], "x", 1));
    while (true) ::pause();
  }
  char got = 0;
  const bool holds = ::read(ends[0], &got, 1) == 1;
  ::close(ends[0]), ::close(ends[1]);
  return holds ? child : -1;
}

TEST(FolderLock, OfAProcessThatWasKilledIsFree) {
  const ScratchFolder folder;
  const pid_t child = start_holder(folder / "run");
  ASSERT_GT(child, 0);
  EXPECT_NE(refusal(folder / "run").find(fmt::format("process {} is", child)), std::string::npos);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(fs::exists(folder / (std::string("run/") + kLockFile)));
  EXPECT_EQ(refusal(folder / "run"), "");
}

TEST(FolderLock, NeedsAFolderThatCanBeMadeAndWritten) {
  const ScratchFolder folder;
  { const FolderLock lock(folder.path()); }
  fs::create_symlink("elsewhere", folder / kLockFile);
  EXPECT_NE(refusal(folder.path()).find("cannot be written"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "elsewhere"));
}

}  // namespace
}  // namespace sinew::record
