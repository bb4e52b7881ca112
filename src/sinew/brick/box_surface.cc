#include "sinew/brick/box_surface.h"

#include <array>
#include <map>

namespace sinew::brick {

mesh::Surface make_box_surface(const std::function<Vec3d(const Vec3d&)>& place, int cells) {
  mesh::Surface out;
  std::map<std::array<int, 3>, std::uint32_t> numbers;
  const auto number = [&](const std::array<int, 3>& at) {
    const auto [found, added] =
        numbers.try_emplace(at, static_cast<std::uint32_t>(out.positions.size()));
    if (added) {
      const auto part = [cells](int i) { return 2.0 * i / cells - 1; };
      out.positions.push_back(place({part(at[0]), part(at[1]), part(at[2])}));
    }
    return found->second;
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const int side : {0, cells}) {
      for (int j = 0; j < cells; ++j) {
        for (int i = 0; i < cells; ++i) {
          const auto corner = [&](int u, int v) {
            std::array<int, 3> at{};
            at[axis] = side, at[(axis + 1) % 3] = u, at[(axis + 2) % 3] = v;
            return number(at);
          };
          const std::uint32_t a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1),
                              d = corner(i, j + 1);
          if (side == 0) {
            out.triangles.push_back({a, c, b}), out.triangles.push_back({a, d, c});
          } else {
            out.triangles.push_back({a, b, c}), out.triangles.push_back({a, c, d});
          }
        }
      }
    }
  }
  return out;
}

}  // namespace sinew::brick
