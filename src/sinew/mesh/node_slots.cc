#include "sinew/mesh/node_slots.h"

namespace sinew::mesh {
namespace {

// Calls visit(contact, node, slot of a, slot of b).
template <class Visit>
void for_each_link(const PieceGraph& graph, const Visit& visit) {
  for (std::uint32_t c = 0; c < graph.contacts.size(); ++c) {
    const Contact& contact = graph.contacts[c];
    for (std::uint8_t k = 0; k < contact.num_nodes; ++k) {
      visit(c, k, 4 * contact.a + contact.a_nodes[k], 4 * contact.b + contact.b_nodes[k]);
    }
  }
}

}  // namespace

NodeSlots::NodeSlots(const PieceGraph& graph) : first_(4 * graph.num_pieces() + 1, 0) {
  for_each_link(graph, [&](std::uint32_t, std::uint8_t, std::uint32_t a, std::uint32_t b) {
    ++first_[a + 1];
    ++first_[b + 1];
  });
  for (std::size_t s = 1; s < first_.size(); ++s) first_[s] += first_[s - 1];
  links_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for_each_link(graph, [&](std::uint32_t c, std::uint8_t k, std::uint32_t a, std::uint32_t b) {
    links_[next[a]++] = {b, c, k};
    links_[next[b]++] = {a, c, k};
  });
}

}  // namespace sinew::mesh
