// The nodes of all pieces and where they are joined across contacts. For gluing and cutting stars.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/mesh/piece_graph.h"

namespace sinew::mesh {

// Node i of piece p is slot 4 p + i. A link leads to the same node of the piece across a contact.
struct SlotLink {
  std::uint32_t to;       // slot
  std::uint32_t contact;  // of the graph
  std::uint8_t node;      // which of the contact's nodes
};

class NodeSlots {
 public:
  explicit NodeSlots(const PieceGraph& graph);

  std::span<const SlotLink> links(std::size_t slot) const {
    return {links_.data() + first_[slot], first_[slot + 1] - first_[slot]};
  }

 private:
  std::vector<std::size_t> first_;  // (num_slots + 1)
  std::vector<SlotLink> links_;
};

}  // namespace sinew::mesh
