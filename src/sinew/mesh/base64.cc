#include "sinew/mesh/base64.h"

#include <algorithm>
#include <cstddef>

namespace sinew::mesh {

std::string encode_base64(std::span<const unsigned char> bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    unsigned bits = 0;  // 24 of them, zeros past the end
    for (std::size_t k = 0; k < 3; ++k) bits = (bits << 8U) | (k < n ? bytes[i + k] : 0U);
    for (unsigned k = 0; k < 4; ++k) {
      text += k <= n ? kDigits[(bits >> (18U - 6U * k)) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace sinew::mesh
