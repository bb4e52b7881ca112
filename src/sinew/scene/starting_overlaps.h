// Bodies that begin inside a collider or inside each other, which throws them apart in the first
// steps, or leaves them there. For `sinew check` of a scene.
#pragma once

#include <string>
#include <vector>

#include "sinew/engine/frame.h"
#include "sinew/scene/scene.h"

namespace sinew::scene {

struct Overlap {
  std::string body, other;  // names; of two bodies in the order of the scene
  bool other_is_collider;
  double depth;  // m, of the deepest vertex or node
};

// Overlaps at time 0 that are deeper than a hundredth of the body's diagonal: less is how well
// surfaces are resolved. `topology` is that of the scene's engine. Bones are left out, which
// muscles touch at their ends, and layers, which are made to enclose others.
std::vector<Overlap> find_starting_overlaps(const Scene& scene,
                                            const std::vector<engine::BodyTopology>& topology);

}  // namespace sinew::scene
