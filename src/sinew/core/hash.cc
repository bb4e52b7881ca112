#include "sinew/core/hash.h"

#include <cstring>

namespace sinew {
namespace {

// The finaliser of splitmix64: every input bit reaches every output bit.
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

void Hash::add(std::span<const std::byte> bytes) {
  // The length goes in first: "ab" + "c" differs from "a" + "bc".
  state_ = mix(state_ + bytes.size());
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t n = bytes.size() < 8 ? bytes.size() : 8;
    std::memcpy(&word, bytes.data(), n);
    state_ = mix(state_ ^ word) + 0x9e3779b97f4a7c15ULL;
    bytes = bytes.subspan(n);
  }
}

}  // namespace sinew
