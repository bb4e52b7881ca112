// Grey pictures in PNG files (ISO/IEC 15948), as far as slices of a segmented scan need them. For
// contour_stack.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::volume {

struct GreyImage {
  std::int32_t width = 0, height = 0;
  std::vector<std::uint16_t> pixels;  // as stored, not scaled to a range; row by row from the top
};

// Grey of 1, 2, 4, 8 or 16 bits or indices into a palette, plain or interlaced. Throws InputError
// with `path` and the byte where it is no PNG, damaged, too large, coloured or has transparency.
GreyImage decode_png(const std::string& path, std::string_view bytes);

}  // namespace sinew::volume
