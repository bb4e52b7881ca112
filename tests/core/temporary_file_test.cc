#include "sinew/core/temporary_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "sinew/core/error.h"
#include "sinew/core/file_bytes.h"
#include "sinew/core/kept_inputs.h"

#include "full_disk.h"
#include "scratch_folder.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string error_of(const std::string& path, const std::string& bytes = "new") {
  try {
    write_file(path, bytes);
  } catch (const InputError& e) {
    EXPECT_EQ(e.file(), path);
    return e.what();
  }
  return "";
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  return names;
}

TEST(WriteFile, ReplacesAFileAsAWhole) {
  const ScratchFolder folder;
  write_file(folder / "a", "old and longer");
  write_file(folder / "a", "new");
  EXPECT_EQ(read(folder / "a"), "new");
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"a"});
}

TEST(WriteFile, OnAFullDiskLeavesTheOldFileAndSaysWhy) {
  const ScratchFolder folder;
  write_file(folder / "a", "old");
  {
    const FullDisk full(1000);
    EXPECT_NE(error_of(folder / "a", std::string(5000, 'x')).find("cannot be written: File too"),
              std::string::npos);
  }
  EXPECT_EQ(read(folder / "a"), "old");
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"a"});
}

TEST(WriteFile, FollowsNoLink) {
  const ScratchFolder folder;
  write_file(folder / "a", "old");
  fs::create_symlink("a", folder / "link");
  fs::create_symlink("nothing", folder / "loose");
  EXPECT_NE(error_of(folder / "link").find("is a link to a"), std::string::npos);
  EXPECT_NE(error_of(folder / "loose").find("is a link to nothing"), std::string::npos);
  EXPECT_EQ(read(folder / "a"), "old");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_FALSE(fs::exists(folder / "nothing"));
}

TEST(WriteFile, FollowsNoLinkOfThePassingNameEither) {
  const ScratchFolder folder;
  write_file(folder / "victim", "old");
  fs::create_symlink("victim", folder / "a.part");
  EXPECT_NE(error_of(folder / "a").find("a.part is a link"), std::string::npos);
  EXPECT_EQ(read(folder / "victim"), "old");
}

TEST(WriteFile, TakesThePlaceOfWhatAKilledOneLeft) {
  const ScratchFolder folder;
  write_file(folder / "a.part", "half of");
  write_file(folder / "a", "new");
  EXPECT_EQ(read(folder / "a"), "new");
  EXPECT_FALSE(fs::exists(folder / "a.part"));
}

TEST(WriteFile, LeavesWhatIsNoRegularFile) {
  const ScratchFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_directory(folder / "folder");
  EXPECT_NE(error_of(folder / "pipe").find("is a device, a pipe or a socket"), std::string::npos);
  EXPECT_NE(error_of(folder / "folder").find("is a folder"), std::string::npos);
  EXPECT_NE(error_of(folder / "none/a").find("its folder: No such file"), std::string::npos);
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
  EXPECT_TRUE(fs::is_directory(folder / "folder"));
}

TEST(WriteFile, OverwritesNoInputByWhateverNameWhileInputsAreKept) {
  const ScratchFolder folder;
  const FileRules rules{100, "make one", "unreadable"};
  write_file(folder / "in", "input");
  write_file(folder / "other", "other");
  fs::create_hard_link(folder / "in", folder / "twin");
  fs::create_directory(folder / "sub");
  {
    const KeptInputs inputs;
    EXPECT_EQ(read_file_bytes(folder / "in", "input", rules), "input");
    for (const char* name : {"in", "twin", "./in", "sub/../in"})
      EXPECT_NE(error_of(folder / name).find("is an input"), std::string::npos) << name;
    EXPECT_EQ(error_of(folder / "other"), "");
    EXPECT_EQ(read(folder / "in"), "input");
    give_up_input(folder / "in");
    EXPECT_EQ(error_of(folder / "in"), "");
    EXPECT_EQ(read_file_bytes(folder / "in", "input", rules), "new");
  }
  EXPECT_EQ(error_of(folder / "in", "later"), "");  // those of an earlier command
}

}  // namespace
}  // namespace sinew
