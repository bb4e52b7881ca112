#include "sinew/tet/observe.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/core/to_float.h"
#include "sinew/tet/drive.h"
#include "sinew/tet/ties.h"

namespace sinew::tet {
namespace {

template <class Index, std::size_t N>
std::vector<std::array<Index, N>> shifted(const std::vector<std::array<Index, N>>& items,
                                          const Range& range, std::uint32_t base) {
  std::vector<std::array<Index, N>> result(items.begin() + range.begin, items.begin() + range.end);
  for (auto& item : result) {
    for (Index& i : item) i -= base;
  }
  return result;
}

// Average of a value per tetrahedron over the tetrahedra around each node, by filled volume: what
// makes colours smooth.
std::vector<double> average_at_nodes(const Model& model, const std::vector<double>& values) {
  std::vector<double> result(model.rest_positions.size());
  parallel_for(result.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      double sum = 0, weight = 0;
      for (std::uint32_t i = model.first_corner[n]; i < model.first_corner[n + 1]; ++i) {
        const std::uint32_t tet = model.corners[i].tet;
        sum += model.fill[tet] * values[tet];
        weight += model.fill[tet];
      }
      result[n] = sum / weight;
    }
  });
  return result;
}

double filled_volume(const Model& model, std::size_t tet) {
  return model.rest_shapes[model.rest_shape[tet]].volume * model.fill[tet];
}

// Volume now over volume at rest; inverted parts count negative.
double compute_volume_ratio(const Model& model, const Body& body, const Observation& observation) {
  double volume = 0;
  for (std::size_t t = body.tets.begin; t < body.tets.end; ++t) {
    volume += filled_volume(model, t) * observation.volume_ratios[t];
  }
  return volume / body.rest_volume;
}

bool has_fibers(const Model& model, const Body& body) {
  return std::any_of(model.fibers.begin() + body.tets.begin, model.fibers.begin() + body.tets.end,
                     [](const Vec3f& a) { return dot(a, a) > 0; });
}

double compute_potential_energy(const Model& model, const State& state) {
  double energy = 0;
  for (std::size_t n = 0; n < state.positions.size(); ++n) {
    energy -= model.masses[n] * dot(model.world.gravity, state.positions[n]);
  }
  return energy;
}

// What the semi-explicit step did, and what the implicit ones did.
engine::Certificate describe_steps(const StepStatistics& statistics) {
  return {
      {"damping_iterations", "1", static_cast<double>(statistics.cg_iterations)},
      {"damping_residual", "1", statistics.cg_residual},
      {"ms_force", "ms", statistics.ms_force},
      {"ms_damping", "ms", statistics.ms_damping},
      {"ms_contact", "ms", statistics.ms_contact},
      {"ms_stability", "ms", statistics.ms_stability},
  };
}

engine::Certificate describe_solves(const StepStatistics& statistics) {
  return {
      {"solves", "1", static_cast<double>(statistics.solves)},
      {"iterations", "1", static_cast<double>(statistics.iterations)},
      {"newton_iterations", "1", static_cast<double>(statistics.newton_iterations)},
      {"cg_iterations", "1", static_cast<double>(statistics.cg_iterations)},
      {"backtracks", "1", static_cast<double>(statistics.backtracks)},
      {"unconverged_steps", "1", static_cast<double>(statistics.unconverged)},
      {"residual", "1", statistics.residual},
      {"ms_solve", "ms", statistics.ms_solve},
  };
}

}  // namespace

Observation make_observation(const Model& model, const State& state, const StepWorkspace& ws) {
  Observation result;
  const std::size_t num_tets = model.tets.size();
  result.volume_ratios.resize(num_tets);
  result.fiber_stretches.resize(num_tets);
  result.activations.resize(num_tets);
  const KernelInput input =
      make_moving_input(model, state, state.time, state.activations, Continuation::kStress);
  result.energy_densities = compute_energy_densities(model, input, ws.force);
  parallel_for(num_tets, 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const Vec3f& a = model.fibers[t];
      const Vec3d fiber{a.x, a.y, a.z};
      const bool has_fiber = dot(fiber, fiber) > 0;
      result.volume_ratios[t] = determinant(ws.force.F[t]);
      result.fiber_stretches[t] = has_fiber ? norm(ws.force.F[t] * fiber) : 1;
      result.activations[t] = has_fiber ? state.activations[model.region[t]] : 0;
    }
  });
  std::vector<Vec3d> forces = ws.forces;
  hand_over(model, forces);  // a carrier that is held feels what it carries
  for (const Attachment& attachment : model.attachments) {
    Vec3d sum{};
    for (const std::uint32_t n : attachment.nodes) sum += forces[n];
    result.reactions.push_back(sum);
  }
  return result;
}

std::vector<engine::BodyTopology> describe(const Model& model) {
  std::vector<engine::BodyTopology> result;
  for (const Body& body : model.bodies) {
    engine::BodyTopology& topology = result.emplace_back();
    topology.name = body.name;
    for (std::uint32_t v = body.vertices.begin; v < body.vertices.end; ++v) {
      topology.rest_surface.push_back(to_float(model.rest_vertices[v]));
    }
    for (std::uint32_t n = body.nodes.begin; n < body.nodes.end; ++n) {
      topology.rest_nodes.push_back(to_float(model.rest_positions[n]));
    }
    topology.triangles = shifted(model.triangles, body.triangles, body.vertices.begin);
    topology.tets = shifted(model.tets, body.tets, body.nodes.begin);
    topology.fields = {{"volume_ratio", "1"}, {"strain_energy", "J/m^3"}, {"speed", "m/s"}};
    if (has_fibers(model, body)) {
      topology.fields.push_back({"fiber_stretch", "1"});
      topology.fields.push_back({"activation", "1"});
    }
  }
  return result;
}

std::vector<engine::BodyFrame> observe_bodies(const Model& model, const State& state,
                                              const Observation& observation) {
  const std::array<std::vector<double>, 4> averages = {
      average_at_nodes(model, observation.volume_ratios),
      average_at_nodes(model, observation.energy_densities),
      average_at_nodes(model, observation.fiber_stretches),
      average_at_nodes(model, observation.activations)};
  // Fields as describe() names them.
  constexpr std::size_t kSpeed = 2;
  constexpr std::array<std::size_t, 4> kField = {0, 1, 3, 4};
  std::vector<engine::BodyFrame> result;
  for (const Body& body : model.bodies) {
    engine::BodyFrame& frame = result.emplace_back();
    const std::size_t num_averages = has_fibers(model, body) ? 4 : 2;
    const std::size_t num_vertices = body.vertices.end - body.vertices.begin;
    frame.surface.resize(num_vertices);
    frame.fields.assign(num_averages + 1, std::vector<float>(num_vertices));
    parallel_for(num_vertices, 1024, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        const mesh::EmbeddedPoint& point = model.vertices[body.vertices.begin + v];
        const auto& tet = model.tets[point.tet];
        frame.surface[v] = to_float(mesh::interpolate(point, tet, state.positions));
        frame.fields[kSpeed][v] =
            static_cast<float>(norm(mesh::interpolate(point, tet, state.velocities)));
        for (std::size_t i = 0; i < num_averages; ++i) {
          frame.fields[kField[i]][v] =
              static_cast<float>(mesh::interpolate(point, tet, averages[i]));
        }
      }
    });
    frame.nodes.reserve(body.nodes.end - body.nodes.begin);
    for (std::uint32_t n = body.nodes.begin; n < body.nodes.end; ++n) {
      frame.nodes.push_back(to_float(state.positions[n]));
    }
  }
  return result;
}

engine::Certificate certify(const Model& model, const State& state, const Observation& observation,
                            const StepStatistics& statistics) {
  const auto& J = observation.volume_ratios;
  double elastic = 0;
  for (std::size_t t = 0; t < J.size(); ++t) {
    elastic += filled_volume(model, t) * observation.energy_densities[t];
  }
  const auto inverted = std::count_if(J.begin(), J.end(), [](double j) { return j <= 0; });
  engine::Certificate certificate = {
      {"min_volume_ratio", "1", *std::min_element(J.begin(), J.end())},
      {"inverted", "1", static_cast<double>(inverted)},
  };
  for (const Body& body : model.bodies) {
    certificate.push_back(
        {"volume_ratio." + body.name, "1", compute_volume_ratio(model, body, observation)});
  }
  for (std::size_t i = 0; i < model.attachments.size(); ++i) {
    const std::string name =
        model.bodies[model.attachments[i].body].name + "." + model.attachments[i].name;
    const Vec3d& force = observation.reactions[i];
    certificate.push_back({"force_x." + name, "N", force.x});
    certificate.push_back({"force_y." + name, "N", force.y});
    certificate.push_back({"force_z." + name, "N", force.z});
  }
  // All that can be excited, a body's first region cannot: columns stay when a hand excites one.
  for (std::size_t r = 1; r < model.regions.size(); ++r) {
    if (model.regions[r].body != model.regions[r - 1].body) continue;
    const std::string name = model.bodies[model.regions[r].body].name + "." + model.regions[r].name;
    certificate.push_back({"activation." + name, "1", state.activations[r]});
  }
  const engine::Certificate rest = {
      {"max_overlap", "m", compute_overlap(model, state.time, state.positions)},
      {"kinetic_energy", "J",
       0.5 * solver::weighted_dot(model.masses, state.velocities, state.velocities)},
      {"elastic_energy", "J", elastic},
      {"gravity_energy", "J", compute_potential_energy(model, state)},
      {"steps", "1", static_cast<double>(statistics.steps)},
      {"halved_steps", "1", static_cast<double>(statistics.halvings)},
      {"shortest_step", "s", statistics.shortest_step},
  };
  certificate.insert(certificate.end(), rest.begin(), rest.end());
  const engine::Certificate solves = model.step.integrator == Integrator::kSemiExplicit
                                         ? describe_steps(statistics)
                                         : describe_solves(statistics);
  certificate.insert(certificate.end(), solves.begin(), solves.end());
  return certificate;
}

}  // namespace sinew::tet
