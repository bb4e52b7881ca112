// A picture in memory, with the little that a sheet of frames needs: for the PNG exporter.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::record {

// Linear red, green and blue in [0, 1], row by row from the top.
struct Image {
  Image(int w, int h, const Vec3f& color)
      : width(w),
        height(h),
        pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), color) {}

  Vec3f& at(int x, int y) { return pixels[index(x, y)]; }
  const Vec3f& at(int x, int y) const { return pixels[index(x, y)]; }
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }

  int width, height;
  std::vector<Vec3f> pixels;
};

// A colour as designers write it (sRGB, 0-255 a channel) in linear light.
Vec3f srgb(int red, int green, int blue);

// The mean of each `factor` x `factor` block. Precondition: `factor` divides both sizes.
Image shrink(const Image& image, int factor);

// Copies `tile` to (left, top) of `sheet`. Precondition: it fits.
void paste(const Image& tile, int left, int top, Image& sheet);

// A line of one pixel along the edges.
void draw_border(const Vec3f& color, Image& image);

// Digits, "." and the letter "s" from (left, top), 7 x `scale` pixels high; other characters are
// blanks.
void draw_text(std::string_view text, int left, int top, int scale, const Vec3f& color,
               Image& image);

// The bytes of a PNG file: 8 bits a channel, sRGB.
std::string encode_png(const Image& image);

}  // namespace sinew::record
