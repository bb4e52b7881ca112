// Keys that are right one by one and would do nothing together: regions of a body where nothing can
// contract, fibres in tissues that have none, what is of lattices on a mesh of one's own or on
// bricks.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sinew/scene/read_parts.h"

namespace sinew::scene {
namespace {

constexpr std::size_t kMaxParts = 64;

// A material's table in a few words.
std::string describe(const Table& material) {
  const char* key = material.has("preset") ? "preset" : "law";
  return fmt::format("{} \"{}\"", key, material.text(key));
}

struct Tissue {
  Table table;
  const material::Material* material;
};

// The body's own material and those of its tissues.
std::vector<Tissue> list_tissues(const Table& table, const tet::BodySettings& body) {
  std::vector<Tissue> all = {{table.table("material"), &body.material}};
  const std::vector<Table> tables = table.tables("tissues", kMaxParts);
  for (std::size_t i = 0; i < tables.size(); ++i)
    all.push_back({tables[i].table("material"), &body.tissues[i].material});
  return all;
}

std::string describe(const std::vector<Tissue>& tissues) {
  std::vector<std::string> words;
  for (const Tissue& tissue : tissues) {
    const std::string word = describe(tissue.table);
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  std::string text = words[0];
  for (std::size_t i = 1; i < words.size(); ++i)
    text += (i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

void check_fibers(const Table& table, const tet::BodySettings& body,
                  const std::vector<Tissue>& tissues) {
  const bool pull = std::any_of(tissues.begin(), tissues.end(), [](const Tissue& t) {
    return material::has_fibers(t.material->law);
  });
  if (!body.fibers || pull || table.has("active_shape")) return;
  table.fail("fibers",
             fmt::format("nothing would feel them: there are no fibres in {}; the presets "
                         "\"muscle\", \"teran2005\" and \"tendon\" have some",
                         describe(tissues)));
}

void check_regions(const Table& table, const tet::BodySettings& body,
                   const std::vector<Tissue>& tissues) {
  if (body.regions.empty() || table.has("active_shape")) return;
  const Table region = table.tables("regions", kMaxParts)[0];
  if (!body.fibers) {
    region.fail("",
                "nothing in it can contract: the body has no \"fibers\" to contract along, nor "
                "an \"active_shape\"");
  }
  const bool contracts = std::any_of(tissues.begin(), tissues.end(), [](const Tissue& t) {
    return material::can_contract(t.material->law);
  });
  if (contracts) return;
  const auto silenced = std::find_if(tissues.begin(), tissues.end(),
                                     [](const Tissue& t) { return t.table.has("max_stress"); });
  if (silenced != tissues.end()) region.fail("", "nothing in it can contract: max_stress is 0");
  region.fail("", fmt::format("nothing in it can contract: {} is never active; the presets "
                              "\"muscle\" and \"teran2005\" are, and any material of a body with "
                              "an \"active_shape\"",
                              describe(tissues)));
}

void check_rates(const Table& table, const tet::BodySettings& body) {
  if (body.fibers) return;
  for (const Table& region : table.tables("regions", kMaxParts)) {
    if (region.has("max_fiber_rate"))
      region.fail("max_fiber_rate", "is of the speed of fibres; the body has no \"fibers\"");
  }
}

// A mesh of one's own has neither lattice centres to average around nor cells that its surface
// cuts.
void check_user_mesh(const Table& table, const std::vector<Tissue>& tissues) {
  if (!table.has("mesh")) return;
  for (const Tissue& tissue : tissues) {
    const Table& keys = tissue.table;
    if (keys.has("average_volume") && keys.boolean_or("average_volume", false)) {
      keys.fail("average_volume",
                "is of lattices; a mesh of your own has no cells to average over");
    }
    const auto* law = std::get_if<material::Muscle>(&tissue.material->law);
    if (law == nullptr || law->surface_stiffness == 0) continue;
    keys.fail(keys.has("surface_stiffness") ? "surface_stiffness" : "preset",
              "stiffens the cells that a lattice's surface cuts; a mesh of your own has none, "
              "take a shape with a resolution or set surface_stiffness = 0");
  }
}

bool all_zero(const std::vector<double>& values) {
  return !values.empty() &&
         std::all_of(values.begin(), values.end(), [](double v) { return v == 0; });
}

// Bricks take the matrix of a preset; its fibres are those of [bodies.muscle].
void check_brick_material(const Table& body, const material::Law& law) {
  const Table keys = body.table("material");
  if (keys.has("average_volume"))
    keys.fail("average_volume", "is of the engine \"tet\"; bricks of large strain always do");
  if (keys.has("max_stress")) {
    keys.fail("max_stress",
              "is of fibres in the engine \"tet\"; those of bricks are [bodies.muscle], whose "
              "strength is max_force");
  }
  const auto* muscle = std::get_if<material::Muscle>(&law);
  if (muscle != nullptr && muscle->surface_stiffness > 0) {
    keys.fail(keys.has("surface_stiffness") ? "surface_stiffness" : "preset",
              "stiffens the cells that a lattice's surface cuts; bricks have none");
  }
  if (!material::has_fibers(law) || (material::can_contract(law) && body.has("muscle"))) return;
  keys.fail("preset", fmt::format("bricks would leave out the fibres of {}; {}", describe(keys),
                                  material::can_contract(law)
                                      ? "give the body [bodies.muscle], or a law without fibres"
                                      : "take a law, and [[bodies.tendons]] for what pulls"));
}

}  // namespace

void check_brick_parts(const Table& table, const brick::BodySettings& body, brick::Strain strain) {
  check_brick_material(table, body.materials.front().law);
  if (strain == brick::Strain::kLarge && table.has("modes"))
    table.fail("modes", "is of strain = \"small\"; large strains know no modes");
  if (!body.muscle) return;
  const Table muscle = table.table("muscle");
  if (all_zero(body.muscle->line_strengths))
    muscle.fail("line_strengths", "are all 0: no line would pull");
  if (all_zero(body.muscle->recruitment))
    muscle.fail("recruitment", "is 0 in all lines: none would contract");
}

void check_parts(const Table& table, const tet::BodySettings& body) {
  const std::vector<Tissue> tissues = list_tissues(table, body);
  check_fibers(table, body, tissues);
  check_regions(table, body, tissues);
  check_rates(table, body);
  check_user_mesh(table, tissues);
  if (body.active_shape && body.regions.empty()) {
    table.fail("active_shape",
               "nothing would ever take it: add [[bodies.regions]], whose activation says how far "
               "it is reached");
  }
}

}  // namespace sinew::scene
