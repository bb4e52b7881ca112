#include "sinew/tet/add_tissues.h"

#include <stdexcept>

#include "sinew/core/to_float.h"

namespace sinew::tet {
namespace {

Vec3f compute_fiber(const BodySettings& settings, const Vec3d& middle) {
  if (!settings.fibers) return {0, 0, 0};
  return to_float(settings.fibers(middle));
}

// The last of the parts that holds the point, counted from 1; 0 where none does.
template <class Part, class Contains>
std::uint16_t find_part(const std::vector<Part>& parts, const Contains& contains) {
  for (std::size_t i = parts.size(); i > 0; --i) {
    if (contains(parts[i - 1])) return static_cast<std::uint16_t>(i);
  }
  return 0;
}

bool contains(const mesh::Shape& shape, const Vec3d& x) {
  return mesh::signed_distance(shape, x) <= 0;
}

// What an element is: indices into {material, tissues...} and {none, regions...} of its body.
struct Element {
  std::uint16_t tissue, region;
  Vec3f fiber;
};

Element find_element(const BodySettings& settings, const Vec3d& middle) {
  const auto tissue = find_part(settings.tissues,
                                [&](const TissueSettings& s) { return contains(s.where, middle); });
  const auto region = find_part(settings.regions, [&](const RegionSettings& s) {
    return !s.where || contains(*s.where, middle);
  });
  return {tissue, region, compute_fiber(settings, middle)};
}

// Tendon and aponeurosis are never active.
Element get_element(const anatomy::Muscle& muscle, std::size_t t) {
  const std::uint8_t tissue = muscle.tissue[t];
  const int region = tissue == anatomy::kMuscleTissue ? muscle.region[t] + 1 : 0;
  return {static_cast<std::uint16_t>(tissue - anatomy::kMuscleTissue),
          static_cast<std::uint16_t>(region), muscle.fibers[t]};
}

// kappa of the law's volume part U, which is what is averaged. The distortion of a law may resist
// changes of volume too: that of neo-Hookean does, and its kappa is lambda, not the bulk modulus.
double volume_modulus_of(const material::Material& tissue) {
  return std::visit([](const auto& law) { return bulk_modulus(law); }, tissue.law);
}

// Which of {material, tissues...} of a body would contract.
std::vector<char> find_active_tissues(const BodySettings& settings) {
  std::vector<char> active;
  const auto add = [&](const material::Material& tissue) {
    active.push_back(can_contract(tissue.law) ? 1 : 0);
  };
  add(settings.material);
  for (const TissueSettings& t : settings.tissues) add(t.material);
  return active;
}

// For each tissue from `first` on, the tissue of its inner elements: without the stiffness of the
// surface, where it has any.
std::vector<std::uint16_t> add_inner_tissues(std::uint16_t first, Model& model) {
  std::vector<std::uint16_t> inner;
  const std::size_t end = model.tissues.size();
  for (std::size_t i = first; i < end; ++i) {
    inner.push_back(static_cast<std::uint16_t>(i));
    material::Material tissue = model.tissues[i];
    auto* muscle = std::get_if<material::Muscle>(&tissue.law);
    if (muscle == nullptr || muscle->surface_stiffness == 0) continue;
    muscle->surface_stiffness = 0;
    inner.back() = static_cast<std::uint16_t>(model.tissues.size());
    model.tissues.push_back(tissue);
  }
  return inner;
}

}  // namespace

PartUse add_tissues(const BodySettings& settings, std::uint32_t body, Model& model) {
  const auto first_tissue = static_cast<std::uint16_t>(model.tissues.size());
  model.tissues.push_back(settings.material);
  for (const TissueSettings& t : settings.tissues) model.tissues.push_back(t.material);
  for (std::size_t i = first_tissue; i < model.tissues.size(); ++i) {
    // A user's mesh has no lattice centres to average around, and corotated elasticity no volume
    // part that could be averaged.
    const bool corotated = std::holds_alternative<material::Corotated>(model.tissues[i].law);
    if (!model.bodies[body].on_lattice || corotated) model.tissues[i].average_dilatation = false;
  }
  PartUse use{std::vector<PartUse::Region>(settings.regions.size() + 1),
              std::vector<std::size_t>(settings.tissues.size() + 1, 0)};
  const std::vector<char> active = find_active_tissues(settings);
  const std::vector<std::uint16_t> inner = add_inner_tissues(first_tissue, model);
  const auto first_region = static_cast<std::uint16_t>(model.regions.size());
  model.regions.push_back({settings.name, body, {}, {}, {}});
  for (const RegionSettings& r : settings.regions) {
    model.regions.push_back({r.name, body, r.excitation, r.dynamics, r.max_fiber_rate});
  }
  const Range tets = model.bodies[body].tets;
  for (std::size_t t = tets.begin; t < tets.end; ++t) {
    const Element element =
        settings.muscle
            ? get_element(*settings.muscle, t - tets.begin)
            : find_element(settings, mesh::compute_middle(model.rest_positions, model.tets[t]));
    // Fascia wraps the muscle: it is in the cells that the surface cuts.
    const bool wrapped = model.fill[t] < 1;
    model.tissue.push_back(wrapped ? static_cast<std::uint16_t>(first_tissue + element.tissue)
                                   : inner[element.tissue]);
    model.region.push_back(static_cast<std::uint16_t>(first_region + element.region));
    model.fibers.push_back(element.fiber);
    const Vec3f& a = element.fiber;
    const bool has_fiber = a.x != 0 || a.y != 0 || a.z != 0;
    ++use.tissues[element.tissue];
    ++use.regions[element.region].elements;
    if (settings.active_shape || (has_fiber && active[element.tissue] != 0))
      ++use.regions[element.region].contracting;
  }
  return use;
}

void add_attachments(const BodySettings& settings, std::uint32_t body, Model& model) {
  const Range nodes = model.bodies[body].nodes;
  model.held.resize(model.rest_positions.size(), 0);
  for (const AttachmentSettings& a : settings.attachments) {
    Attachment attachment{a.name, body, a.motion, {}, a.bone};
    const auto hold = [&](std::uint32_t n) {
      if (model.held[n] != 0) return;
      model.held[n] = 1;
      attachment.nodes.push_back(n);
    };
    for (const std::uint32_t n : a.nodes) hold(nodes.begin + n);
    for (std::uint32_t n = nodes.begin; n < nodes.end && a.nodes.empty(); ++n) {
      if (contains(a.where, model.rest_positions[n])) hold(n);
    }
    if (attachment.nodes.empty()) {
      throw std::invalid_argument("attachment \"" + a.name +
                                  "\" holds no node; make it larger or the resolution finer");
    }
    model.attachments.push_back(std::move(attachment));
  }
}

void finish_tissues(Model& model) {
  const std::size_t num_nodes = model.rest_positions.size();
  model.masses.assign(num_nodes, 0.0);
  model.mass_damping.assign(num_nodes, 0.0);
  model.cell_volumes.assign(num_nodes, 0.0);
  model.cell_bulks.assign(num_nodes, 0.0);
  for (std::size_t t = 0; t < model.tets.size(); ++t) {
    const material::Material& tissue = model.tissues[model.tissue[t]];
    const double volume = model.rest_shapes[model.rest_shape[t]].volume * model.fill[t];
    const double mass = 0.25 * tissue.density * volume;
    for (const std::uint32_t n : model.tets[t]) {
      model.masses[n] += mass;
      model.mass_damping[n] += mass * tissue.damping.mass_rate;
    }
    if (!tissue.average_dilatation) continue;
    const double kappa = volume_modulus_of(tissue);
    for (const std::size_t corner : {2, 3}) {
      const std::uint32_t n = model.tets[t][corner];
      model.cell_volumes[n] += 0.5 * volume;
      model.cell_bulks[n] += 0.5 * volume * kappa;
    }
  }
  for (std::size_t n = 0; n < num_nodes; ++n) {
    if (model.cell_volumes[n] > 0) model.cell_bulks[n] /= model.cell_volumes[n];
    model.inverse_masses.push_back(model.held[n] != 0 ? 0 : 1 / model.masses[n]);
  }
}

}  // namespace sinew::tet
