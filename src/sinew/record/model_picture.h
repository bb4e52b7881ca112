// Pictures of a model: a muscle from two sides with its ends, tendon and the
// bones beside it, and the whole. For the page that tells how a model was
// built.
#pragma once

#include "sinew/anatomy/model.h"
#include "sinew/record/image.h"

namespace sinew::record {

// Colours as the page's legend names them, linear.
struct ModelColors {
  Vec3f muscle, tendon, aponeurosis, origin, insertion, bone;
};
const ModelColors& model_colors();

// From the front and from behind, side by side. `muscle` is an index into the
// model's.
Image draw_muscle(const anatomy::Model& model, std::size_t muscle, int height);
Image draw_model(const anatomy::Model& model, int height);

}  // namespace sinew::record
