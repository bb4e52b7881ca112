#include "sinew/volume/contour_stack.h"

#include <gtest/gtest.h>

#include "sinew/volume/png.h"
#include "sinew/volume/read_volume.h"

#include "test_volumes.h"

namespace sinew::volume::testing {
namespace {

std::string make_chunk(const std::string& name, const std::string& data) {
  std::string chunk;
  append(chunk, static_cast<std::uint32_t>(data.size()), true);
  const std::string body = name + data;
  const auto sum =
      crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  chunk += body;
  append(chunk, static_cast<std::uint32_t>(sum), true);
  return chunk;
}

struct PngHeader {
  std::uint32_t width, height;
  char bits = 8, color = 0, interlaced = 0;
};

// `rows`: filter bytes and values, as they are before packing.
std::string make_png(const PngHeader& header, const std::string& rows) {
  std::string data;
  append(data, header.width, true);
  append(data, header.height, true);
  data += {header.bits, header.color, '\0', '\0', header.interlaced};
  const std::string packed = pack(rows, 15);
  const std::size_t half = packed.size() / 2;
  return "\x89PNG\r\n\x1a\n" + make_chunk("IHDR", data) + make_chunk("tEXt", "ignored") +
         make_chunk("IDAT", packed.substr(0, half)) + make_chunk("IDAT", packed.substr(half)) +
         make_chunk("IEND", "");
}

using Pixels = std::vector<std::uint16_t>;

TEST(Png, UndoesEveryFilter) {
  // Values 10 20 30 in each row; a row's first byte names its filter.
  const std::string rows = {0, 10, 20, 30, 1, 10, 10, 10, 2, 0, 0, 0, 3, 5, 5, 5, 4, 0, 0, 0};
  const GreyImage image = decode_png("a.png", make_png({3, 5}, rows));
  EXPECT_EQ(image.pixels, Pixels({10, 20, 30, 10, 20, 30, 10, 20, 30, 10, 20, 30, 10, 20, 30}));
}

TEST(Png, ReadsFewBitsAndManyAndPalettesAsStored) {
  const std::string bits = {0, '\x1b', '\x40'};
  EXPECT_EQ(decode_png("a.png", make_png({5, 1, 2}, bits)).pixels, Pixels({0, 1, 2, 3, 1}));
  EXPECT_EQ(decode_png("a.png", make_png({5, 1, 2, 3}, bits)).pixels, Pixels({0, 1, 2, 3, 1}));
  const std::string wide = {0, 1, 2, '\x7f', '\xff'};
  EXPECT_EQ(decode_png("a.png", make_png({2, 1, 16}, wide)).pixels, Pixels({258, 32767}));
}

TEST(Png, ReadsInterlacedPictures) {
  // A picture of 3 x 3 has pixels in passes 1, 4, 5, 6 and 7 of the standard's seven.
  const std::string passes = {0, 1, 0, 3, 0, 7, 9, 0, 2, 0, 8, 0, 4, 5, 6};
  EXPECT_EQ(decode_png("a.png", make_png({3, 3, 8, 0, 1}, passes)).pixels,
            Pixels({1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(Png, RefusesDamagedAndColouredPictures) {
  const auto message = [](const std::string& bytes) {
    return message_of([&] { decode_png("bad.png", bytes); });
  };
  const auto expect = [&](const std::string& bytes, const std::string& says) {
    EXPECT_NE(message(bytes).find(says), std::string::npos) << message(bytes);
  };
  const std::string rows = {0, 1, 2, 0, 3, 4};
  const std::string good = make_png({2, 2}, rows);
  std::string flipped = good;
  flipped[20] ^= 1;
  expect("", "bad.png: byte 0: this is no PNG");
  expect(good.substr(0, 30), "truncated");
  expect(good.substr(0, good.size() - 12), "truncated");
  expect(flipped, "check sum of chunk \"IHDR\"");
  expect(make_png({2, 2, 8, 2}, rows), "colour type 2");
  expect(make_png({2, 2, 8, 4}, rows), "without transparency");
  expect(make_png({2, 2, 16, 3}, rows), "colour type 3 of 16 bits");
  expect(make_png({2, 0}, rows), "2 x 0 pixels");
  expect(make_png({70000, 70000}, rows), "70000 x 70000");
  expect(make_png({30000, 30000}, rows), "cannot come from");
  expect(make_png({2, 3}, rows), "3 bytes too soon");
  expect(make_png({2, 2}, {0, 1, 2, 9, 3, 4}), "filter 9");
}

std::string make_slice(char label) {
  return make_png({2, 1}, {0, label, 0});
}

TEST(ContourStack, IsSortedByTheNumbersInNames) {
  const ScratchFolder folder;
  folder.write("leg2_10.png", make_slice(3));
  folder.write("leg2_9.png", make_slice(2));
  folder.write("leg2_008.PNG", make_slice(1));
  folder.write("notes.txt", "no slice");
  const LabelVolume volume = read_contour_stack(folder.path(""), {0.33e-3, 1e-3});
  EXPECT_EQ(volume.voxels, Pixels({1, 0, 2, 0, 3, 0}));
  expect_same_grid(volume.grid, make_grid({2, 1, 3}, {}, Mat3d::diagonal({0.33, 0.33, 1})), 1e-18);
  // Counted from the head down.
  EXPECT_EQ(read_contour_stack(folder.path(""), {0.33e-3, -1e-3}).grid.axes(2, 2), -1e-3);
}

TEST(ContourStack, IsReadAsALabelVolumeOnceItsSpacingIsSaid) {
  const ScratchFolder folder;
  EXPECT_FALSE(is_contour_stack(folder.path("")));  // nothing is in it yet
  folder.write("1.png", make_slice(4));
  folder.write("2.png", make_slice(5));
  EXPECT_EQ(read_label_volume(folder.path(""), {{1e-3, 2e-3}}).voxels, Pixels({4, 0, 5, 0}));
  const std::string message = message_of([&] { read_label_volume(folder.path("")); });
  EXPECT_NE(message.find("slice_spacing"), std::string::npos) << message;
  EXPECT_TRUE(is_contour_stack(folder.path("")));
  EXPECT_FALSE(is_contour_stack("no/folder"));
}

TEST(ContourStack, IsRefusedWhereSlicesDoNotMakeAVolume) {
  const auto expect = [](const std::vector<std::pair<std::string, std::string>>& files, double xy,
                         const std::string& says) {
    const ScratchFolder folder;
    for (const auto& [name, bytes] : files) folder.write(name, bytes);
    const std::string message = message_of([&] {
      read_contour_stack(folder.path(""), {xy, 1e-3});
    });
    EXPECT_NE(message.find(says), std::string::npos) << message;
  };
  const std::string slice = make_slice(1);
  expect({}, 1e-3, "no .png file");
  expect({{"a.png", slice}}, 1e-3, "no number");
  expect({{"a1.png", slice}, {"b01.png", slice}}, 1e-3, "number 1 stands twice");
  expect({{"1.png", slice}, {"2.png", slice}, {"4.png", slice}}, 1e-3, "slice 4 follows 2");
  expect({{"1.png", slice}, {"2.png", make_png({1, 1}, {0, 1})}}, 1e-3, "2.png: the slice has 1 x");
  expect({{"1.png", slice}, {"2.png", "x"}}, 1e-3, "2.png: byte 0: this is no PNG");
  expect({{"1.png", slice}}, 0, "must be > 0");
  EXPECT_NE(message_of([] {
              read_contour_stack("no/folder", {1, 1});
            }).find("cannot be read"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew::volume::testing
