#include <stdexcept>

#include "sinew/core/error.h"
#include "sinew/scene/scene.h"
#include "sinew/tet/tet_engine.h"

namespace sinew::scene {

tet::Model make_model(const Scene& scene) {
  try {
    return tet::make_model(scene.tet);
  } catch (const std::invalid_argument& e) {
    throw InputError(scene.path, "bodies", e.what());
  }
}

std::unique_ptr<engine::TissueEngine> make_engine(const Scene& scene) {
  return std::make_unique<tet::TetEngine>(make_model(scene), scene.tet);
}

}  // namespace sinew::scene
