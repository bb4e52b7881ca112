#include "sinew/record/image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include <zlib.h>

#include "sinew/core/error.h"

namespace sinew::record {
namespace {

constexpr int kGlyphWidth = 5;
constexpr int kGlyphHeight = 7;
struct Glyph {
  char character;
  std::array<const char*, kGlyphHeight> rows;
};
constexpr std::array<Glyph, 12> kGlyphs = {{
    {'0', {" ### ", "#   #", "#   #", "#   #", "#   #", "#   #", " ### "}},
    {'1', {"  #  ", " ##  ", "  #  ", "  #  ", "  #  ", "  #  ", " ### "}},
    {'2', {" ### ", "#   #", "    #", "   # ", "  #  ", " #   ", "#####"}},
    {'3', {" ### ", "#   #", "    #", "  ## ", "    #", "#   #", " ### "}},
    {'4', {"   # ", "  ## ", " # # ", "#  # ", "#####", "   # ", "   # "}},
    {'5', {"#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "}},
    {'6', {" ### ", "#    ", "#    ", "#### ", "#   #", "#   #", " ### "}},
    {'7', {"#####", "    #", "   # ", "   # ", "  #  ", "  #  ", "  #  "}},
    {'8', {" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "}},
    {'9', {" ### ", "#   #", "#   #", " ####", "    #", "    #", " ### "}},
    {'.', {"     ", "     ", "     ", "     ", "     ", " ##  ", " ##  "}},
    {'s', {"     ", "     ", " ####", "#    ", " ### ", "    #", "#### "}},
}};

float encode_channel(float linear) {
  const float v = std::clamp(linear, 0.0F, 1.0F);
  return v <= 0.0031308F ? 12.92F * v : 1.055F * std::pow(v, 1 / 2.4F) - 0.055F;
}

float decode_channel(int value) {
  const float v = static_cast<float>(value) / 255;
  return v <= 0.04045F ? v / 12.92F : std::pow((v + 0.055F) / 1.055F, 2.4F);
}

using Row = std::vector<unsigned char>;

Row encode_row(const Image& image, int y) {
  Row row;
  row.reserve(static_cast<std::size_t>(image.width) * 3);
  for (int x = 0; x < image.width; ++x)
    for (std::size_t c = 0; c < 3; ++c)
      row.push_back(
          static_cast<unsigned char>(std::lround(255 * encode_channel(image.at(x, y)[c]))));
  return row;
}

// A row as differences from what PNG's predictors "up" and "average" guess; more predictors make
// these pictures no smaller.
constexpr unsigned char kUp = 2;
constexpr unsigned char kAverage = 3;

Row predict(const Row& row, const Row& above, unsigned char filter) {
  Row result = {filter};
  for (std::size_t i = 0; i < row.size(); ++i) {
    const int left = i < 3 ? 0 : row[i - 3];
    const int guess = filter == kUp ? above[i] : (left + above[i]) / 2;
    result.push_back(static_cast<unsigned char>(row[i] - guess));
  }
  return result;
}

int sum_of_differences(const Row& row) {
  int sum = 0;
  for (std::size_t i = 1; i < row.size(); ++i)
    sum += std::abs(static_cast<int>(static_cast<signed char>(row[i])));
  return sum;
}

std::string compress_rows(const Image& image) {
  Row raw;
  Row above(static_cast<std::size_t>(image.width) * 3, 0);
  for (int y = 0; y < image.height; ++y) {
    Row row = encode_row(image, y);
    const Row up = predict(row, above, kUp);
    const Row average = predict(row, above, kAverage);
    const Row& best = sum_of_differences(up) <= sum_of_differences(average) ? up : average;
    raw.insert(raw.end(), best.begin(), best.end());
    above = std::move(row);
  }
  uLongf size = compressBound(raw.size());
  std::string packed(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size, raw.data(),
                               raw.size(), Z_BEST_COMPRESSION);
  SINEW_CHECK(status == Z_OK, "zlib compresses into a buffer of the size it asked for");
  packed.resize(size);
  return packed;
}

void add_number(std::uint32_t value, std::string& bytes) {
  for (const unsigned shift : {24U, 16U, 8U, 0U})
    bytes += static_cast<char>((value >> shift) & 0xffU);
}

void add_chunk(const std::string& name, const std::string& data, std::string& png) {
  const std::string body = name + data;
  add_number(static_cast<std::uint32_t>(data.size()), png);
  png += body;
  const auto* bytes = reinterpret_cast<const Bytef*>(body.data());
  add_number(static_cast<std::uint32_t>(crc32(0, bytes, static_cast<uInt>(body.size()))), png);
}

void draw_glyph(const Glyph& glyph, int left, int top, int scale, const Vec3f& color,
                Image& image) {
  for (int y = 0; y < kGlyphHeight * scale; ++y) {
    const char* row = glyph.rows[static_cast<std::size_t>(y / scale)];
    for (int x = 0; x < kGlyphWidth * scale; ++x)
      if (row[x / scale] == '#' && left + x < image.width && top + y < image.height)
        image.at(left + x, top + y) = color;
  }
}

}  // namespace

Vec3f srgb(int red, int green, int blue) {
  return {decode_channel(red), decode_channel(green), decode_channel(blue)};
}

Image shrink(const Image& image, int factor) {
  Image small(image.width / factor, image.height / factor, {});
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) small.at(x / factor, y / factor) += image.at(x, y);
  for (auto& pixel : small.pixels) pixel *= 1.0F / static_cast<float>(factor * factor);
  return small;
}

void paste(const Image& tile, int left, int top, Image& sheet) {
  for (int y = 0; y < tile.height; ++y)
    for (int x = 0; x < tile.width; ++x) sheet.at(left + x, top + y) = tile.at(x, y);
}

void draw_border(const Vec3f& color, Image& image) {
  for (int x = 0; x < image.width; ++x) image.at(x, 0) = image.at(x, image.height - 1) = color;
  for (int y = 0; y < image.height; ++y) image.at(0, y) = image.at(image.width - 1, y) = color;
}

void draw_text(std::string_view text, int left, int top, int scale, const Vec3f& color,
               Image& image) {
  for (const char c : text) {
    for (const Glyph& glyph : kGlyphs)
      if (glyph.character == c) draw_glyph(glyph, left, top, scale, color, image);
    // A point and a blank take less room than a digit.
    left += (c == '.' || c == ' ' ? kGlyphWidth - 1 : kGlyphWidth + 1) * scale;
  }
}

std::string encode_png(const Image& image) {
  std::string header;
  add_number(static_cast<std::uint32_t>(image.width), header);
  add_number(static_cast<std::uint32_t>(image.height), header);
  header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, red green blue, not interlaced
  std::string png = "\x89PNG\r\n\x1a\n";
  add_chunk("IHDR", header, png);
  add_chunk("sRGB", std::string(1, '\0'), png);
  add_chunk("IDAT", compress_rows(image), png);
  add_chunk("IEND", "", png);
  return png;
}

}  // namespace sinew::record
