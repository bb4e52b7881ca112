// Which nodes of all bodies are unknowns of a step, and what the others follow: light nodes are
// slaves of heavier ones, held nodes have a given velocity.
//
// Departures A and B from fan2014 (docs/theory/eulerian.md): the paper solves for every node that
// carries mass and writes attachments as rows. Slivers then move at any speed, and rows of
// attachments contradict those of volume.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/eulerian/block.h"

namespace sinew::eulerian {

inline constexpr std::int32_t kNoNode = -1;

struct Master {
  std::uint32_t unknown;
  double weight;
};

// A node that is no unknown: v = constant + sum weight v_unknown, where the constant is
// sum weight v_held.
struct Follower {
  Vec3d constant{};
  std::uint32_t begin = 0, end = 0;            // of Unknowns::masters
  std::uint32_t held_begin = 0, held_end = 0;  // of Unknowns::holds
};

// A held node that another follows; a held node follows itself with weight 1 - ratio.
struct Hold {
  std::uint32_t held;  // counted through all bodies
  double weight;
};

struct Unknowns {
  // For each body (nodes of its block): >= 0 an unknown, kNoNode none, below that a follower.
  std::vector<std::vector<std::int32_t>> code;
  std::vector<Follower> followers;
  std::vector<Master> masters;
  std::vector<Hold> holds;
  std::vector<std::uint32_t> node;           // (num_unknowns) in its body's block
  std::vector<std::uint32_t> begin;          // (num_bodies + 1) first unknown of each body
  std::vector<std::uint32_t> held_begin{0};  // (num_bodies + 1) first held node of each body

  std::size_t size() const { return node.size(); }
};

inline std::size_t follower_of(std::int32_t code) {
  return static_cast<std::size_t>(-2 - code);
}
inline std::int32_t follower_code(std::size_t follower) {
  return -2 - static_cast<std::int32_t>(follower);
}

// v = velocity + ratio v_inner, eq. 20; ratio 0: held wholly.
struct HeldNode {
  std::uint32_t node;
  Vec3d velocity;
  std::uint32_t inner = 0;
  double ratio = 0;
};

// Adds a body. `mass` (nodes of the block) is that of free tissue; nodes lighter than `least` are
// slaves; `held` are increasing.
void add_unknowns(const Block& block, std::span<const double> mass, double least,
                  std::span<const HeldNode> held, Unknowns& unknowns);

// Calls unknown(index, weight) for what node's velocity follows; returns its constant part.
template <class Visit>
Vec3d visit(const Unknowns& unknowns, std::size_t body, std::size_t node, const Visit& unknown) {
  const std::int32_t code = unknowns.code[body][node];
  if (code >= 0) {
    unknown(static_cast<std::uint32_t>(code), 1.0);
    return {};
  }
  if (code == kNoNode) return {};
  const Follower& f = unknowns.followers[follower_of(code)];
  for (std::uint32_t m = f.begin; m < f.end; ++m) {
    unknown(unknowns.masters[m].unknown, unknowns.masters[m].weight);
  }
  return f.constant;
}

// Calls hold(held, weight) for the held nodes that node's velocity follows.
template <class Visit>
void visit_holds(const Unknowns& unknowns, std::size_t body, std::size_t node, const Visit& hold) {
  const std::int32_t code = unknowns.code[body][node];
  if (code >= kNoNode) return;
  const Follower& f = unknowns.followers[follower_of(code)];
  for (std::uint32_t h = f.held_begin; h < f.held_end; ++h) {
    hold(unknowns.holds[h].held, unknowns.holds[h].weight);
  }
}

// The velocity of a node from those of the unknowns.
inline Vec3d velocity_of(const Unknowns& unknowns, std::size_t body, std::size_t node,
                         std::span<const Vec3d> velocities) {
  Vec3d v{};
  const Vec3d constant = visit(
      unknowns, body, node, [&](std::uint32_t u, double weight) { v += velocities[u] * weight; });
  return v + constant;
}

}  // namespace sinew::eulerian
