#include "sinew/brick/model.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/brick/large_strain.h"
#include "sinew/mesh/isosurface.h"

namespace sinew::brick {
namespace {

std::vector<LinearMaterial> linear_materials(const std::vector<material::Material>& materials) {
  std::vector<LinearMaterial> out;
  out.reserve(materials.size());
  for (const material::Material& m : materials) out.push_back({small_strain_moduli(m), m.density});
  return out;
}

void add_dynamics(const BodySettings& settings, Strain strain, BodyModel& body) {
  if (strain == Strain::kLarge) {
    body.large = std::make_shared<LargeStrainModel>(
        make_large_strain_model(settings.mesh, settings.materials, settings.rule));
    return;
  }
  const Matrices matrices =
      assemble(settings.mesh, linear_materials(settings.materials), settings.rule);
  body.modal = std::make_shared<ModalModel>(make_modal_model(
      settings.mesh, matrices, settings.modes, settings.materials.front().damping));
}

BodyModel make_body(const BodySettings& settings, Strain strain) {
  const std::string wrong = check_mesh(settings.mesh);
  if (!wrong.empty()) throw std::invalid_argument(wrong);
  BodyModel body;
  body.name = settings.name;
  body.mesh = settings.mesh;
  body.rest_volume = compute_volume(settings.mesh, settings.mesh.rest_positions);
  add_dynamics(settings, strain, body);
  body.muscle = settings.muscle;
  if (body.muscle) body.fibers = make_fibers(body.mesh, settings.fiber_axis, *body.muscle);
  body.tendons = settings.tendons;
  for (const TendonSettings& t : body.tendons) body.strings.push_back(make_strings(body.mesh, t));
  body.ties = settings.ties;
  body.contact_points = make_contact_points(body.mesh);
  const double brick = body.rest_volume / static_cast<double>(body.mesh.bricks.size());
  body.reach = 0.02 * std::cbrt(brick);
  body.rest_surface = settings.surface.positions;
  body.triangles = settings.surface.triangles;
  body.form = std::make_shared<FreeForm>(body.mesh, body.rest_surface);
  body.velocity = settings.velocity, body.angular_velocity = settings.angular_velocity;
  return body;
}

std::vector<Obstacle> make_obstacles(const engine::World& world) {
  std::vector<Obstacle> out;
  for (std::size_t i = 0; i < world.colliders.size(); ++i) {
    const mesh::Shape& shape = world.colliders[i].shape;
    if (!is_bounded(shape)) continue;
    const mesh::Bounds box = compute_bounds(shape);
    out.push_back({i, make_isosurface(shape, norm(box.high - box.low) / 60)});
  }
  return out;
}

}  // namespace

Model make_model(const Settings& settings) {
  Model model;
  model.world = settings.world;
  model.step = settings.step;
  model.obstacles = make_obstacles(model.world);
  for (const BodySettings& body : settings.bodies) {
    try {
      model.bodies.push_back(make_body(body, settings.strain));
    } catch (const std::invalid_argument& e) {
      throw std::invalid_argument(fmt::format("body \"{}\": {}", body.name, e.what()));
    }
  }
  return model;
}

}  // namespace sinew::brick
