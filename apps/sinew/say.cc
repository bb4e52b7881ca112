#include "say.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sinew::app {
namespace {

struct CodePoints {
  char32_t first, last;
};

// What is not drawn but obeyed: controls, marks of direction, separators of lines.
constexpr std::array<CodePoints, 8> kObeyed = {{{0x00, 0x1f},
                                                {0x7f, 0x9f},
                                                {0x061c, 0x061c},
                                                {0x200b, 0x200f},
                                                {0x2028, 0x202e},
                                                {0x2060, 0x206f},
                                                {0xfeff, 0xfeff},
                                                {0xe0000, 0xe007f}}};

// Bytes of a character by its first one; 0 where none begins with it.
std::size_t size_by(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

// Bytes of the character that begins here; 0 where it is no UTF-8 or would be obeyed.
std::size_t visible_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t size = size_by(first);
  if (size == 0 || size > text.size()) return 0;
  char32_t code = size == 1 ? first : first & (0x7fU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return 0;
    code = code << 6U | (byte(i) & 0x3fU);
  }
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_none = code < kLeast[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000);
  const bool is_obeyed = std::ranges::any_of(
      kObeyed, [&](const CodePoints& range) { return code >= range.first && code <= range.last; });
  return is_none || is_obeyed ? 0 : size;
}

// Bytes that one '?' stands for: a whole character where it is one.
std::size_t hidden_size(std::string_view text) {
  std::size_t size = 1;
  const bool starts_one = (static_cast<unsigned char>(text[0]) & 0xc0U) == 0xc0U;
  while (starts_one && size < text.size() && size < 4 &&
         (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80U) {
    ++size;
  }
  return size;
}

}  // namespace

std::string make_visible(std::string_view text) {
  std::string visible;
  visible.reserve(text.size());
  while (!text.empty()) {
    std::size_t size = visible_size(text);
    if (size > 0) {
      visible += text.substr(0, size);
    } else {
      visible += '?';
      size = hidden_size(text);
    }
    text.remove_prefix(size);
  }
  return visible;
}

}  // namespace sinew::app
