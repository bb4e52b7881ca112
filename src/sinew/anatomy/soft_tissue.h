// The hollow layer of fat and skin around muscles and bones: what lies within a thickness of them
// and in the crevices between them, but not inside. For scenes that show skin.
//
// Source: fan2014 section 8.4, which wraps the muscles of an upper arm in such a layer and does not
// say how it is made; docs/theory/active_shapes.md, equation (12).
#pragma once

#include <vector>

#include "sinew/mesh/shape.h"
#include "sinew/mesh/surface.h"

namespace sinew::anatomy {

struct SoftTissueSettings {
  double thickness = 0.006;  // m, > 0, of the layer over a single muscle
  double blend = 0.012;      // m, >= 0: crevices up to about this width are filled
  double spacing = 0.002;    // m, > 0, of the samples
};

struct SoftTissue {
  mesh::Shape layer;  // hollow: what is simulated
  mesh::Shape skin;   // all that is within the skin: its surface is what is seen
};

// Precondition: at least one solid, all bounded.
SoftTissue make_soft_tissue(const std::vector<mesh::Shape>& inside,
                            const SoftTissueSettings& settings);

// The pieces of a closed surface that enclose volume from outside, such as the skin of a hollow
// layer, without those that bound its cavities.
mesh::Surface extract_outer(const mesh::Surface& surface);

}  // namespace sinew::anatomy
