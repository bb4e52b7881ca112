// How deep tissue is in obstacles: of the certificate, and after every step of those in contact.
#pragma once

#include "sinew/engine/world.h"
#include "sinew/eulerian/model.h"
#include "sinew/eulerian/state.h"

namespace sinew::eulerian {

// How deep a vertex of a body's surface lies in a collider, m; 0: none does.
double find_penetration(const Model& model, const State& state, const engine::Collider& collider,
                        std::size_t body);

// The deepest of all bodies in all colliders, m.
double find_penetration(const Model& model, const State& state);

}  // namespace sinew::eulerian
