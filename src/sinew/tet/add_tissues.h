// What a body's elements are made of: materials, fibres and activation regions of its tetrahedra,
// nodes that are held. Steps of make_model.
#pragma once

#include "sinew/tet/dead_parts.h"
#include "sinew/tet/model.h"

namespace sinew::tet {

// Materials, fibres and regions of the tetrahedra of a body whose mesh is in the model. Returns how
// many elements have each.
PartUse add_tissues(const BodySettings& settings, std::uint32_t body, Model& model);

// Throws std::invalid_argument where an attachment holds no node.
void add_attachments(const BodySettings& settings, std::uint32_t body, Model& model);

// Masses and the cells of averaged dilatation, once all bodies are there.
void finish_tissues(Model& model);

}  // namespace sinew::tet
