// Finds keys of lattice cells among many in constant time (open addressing). For point location.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinew::mesh {

// Of keys that stand in a list which outlives the table.
class KeyTable {
 public:
  explicit KeyTable(const std::vector<std::uint64_t>& keys)
      : keys_(&keys), slots_(std::bit_ceil(2 * keys.size() + 2), kEmpty) {
    for (std::size_t n = 0; n < keys.size(); ++n) {
      std::size_t slot = slot_of(keys[n]);
      while (slots_[slot] != kEmpty && keys[slots_[slot]] != keys[n]) slot = after(slot);
      if (slots_[slot] == kEmpty) slots_[slot] = static_cast<std::uint32_t>(n);
    }
  }

  // Index of the first key that equals `key`; the number of keys where none does.
  std::size_t find(std::uint64_t key) const {
    for (std::size_t slot = slot_of(key); slots_[slot] != kEmpty; slot = after(slot)) {
      if ((*keys_)[slots_[slot]] == key) return slots_[slot];
    }
    return keys_->size();
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xffffffff;

  // Fibonacci hashing: neighbouring keys spread over the table.
  std::size_t slot_of(std::uint64_t key) const {
    return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15ULL >> 32) & (slots_.size() - 1);
  }
  std::size_t after(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }

  const std::vector<std::uint64_t>* keys_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace sinew::mesh
