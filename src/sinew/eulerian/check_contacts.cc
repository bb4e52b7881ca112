#include "sinew/eulerian/check_contacts.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace sinew::eulerian {
namespace {

// Whether some material of the body has a distance below `reach` (m): eight samples a cell, which
// may lie a sample's size outside.
template <class Distance>
bool is_near(const Body& body, const Grid& grid, double reach, const Distance& distance) {
  const double quarter = 0.25 * grid.spacing;
  const std::vector<std::uint32_t> nodes = find_band(body.rest, grid, grid.spacing);
  return std::any_of(nodes.begin(), nodes.end(), [&](std::uint32_t n) {
    const Vec3d x = node_position(grid, node_place(grid, n));
    if (distance(x) > reach + grid.spacing) return false;
    for (int corner = 0; corner < 8; ++corner) {
      const auto side = [corner](int axis) { return (corner >> axis & 1) != 0 ? 1.0 : -1.0; };
      const Vec3d X = x + Vec3d{side(0), side(1), side(2)} * quarter;
      if (sample(body.rest, X) <= quarter && distance(X) < reach + quarter) return true;
    }
    return false;
  });
}

std::string name_sides(const Model& model, const Contact& contact) {
  const std::string& body = model.bodies[contact.body].name;
  if (!contact.other) return fmt::format("\"{}\" with its obstacle", body);
  return fmt::format("\"{}\" with \"{}\"", body, model.bodies[*contact.other].name);
}

}  // namespace

void check_contacts(const Model& model) {
  for (std::size_t c = 0; c < model.contacts.size(); ++c) {
    const Contact& contact = model.contacts[c];
    const Body& body = model.bodies[contact.body];
    const Grid& grid = model.grids[body.grid].grid;
    if (contact.patch) {
      const bool holds = is_near(
          body, grid, 0, [&](const Vec3d& X) { return mesh::signed_distance(*contact.patch, X); });
      if (holds) continue;
      throw std::invalid_argument(
          fmt::format("contact {}, of {}: its patch holds nothing of \"{}\"", c,
                      name_sides(model, contact), body.name));
    }
    const RestField& other = contact.other ? model.bodies[*contact.other].rest : *contact.obstacle;
    const double reach = kPatchReach * grid.spacing;
    if (is_near(body, grid, reach, [&](const Vec3d& X) { return sample(other, X); })) continue;
    throw std::invalid_argument(fmt::format(
        "contact {}, of {}: at rest they are nowhere within {} cells ({:.3g} m) of each "
        "other, and nothing takes part; give a patch",
        c, name_sides(model, contact), kPatchReach, kPatchReach * grid.spacing));
  }
}

}  // namespace sinew::eulerian
