#include <variant>

#include <fmt/format.h>

#include "sinew/material/presets.h"
#include "sinew/scene/read_parts.h"

namespace sinew::scene {
namespace {

constexpr Range kModulus{1e-3, 1e12, "Pa"};
constexpr Range kModulusOrNone{0, 1e12, "Pa"};

material::Lame read_moduli(Table& table) {
  const double young_modulus = table.number("young_modulus", kModulus);
  return material::compute_lame(young_modulus,
                                table.number("poisson_ratio", {-1, 0.5, "", true, true}));
}

material::MooneyRivlin read_mooney_rivlin(Table& table) {
  table.allow({"law", "c1", "c2", "K", "density", "damping", "average_volume"});
  const material::MooneyRivlin law{table.number("c1", kModulusOrNone),
                                   table.number("c2", kModulusOrNone), table.number("K", kModulus)};
  if (law.c1 + law.c2 < kModulus.low) {
    table.fail("c1", fmt::format("c1 + c2 is {} Pa; at least {} Pa is needed", law.c1 + law.c2,
                                 kModulus.low));
  }
  return law;
}

material::Law read_law(Table& table) {
  const std::string law = table.word("law", {"corotated", "neo-hookean", "mooney-rivlin"});
  if (law == "corotated") {
    table.allow({"law", "young_modulus", "poisson_ratio", "density", "damping"});
    return material::Corotated{read_moduli(table)};
  }
  if (law == "neo-hookean") {
    table.allow({"law", "young_modulus", "poisson_ratio", "density", "damping", "average_volume"});
    return material::NeoHookean{read_moduli(table)};
  }
  return read_mooney_rivlin(table);
}

// Overrides of what most presets have.
void read_muscle(const Table& table, material::Muscle& law) {
  if (law.fibers.max_stress > 0) {
    law.fibers.max_stress = table.number_or("max_stress", kModulusOrNone, law.fibers.max_stress);
  }
  law.surface_stiffness =
      table.number_or("surface_stiffness", kModulusOrNone, law.surface_stiffness);
  law.matrix.K = 0.5 * table.number_or("bulk_modulus", kModulus, 2 * law.matrix.K);
}

material::Material read_preset(Table& table) {
  const std::string name = table.word("preset", {"muscle", "tendon", "fat", "fascia", "teran2005"});
  material::Material material = material::make_preset(name);
  if (auto* muscle = std::get_if<material::Muscle>(&material.law)) {
    if (muscle->fibers.max_stress > 0) {
      table.allow(
          {"preset", "density", "damping", "max_stress", "surface_stiffness", "bulk_modulus"});
    } else {  // tendon and fascia are never active
      table.allow({"preset", "density", "damping", "surface_stiffness", "bulk_modulus"});
    }
    read_muscle(table, *muscle);
  } else {
    table.allow({"preset", "density", "damping"});
  }
  return material;
}

}  // namespace

material::Material read_material(Table table) {
  const bool named = table.has("preset");
  material::Material material;
  if (named) {
    material = read_preset(table);
  } else {
    material.law = read_law(table);
    const bool corotated = std::holds_alternative<material::Corotated>(material.law);
    material.average_dilatation = !corotated && table.boolean_or("average_volume", false);
  }
  const Range density{1e-3, 1e6, "kg/m^3"};
  material.density = named ? table.number_or("density", density, material.density)
                           : table.number("density", density);
  if (auto damping = table.table_if("damping")) {
    damping->allow({"mass_rate", "stiffness_time"});
    material.damping.mass_rate =
        damping->number_or("mass_rate", {0, 1e6, "1/s"}, material.damping.mass_rate);
    material.damping.stiffness_time =
        damping->number_or("stiffness_time", {0, 1e3, "s"}, material.damping.stiffness_time);
  }
  return material;
}

}  // namespace sinew::scene
