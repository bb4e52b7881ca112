#include <stdexcept>

#include "sinew/core/error.h"
#include "sinew/scene/scene.h"
#include "sinew/tet/tet_engine.h"

namespace sinew::scene {

std::unique_ptr<engine::TissueEngine> make_engine(const Scene& scene) {
  try {
    return std::make_unique<tet::TetEngine>(scene.tet);
  } catch (const std::invalid_argument& e) {
    throw InputError(scene.path, "bodies", e.what());
  }
}

}  // namespace sinew::scene
