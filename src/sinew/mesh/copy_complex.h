// The copies of lattice cells as a complex from which some may be taken without changing how it
// hangs together. For glue_pieces.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace sinew::mesh {

// Four node numbers a copy; copies that are not there are not alive.
class CopyComplex {
 public:
  // `nodes` (num_copies x 4), `alive` (num_copies) 0 or 1.
  CopyComplex(std::vector<std::uint32_t> nodes, std::vector<char> alive);

  bool is_alive(std::size_t copy) const { return alive_[copy] != 0; }

  // Whether the copy can go: what it shares with others is in one piece and without holes, so that
  // bodies and holes of the rest are those of the whole.
  bool is_loose(std::size_t copy) const;

  // Whether no other copy alive has this of its nodes.
  bool owns(std::size_t copy, std::size_t node) const;

  void remove(std::size_t copy) { alive_[copy] = 0; }

 private:
  // For each other copy alive that shares nodes with this one: which, as bits.
  std::vector<std::uint8_t> find_shared(std::size_t copy) const;

  std::vector<std::uint32_t> nodes_;
  std::vector<char> alive_;
  std::vector<std::size_t> first_;    // (num_nodes + 1)
  std::vector<std::uint32_t> users_;  // copies with node n in [first_[n], first_[n + 1])
};

}  // namespace sinew::mesh
