// Muscles of a built model as bodies of a scene.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "sinew/core/error.h"
#include "sinew/coupling/model_skeleton.h"
#include "sinew/material/presets.h"
#include "sinew/record/model_file.h"
#include "sinew/scene/find_named.h"
#include "sinew/scene/read_parts.h"
#include "sinew/scene/skeleton_parts.h"

namespace sinew::scene {
namespace {

constexpr std::size_t kMaxModels = 64;

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
    chosen.push_back(find_named(table, "muscles", name, known, "muscle of the model"));
  }
  return chosen;
}

// The skeleton's body that an end belongs to; nothing where it has none of this name.
std::optional<std::size_t> find_bone(const anatomy::Model& model, const anatomy::MuscleEnd& end,
                                     const std::vector<std::string>& bones) {
  const auto found = std::find(bones.begin(), bones.end(), coupling::find_bone(model, end));
  if (found == bones.end()) return {};
  return static_cast<std::size_t>(found - bones.begin());
}

tet::BodySettings make_body(const Table& table, const anatomy::Model& model,
                            std::shared_ptr<const anatomy::Muscle> muscle,
                            const std::vector<std::string>& bones) {
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
    if (end->nodes.empty()) continue;
    body.attachments.push_back({name, {}, {}, end->nodes, find_bone(model, *end, bones)});
  }
  body.muscle = std::move(muscle);
  return body;
}

}  // namespace

std::shared_ptr<const anatomy::Model> ModelCache::read(const Table& table, std::string_view key) {
  const auto path = std::filesystem::path(table.file()).parent_path() / table.text(key);
  auto& model = models_[path.lexically_normal().string()];
  if (model) return model;
  try {
    model = std::make_shared<const anatomy::Model>(record::read_model(path.string()));
  } catch (const InputError& error) {
    table.fail(key, error.what());
  }
  return model;
}

std::vector<tet::BodySettings> read_models(const Table& scene,
                                           const std::vector<std::string>& bones,
                                           ModelCache& models) {
  std::vector<tet::BodySettings> bodies;
  for (Table& table : scene.tables("models", kMaxModels)) {
    table.allow({"folder", "muscles", "excitation"});
    const std::shared_ptr<const anatomy::Model> model = models.read(table, "folder");
    for (const std::size_t m : choose_muscles(table, *model)) {
      bodies.push_back(make_body(table, *model, {model, &model->muscles[m]}, bones));
    }
  }
  return bodies;
}

}  // namespace sinew::scene
