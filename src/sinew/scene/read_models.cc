// Muscles of a built model as bodies of a scene.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/coupling/calibrate_model.h"
#include "sinew/coupling/model_bodies.h"
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

// The excitation of the table, for all regions.
void set_excitation(const Table& table, tet::BodySettings& body) {
  auto excitation = table.table_if("excitation");
  if (!excitation) return;
  excitation->allow({"times", "values", "interpolation"});
  for (tet::RegionSettings& region : body.regions)
    region.excitation = read_key_frames(*excitation, {0, 1});
}

// The factors of the model's calibration, by muscle; none unless the table asks for them.
std::map<std::string, double> read_strengths(const Table& table) {
  if (!table.boolean_or("calibrated", false)) return {};
  const auto path = std::filesystem::path(table.file()).parent_path() / table.text("folder") /
                    coupling::kCalibrationFile;
  try {
    return coupling::read_strengths(path.string());
  } catch (const InputError& error) {
    table.fail("calibrated", std::string(error.what()) +
                                 "; \"sinew calibrate\" of the model's folder makes this file");
  }
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

void ModelCache::note_ends(const anatomy::Muscle& muscle) {
  for (const anatomy::MuscleEnd* end : {&muscle.origin, &muscle.insertion}) {
    if (end->problem.empty()) continue;
    notes_.push_back(fmt::format("{}: its {} is not valid: {}", muscle.name,
                                 end == &muscle.origin ? "origin" : "insertion", end->problem));
  }
}

std::vector<tet::BodySettings> read_models(const Table& scene,
                                           const std::vector<std::string>& bones,
                                           ModelCache& models) {
  std::vector<tet::BodySettings> bodies;
  for (Table& table : scene.tables("models", kMaxModels)) {
    table.allow({"folder", "muscles", "excitation", "calibrated"});
    const std::shared_ptr<const anatomy::Model> model = models.read(table, "folder");
    const std::map<std::string, double> strengths = read_strengths(table);
    for (const std::size_t m : choose_muscles(table, *model)) {
      models.note_ends(model->muscles[m]);
      tet::BodySettings body =
          coupling::make_muscle_body(*model, {model, &model->muscles[m]}, bones);
      set_excitation(table, body);
      const auto strength = strengths.find(body.name);
      if (strength != strengths.end())
        body = coupling::with_strength(std::move(body), strength->second);
      bodies.push_back(std::move(body));
    }
  }
  return bodies;
}

}  // namespace sinew::scene
