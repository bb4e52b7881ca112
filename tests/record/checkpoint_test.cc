#include "sinew/record/checkpoint.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/temporary_file.h"

#include "record/sample_recording.h"

namespace sinew::record {
namespace {

Checkpoint make_checkpoint(std::size_t size) {
  Checkpoint checkpoint{42, 0x123456789abcdef0ULL, {}};
  for (std::size_t i = 0; i < size; ++i) checkpoint.state.push_back(std::byte(i * 37 % 251));
  return checkpoint;
}

void expect_same(const Checkpoint& a, const Checkpoint& b) {
  EXPECT_EQ(a.frame, b.frame);
  EXPECT_EQ(a.scene_hash, b.scene_hash);
  EXPECT_EQ(a.state, b.state);
}

TEST(Checkpoint, ComesBackBitForBit) {
  const sample::Folder folder;
  for (const std::size_t size : {0, 1, 7, 8, 9, 100'000}) {
    write_checkpoint(folder / "c.bin", make_checkpoint(size));
    expect_same(read_checkpoint(folder / "c.bin"), make_checkpoint(size));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "c.bin.part"));
}

TEST(Checkpoint, ThatCannotBeReplacedLeavesTheOldOne) {
  const sample::Folder folder;
  write_checkpoint(folder / "c.bin", make_checkpoint(10));
  // A folder in the way of the passing name makes the write fail.
  std::filesystem::create_directory(folder / "c.bin.part");
  EXPECT_THROW(write_checkpoint(folder / "c.bin", make_checkpoint(20)), InputError);
  expect_same(read_checkpoint(folder / "c.bin"), make_checkpoint(10));
}

TEST(Checkpoint, WithAnyBitFlippedIsRefused) {
  const sample::Folder folder;
  const std::string path = folder / "c.bin";
  write_checkpoint(path, make_checkpoint(30));
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  ASSERT_EQ(bytes.size(), 78U);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] ^= static_cast<char>(1U << (bit % 8));
    write_file(path, flipped);
    EXPECT_THROW(read_checkpoint(path), InputError) << "bit " << bit;
  }
}

TEST(Checkpoint, OfAnyOtherLengthIsRefused) {
  const sample::Folder folder;
  const std::string path = folder / "c.bin";
  write_checkpoint(path, make_checkpoint(30));
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    write_file(path, bytes.substr(0, length));
    EXPECT_THROW(read_checkpoint(path), InputError) << length << " bytes";
  }
  write_file(path, bytes + "x");
  EXPECT_THROW(read_checkpoint(path), InputError);
}

TEST(Checkpoint, ThatIsMissingOrAFolderIsRefused) {
  const sample::Folder folder;
  EXPECT_THROW(read_checkpoint(folder / "none"), InputError);
  EXPECT_THROW(read_checkpoint(folder.path()), InputError);
}

}  // namespace
}  // namespace sinew::record
