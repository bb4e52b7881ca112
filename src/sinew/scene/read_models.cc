// Muscles of a built model as bodies of a scene.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"
#include "sinew/material/presets.h"
#include "sinew/record/model_file.h"
#include "sinew/scene/read_parts.h"

namespace sinew::scene {
namespace {

constexpr std::size_t kMaxModels = 64;

std::shared_ptr<anatomy::Model> read_built_model(const Table& table) {
  const auto path = std::filesystem::path(table.file()).parent_path() / table.text("folder");
  try {
    return std::make_shared<anatomy::Model>(record::read_model(path.string()));
  } catch (const InputError& error) {
    table.fail("folder", error.what());
  }
}

// The muscles that the table names; all where it names none.
std::vector<std::size_t> choose_muscles(const Table& table, const anatomy::Model& model) {
  std::vector<std::string_view> known;
  for (const anatomy::Muscle& muscle : model.muscles) known.emplace_back(muscle.name);
  std::vector<std::size_t> chosen;
  if (!table.has("muscles")) {
    for (std::size_t m = 0; m < known.size(); ++m) chosen.push_back(m);
    return chosen;
  }
  for (const std::string& name : table.names("muscles")) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      std::string hint = did_you_mean(name, known);
      if (hint.empty()) hint = ".";
      table.fail("muscles",
                 fmt::format("the model has no \"{}\"{} It has: {}", name, hint, join(known)));
    }
    chosen.push_back(static_cast<std::size_t>(found - known.begin()));
  }
  return chosen;
}

tet::BodySettings make_body(const Table& table, std::shared_ptr<const anatomy::Muscle> muscle) {
  tet::BodySettings body;
  body.name = muscle->name;
  body.resolution = muscle->lattice.spacing;
  body.material = material::make_preset("muscle");
  body.tissues = {{{}, material::make_preset("tendon")}, {{}, material::make_preset("tendon")}};
  for (const std::string& name : muscle->regions) {
    tet::RegionSettings region;
    region.name = name;
    if (auto excitation = table.table_if("excitation")) {
      excitation->allow({"times", "values", "interpolation"});
      region.excitation = read_key_frames(*excitation, {0, 1});
    }
    body.regions.push_back(region);
  }
  for (const auto& [name, end] :
       {std::pair{"origin", &muscle->origin}, std::pair{"insertion", &muscle->insertion}}) {
    if (!end->nodes.empty()) body.attachments.push_back({name, {}, {}, end->nodes});
  }
  body.muscle = std::move(muscle);
  return body;
}

}  // namespace

std::vector<tet::BodySettings> read_models(const Table& scene) {
  std::vector<tet::BodySettings> bodies;
  for (Table& table : scene.tables("models", kMaxModels)) {
    table.allow({"folder", "muscles", "excitation"});
    const std::shared_ptr<anatomy::Model> model = read_built_model(table);
    for (const std::size_t m : choose_muscles(table, *model)) {
      bodies.push_back(make_body(table, {model, &model->muscles[m]}));
    }
  }
  return bodies;
}

}  // namespace sinew::scene
