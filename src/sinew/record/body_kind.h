// What a recorded body is, told by what it holds: for the pictures and lists that treat muscles,
// bones and lines of action each in their own way.
#pragma once

#include <string_view>

#include "sinew/engine/frame.h"

namespace sinew::record {

enum class BodyKind {
  kTissue,  // has simulated nodes
  kBone,    // has none: a surface that is moved
  kLines,   // a surface that is moved, with an activation: lines of action as tubes
};

BodyKind find_kind(const engine::BodyTopology& body);
std::string_view name_of(BodyKind kind);  // "tissue", "bone", "lines"

// The index among the body's fields of the activation; their number where it has none.
std::size_t find_activation(const engine::BodyTopology& body);

}  // namespace sinew::record
