// A 64-bit fingerprint of bytes, for comparing states bit for bit. Not for security.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sinew {

class Hash {
 public:
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
  // T is trivially copyable and has no padding.
  template <class T>
  void add(const std::vector<T>& values) {
    add(std::as_bytes(std::span(values)));
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

}  // namespace sinew
