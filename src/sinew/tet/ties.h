// Nodes of one body that another one carries: a head of a muscle that ends on its sibling instead
// of a bone. For the implicit integrators.
//
// Source: docs/theory/coupling.md, equation (4b). Tied nodes are no unknowns: wherever positions
// are looked at they stand where their carriers take them, and forces on them act on the carriers.
#pragma once

#include "sinew/core/field3.h"
#include "sinew/tet/model.h"

namespace sinew::tet {

// Makes ties of the attachments that name a body of the scene to be tied to. They go on to hold
// what that body cannot carry: nodes more than about four of its cells away from it, and all where
// each of its tetrahedra has a node that is to be tied itself. Precondition: all bodies are added.
void add_ties(const Settings& settings, Model& model);

// Puts tied nodes where their carriers are; the same for anything linear in positions.
void place_tied(const Model& model, std::vector<Vec3d>& positions);
template <class Real>
void place_tied(const Model& model, Field3<Real>& positions);

// Hands what acts on tied nodes over to their carriers, and leaves zero.
void hand_over(const Model& model, std::vector<Vec3d>& forces);
template <class Real>
void hand_over(const Model& model, Field3<Real>& forces);

}  // namespace sinew::tet
