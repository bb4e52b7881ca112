// Refuses contacts that could never act. For the engine, once its model is made.
#pragma once

#include "sinew/eulerian/model.h"

namespace sinew::eulerian {

// Which material takes part in a contact is settled at rest: throws std::invalid_argument, naming
// the contact and its bodies, where a contact's patch holds no material of its body, or, without a
// patch, nothing of the body is within reach of the other side. What is in doubt by half a cell
// passes.
void check_contacts(const Model& model);

}  // namespace sinew::eulerian
