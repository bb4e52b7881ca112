// Union-find: which of many things hang together, told pair by pair. For runs of voxels, and pieces
// and nodes of cut cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace sinew {

// The root of a set is its lowest member, whatever the order of joining.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count = 0) { reset(count); }

  // Every member alone.
  void reset(std::size_t count) {
    parents_.resize(count);
    std::iota(parents_.begin(), parents_.end(), 0U);
  }

  std::size_t size() const { return parents_.size(); }

  std::uint32_t find(std::size_t member) {
    auto at = static_cast<std::uint32_t>(member);
    while (parents_[at] != at) {
      parents_[at] = parents_[parents_[at]];  // halves the way for the next time
      at = parents_[at];
    }
    return at;
  }

  void join(std::size_t a, std::size_t b) {
    std::uint32_t p = find(a), q = find(b);
    if (p > q) std::swap(p, q);
    parents_[q] = p;
  }

 private:
  std::vector<std::uint32_t> parents_;
};

}  // namespace sinew
