// The brick engine's model: everything that does not change while it runs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/brick/contact.h"
#include "sinew/brick/free_form.h"
#include "sinew/brick/grip.h"
#include "sinew/brick/modal_body.h"
#include "sinew/brick/muscle.h"
#include "sinew/brick/settings.h"

namespace sinew::brick {

struct LargeStrainModel;

struct BodyModel {
  std::string name;
  BrickMesh mesh;
  double rest_volume = 0;                         // m^3
  std::shared_ptr<const ModalModel> modal;        // small strains, or
  std::shared_ptr<const LargeStrainModel> large;  // large ones
  std::optional<MuscleSettings> muscle;
  std::vector<Fiber> fibers;
  std::vector<TendonSettings> tendons;
  std::vector<std::vector<String>> strings;  // (num_tendons)
  std::vector<TieSettings> ties;
  std::vector<ContactPoint> contact_points;
  double reach = 0;  // m: how near a collider a point must be to be watched
  std::shared_ptr<const FreeForm> form;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<Vec3d> rest_surface;
  Vec3d velocity{}, angular_velocity{};  // at the start
};

// A bounded collider as it is looked at.
struct Obstacle {
  std::size_t collider;   // index into world.colliders
  mesh::Surface surface;  // where its shape was given
};

struct Model {
  std::vector<BodyModel> bodies;
  std::vector<Obstacle> obstacles;
  engine::World world;
  double step = 0.002;      // s
  std::vector<Grip> grips;  // a person's hands, in live sessions only
};

// Throws std::invalid_argument, naming the body, where a mesh is folded or its modes cannot be
// found.
Model make_model(const Settings& settings);

}  // namespace sinew::brick
