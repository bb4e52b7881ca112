// A skeleton as the tree of rigid bodies that Simbody works on, for multibody.cc.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/skeleton/simbody/simbody_tree.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::skeleton {

struct Tree {
  std::vector<TreeBody> bodies;            // some joints take two
  std::vector<std::size_t> body_of;        // (num_bodies) the tree's body of a skeleton's
  std::vector<std::size_t> coordinate_of;  // (num_mobilities) the coordinate of a mobility
  std::vector<std::string> adjusted;       // bodies whose inertia no solid has, by name
};

// Coordinates that move nothing have no mobility. An inertia that no solid has becomes that of a
// ball with the same root mean square of moments, as OpenSim does it. Throws std::invalid_argument
// where a mass or an inertia is negative or not finite, or where a joint of an ellipsoid has too
// few coordinates, and names the body.
Tree make_tree(const Skeleton& skeleton);

TreeFrame to_tree(const Frame& frame);
inline Triple to_tree(const Vec3d& a) {
  return {a.x, a.y, a.z};
}
inline Vec3d from_tree(const Triple& a) {
  return {a[0], a[1], a[2]};
}
Frame from_tree(const TreeFrame& frame);

}  // namespace sinew::skeleton
