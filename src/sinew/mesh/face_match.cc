#include "sinew/mesh/face_match.h"

#include <algorithm>
#include <cstdlib>

namespace sinew::mesh {
namespace {

using FaceNode = std::array<int, 3>;  // parts of n at the face's three nodes

// `nodes` are the face's, as in nodes_of.
std::uint16_t label_at(const CellPieces& cell, const std::array<std::size_t, 3>& nodes,
                       const FaceNode& at) {
  if (cell.n == 0) return 0;
  std::array<int, 4> weights{};
  // kGridCorners is its own inverse.
  for (std::size_t k = 0; k < 3; ++k) weights[kGridCorners[nodes[k]]] = at[k];
  return cell.labels[node_index(node_of_weights(weights))];
}

// Label of a coarse sample whose triangles hold the fine one and which is of the fine one's piece,
// `label`, in the fine cell too; kOutside: there is none.
std::uint16_t label_around(const CellPieces& fine, const CellPieces& coarse,
                           const FaceNeighbor& face, const FaceNode& at, std::uint16_t label) {
  const int ratio = std::max(1, fine.n / coarse.n);
  for (int i = at[0] / ratio; i * ratio < at[0] + ratio; ++i) {
    for (int j = at[1] / ratio; j * ratio < at[1] + ratio; ++j) {
      const FaceNode node{i, j, coarse.n - i - j};
      if (node[2] < 0 || std::abs(node[2] * ratio - at[2]) >= ratio) continue;
      const FaceNode same{i * ratio, j * ratio, node[2] * ratio};
      if (label_at(fine, face.mine, same) == label) return label_at(coarse, face.theirs, node);
    }
  }
  return CellPieces::kOutside;
}

std::uint16_t label_across(const CellPieces& fine, const CellPieces* coarse,
                           const FaceNeighbor& face, const FaceNode& at, std::uint16_t label) {
  if (coarse == nullptr) return CellPieces::kOutside;
  if (coarse->n == 0 || coarse->n == fine.n) return label_at(*coarse, face.theirs, at);
  return label_around(fine, *coarse, face, at, label);
}

void add_pair(std::uint16_t a, std::uint16_t b, FaceMatch& match) {
  const std::array<std::uint16_t, 2> pair{a, b};
  if (std::find(match.pairs.begin(), match.pairs.end(), pair) == match.pairs.end()) {
    match.pairs.push_back(pair);
  }
}

}  // namespace

FaceMatch match_face(const CellPieces& fine, const CellPieces* coarse, const FaceNeighbor& face) {
  FaceMatch match;
  for (int i = 0; i <= fine.n; ++i) {
    for (int j = 0; i + j <= fine.n; ++j) {
      const FaceNode at{i, j, fine.n - i - j};
      const std::uint16_t a = label_at(fine, face.mine, at);
      if (a == CellPieces::kOutside) continue;
      const std::uint16_t b = label_across(fine, coarse, face, at, a);
      if (b == CellPieces::kOutside || fine.pieces[a].part != coarse->pieces[b].part) {
        match.seen = false;
      } else {
        add_pair(a, b, match);
      }
    }
  }
  // A coarse cell is one piece: it would tie together what is apart here.
  const bool coarser = coarse != nullptr && coarse->n < fine.n;
  match.seen = match.seen && !(coarser && match.pairs.size() > 1);
  return match;
}

}  // namespace sinew::mesh
