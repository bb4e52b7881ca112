// A cube of six tetrahedra around a diagonal, written in every text and binary form by hand, for
// the tests of readers.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "sinew/mesh/tet_mesh_parsers.h"

namespace sinew::mesh {

constexpr std::array<std::array<int, 4>, 6> kCubeTets = {
    {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}};

inline std::array<int, 3> cube_corner(int i) {
  return {i & 1, (i >> 1) & 1, (i >> 2) & 1};
}

// Bytes of a value as this machine stores them.
template <class T>
void append_value(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

// Regions 7 ("muscle") and 8 by halves, a triangle, and a node that nothing uses. Tags have gaps.
inline std::string gmsh2_cube() {
  std::string text =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 7 \"skin\"\n3 7 \"muscle "
      "belly\"\n"
      "$EndPhysicalNames\n$Nodes\n9\n";
  for (int i = 0; i < 8; ++i) {
    const auto c = cube_corner(i);
    text += fmt::format("{} {} {} {}e0\n", 10 * i + 10, c[0], c[1], c[2]);
  }
  text += "5 9 9 9\n$EndNodes\n$Elements\n7\n1 2 2 7 1 10 20 40\n";
  for (int t = 0; t < 6; ++t) {
    const auto& n = kCubeTets[static_cast<std::size_t>(t)];
    text += fmt::format("{} 4 2 {} 1 {} {} {} {}\n", t + 2, t < 3 ? 7 : 8, 10 * n[0] + 10,
                        10 * n[1] + 10, 10 * n[2] + 10, 10 * n[3] + 10);
  }
  return text + "$EndElements\n";
}

inline std::string gmsh2_binary_cube() {
  std::string bytes = "$MeshFormat\n2.2 1 8\n";
  append_value<std::int32_t>(bytes, 1);
  bytes += "\n$EndMeshFormat\n$Nodes\n8\n";
  for (int i = 0; i < 8; ++i) {
    append_value<std::int32_t>(bytes, i + 1);
    for (const int c : cube_corner(i)) append_value<double>(bytes, c);
  }
  bytes += "\n$EndNodes\n$Elements\n7\n";
  for (const std::int32_t v : {2, 1, 2, 1, 7, 1, 1, 2, 4}) append_value(bytes, v);
  for (const std::int32_t v : {4, 6, 2}) append_value(bytes, v);
  for (std::int32_t t = 0; t < 6; ++t) {
    for (const std::int32_t v : {t + 2, t < 3 ? 7 : 8, 1}) append_value(bytes, v);
    for (const std::int32_t n : kCubeTets[static_cast<std::size_t>(t)]) append_value(bytes, n + 1);
  }
  return bytes + "\n$EndElements\n";
}

inline std::string gmsh4_cube() {
  std::string text =
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 7 \"muscle belly\"\n"
      "$EndPhysicalNames\n$Entities\n1 1 1 2\n1 0 0 0 1 4\n1 0 0 0 1 0 0 0 2 1 -2\n"
      "1 0 0 0 1 1 0 0 1 1\n1 0 0 0 1 1 1 1 7 1 1\n2 0 0 0 1 1 1 1 8 0\n$EndEntities\n"
      "$Nodes\n2 9 1 90\n2 1 1 1\n5\n9 9 9 0.5 0.5\n3 1 0 8\n";
  for (int i = 0; i < 8; ++i) text += fmt::format("{}\n", 10 * i + 10);
  for (int i = 0; i < 8; ++i) {
    const auto c = cube_corner(i);
    text += fmt::format("{} {} {}\n", c[0], c[1], c[2]);
  }
  text += "$EndNodes\n$Elements\n3 7 1 7\n2 1 2 1\n1 10 20 40\n";
  for (int t = 0; t < 6; ++t) {
    if (t % 3 == 0) text += fmt::format("3 {} 4 3\n", t / 3 + 1);
    const auto& n = kCubeTets[static_cast<std::size_t>(t)];
    text += fmt::format("{} {} {} {} {}\n", t + 2, 10 * n[0] + 10, 10 * n[1] + 10, 10 * n[2] + 10,
                        10 * n[3] + 10);
  }
  return text + "$EndElements\n";
}

inline std::string gmsh4_binary_cube() {
  using Size = std::uint64_t;
  std::string bytes = "$MeshFormat\n4.1 1 8\n";
  append_value<std::int32_t>(bytes, 1);
  bytes += "\n$EndMeshFormat\n$Entities\n";
  for (const Size n : {0, 0, 0, 1}) append_value(bytes, n);
  append_value<std::int32_t>(bytes, 1);
  for (const double v : {0., 0., 0., 1., 1., 1.}) append_value(bytes, v);
  append_value<Size>(bytes, 1);
  append_value<std::int32_t>(bytes, 7);
  append_value<Size>(bytes, 0);
  bytes += "\n$EndEntities\n$Nodes\n";
  for (const Size n : {1, 8, 1, 8}) append_value(bytes, n);
  for (const std::int32_t v : {3, 1, 0}) append_value(bytes, v);
  append_value<Size>(bytes, 8);
  for (Size i = 1; i <= 8; ++i) append_value(bytes, i);
  for (int i = 0; i < 8; ++i)
    for (const int c : cube_corner(i)) append_value<double>(bytes, c);
  bytes += "\n$EndNodes\n$Elements\n";
  for (const Size n : {1, 6, 1, 6}) append_value(bytes, n);
  for (const std::int32_t v : {3, 1, 4}) append_value(bytes, v);
  append_value<Size>(bytes, 6);
  for (std::size_t t = 0; t < 6; ++t) {
    append_value<Size>(bytes, t + 1);
    for (const int n : kCubeTets[t]) append_value<Size>(bytes, static_cast<Size>(n) + 1);
  }
  return bytes + "\n$EndElements\n";
}

// Counted from `first`, with a comment, an attribute and a marker for each node.
inline FileBytes tetgen_nodes(int first) {
  std::string text = "# made by hand\n9 3 1 1\n";
  for (int i = 0; i < 9; ++i) {
    const auto c = i < 8 ? cube_corner(i) : std::array<int, 3>{9, 9, 9};
    text += fmt::format("{}  {} {} {}  0.5 1 # point\n", first + i, c[0], c[1], c[2]);
  }
  return {"cube.node", text, 1};
}

inline FileBytes tetgen_elements(int first) {
  std::string text = "6 4 1\n";
  for (int t = 0; t < 6; ++t) {
    const auto& n = kCubeTets[static_cast<std::size_t>(t)];
    text += fmt::format("{} {} {} {} {} {}\n", first + t, first + n[0], first + n[1], first + n[2],
                        first + n[3], t < 3 ? 7 : 8);
  }
  return {"cube.ele", text, 1};
}

}  // namespace sinew::mesh
