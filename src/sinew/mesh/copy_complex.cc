#include "sinew/mesh/copy_complex.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace sinew::mesh {
namespace {

// Of a set of faces of a tetrahedron, given by bits of their corners, with all their edges and
// corners: whether it is not empty, in one piece and without holes.
bool is_contractible(const std::vector<std::uint8_t>& faces) {
  std::array<bool, 16> there{};
  for (unsigned face = 1; face < 16; ++face) {
    there[face] = std::any_of(faces.begin(), faces.end(),
                              [&](std::uint8_t whole) { return (face & whole) == face; });
  }
  int euler = 0;
  unsigned corners = 0;
  for (unsigned face = 1; face < 16; ++face) {
    if (!there[face]) continue;
    euler += std::popcount(face) % 2 == 1 ? 1 : -1;
    corners |= face;
  }
  unsigned reached = corners & (~corners + 1);  // the lowest corner
  for (int step = 0; step < 3; ++step) {
    for (unsigned face = 1; face < 16; ++face) {
      if (there[face] && (face & reached) != 0) reached |= face;
    }
  }
  return euler == 1 && reached == corners;
}

}  // namespace

CopyComplex::CopyComplex(std::vector<std::uint32_t> nodes, std::vector<char> alive)
    : nodes_(std::move(nodes)), alive_(std::move(alive)), first_(nodes_.size() + 1, 0) {
  for (std::size_t s = 0; s < nodes_.size(); ++s) {
    if (alive_[s / 4] != 0) ++first_[nodes_[s] + 1];
  }
  for (std::size_t n = 1; n < first_.size(); ++n) first_[n] += first_[n - 1];
  users_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t s = 0; s < nodes_.size(); ++s) {
    if (alive_[s / 4] != 0) users_[next[nodes_[s]]++] = static_cast<std::uint32_t>(s / 4);
  }
}

std::vector<std::uint8_t> CopyComplex::find_shared(std::size_t copy) const {
  std::vector<std::uint8_t> shared;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::uint32_t node = nodes_[4 * copy + i];
    for (std::size_t u = first_[node]; u < first_[node + 1]; ++u) {
      const std::uint32_t other = users_[u];
      if (other == copy || alive_[other] == 0) continue;
      const auto* begin = &nodes_[std::size_t{4} * other];
      unsigned bits = 0;
      for (std::size_t j = 0; j < 4; ++j) {
        if (std::find(begin, begin + 4, nodes_[4 * copy + j]) != begin + 4) bits |= 1U << j;
      }
      shared.push_back(static_cast<std::uint8_t>(bits));
    }
  }
  return shared;
}

bool CopyComplex::is_loose(std::size_t copy) const {
  return is_contractible(find_shared(copy));
}

bool CopyComplex::owns(std::size_t copy, std::size_t node) const {
  const std::uint32_t number = nodes_[4 * copy + node];
  for (std::size_t u = first_[number]; u < first_[number + 1]; ++u) {
    if (users_[u] != copy && alive_[users_[u]] != 0) return false;
  }
  return true;
}

}  // namespace sinew::mesh
