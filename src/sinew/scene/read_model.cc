#include "sinew/scene/read_model.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/text.h"
#include "sinew/scene/read_parts.h"
#include "sinew/scene/read_text.h"
#include "sinew/scene/toml_table.h"
#include "sinew/volume/repair.h"

namespace sinew::scene {
namespace {

namespace fs = std::filesystem;
using anatomy::EndKind;
using anatomy::FiberKind;
using anatomy::TissueKind;

constexpr std::size_t kMaxParts = 1000;
constexpr Range kVoxel{1e-5, 0.1, "m"};
constexpr Range kCell{1e-4, 0.1, "m"};

// What every part of a model file needs to know of the whole.
struct Place {
  fs::path data;  // folder that paths are relative to
  bool has_volume;
};

std::vector<std::uint16_t> read_labels(const Table& table, std::string_view key) {
  if (!table.has(key)) return {};
  std::vector<std::uint16_t> labels;
  for (const int label : table.integers(key, 1, 65535)) {
    labels.push_back(static_cast<std::uint16_t>(label));
  }
  return labels;
}

std::vector<std::string> read_paths(const Table& table, std::string_view key, const Place& place) {
  if (!table.has(key)) return {};
  std::vector<std::string> paths = table.texts(key);
  for (std::string& path : paths) path = (place.data / path).string();
  return paths;
}

anatomy::PartSource read_source(const Table& table, const Place& place) {
  anatomy::PartSource source{read_labels(table, "labels"), read_paths(table, "surfaces", place)};
  if (source.labels.empty() == source.surfaces.empty()) {
    table.fail("labels", "a part has either labels of the volume or surfaces");
  }
  if (!source.labels.empty() && !place.has_volume) {
    table.fail("labels", "there is no volume to find labels in: add the key \"volume\"");
  }
  return source;
}

anatomy::TissueSettings read_tissue(Table table, const Place& place) {
  table.allow({"name", "kind", "labels", "surfaces"});
  anatomy::TissueSettings tissue;
  tissue.name = table.name("name");
  const std::string kind = table.word("kind", {"bone", "cartilage", "ligament", "fat"});
  tissue.kind = kind == "bone"        ? TissueKind::kBone
                : kind == "cartilage" ? TissueKind::kCartilage
                : kind == "ligament"  ? TissueKind::kLigament
                                      : TissueKind::kFat;
  tissue.source = read_source(table, place);
  return tissue;
}

EndKind read_end_kind(const Table& table) {
  if (!table.has("kind")) return EndKind::kTendon;
  const std::string kind = table.word("kind", {"tendon", "fleshy", "line", "sibling", "border"});
  if (kind == "tendon") return EndKind::kTendon;
  if (kind == "fleshy") return EndKind::kFleshy;
  if (kind == "border") return EndKind::kBorder;
  return kind == "line" ? EndKind::kLine : EndKind::kSibling;
}

// An end that the border of the volume cuts off touches no bone.
anatomy::EndSettings read_border_end(Table table, const Place& place) {
  table.allow({"kind", "side"});
  anatomy::EndSettings end;
  end.kind = EndKind::kBorder;
  end.side = table.direction("side");
  if (!place.has_volume) table.fail("kind", "only a volume has a border: add the key \"volume\"");
  return end;
}

anatomy::EndSettings read_end(Table table, const Place& place) {
  const EndKind kind = read_end_kind(table);
  if (kind == EndKind::kBorder) return read_border_end(std::move(table), place);
  table.allow({"bones", "kind", "reach", "sibling"});
  anatomy::EndSettings end;
  end.bones = table.names("bones");
  end.kind = kind;
  end.reach = table.number_or("reach", {0, 0.1, "m", true}, end.reach);
  if (end.kind == EndKind::kSibling) {
    end.sibling = table.name("sibling");
  } else if (table.has("sibling")) {
    table.fail("sibling", "belongs to an end of kind \"sibling\"");
  }
  return end;
}

std::optional<anatomy::AponeurosisSettings> read_aponeurosis(const Table& fibers,
                                                             std::string_view key) {
  auto table = fibers.table_if(key);
  if (!table) return std::nullopt;
  table->allow({"side", "cover"});
  return anatomy::AponeurosisSettings{table->direction("side"),
                                      table->number("cover", {0, 1, "", true})};
}

anatomy::FiberSettings read_fibers(Table table) {
  table.allow({"kind", "origin_aponeurosis", "insertion_aponeurosis", "reference_length",
               "reference_pennation"});
  anatomy::FiberSettings fibers;
  if (table.has("kind")) {
    const std::string kind = table.word("kind", {"auto", "flow", "solid"});
    fibers.kind = kind == "auto"   ? FiberKind::kAuto
                  : kind == "flow" ? FiberKind::kFlow
                                   : FiberKind::kSolid;
  }
  fibers.origin_aponeurosis = read_aponeurosis(table, "origin_aponeurosis");
  fibers.insertion_aponeurosis = read_aponeurosis(table, "insertion_aponeurosis");
  if (table.has("reference_length")) {
    fibers.reference_length = table.number("reference_length", {0, 2, "m", true});
  }
  if (table.has("reference_pennation")) {
    fibers.reference_pennation =
        table.number("reference_pennation", {0, 90, "degrees", false, true}) * kDegree;
  }
  return fibers;
}

anatomy::MuscleSettings read_muscle(Table table, const Place& place) {
  table.allow({"name", "labels", "surfaces", "tendon_labels", "tendon_surfaces", "origin",
               "insertion", "fibers", "regions", "cell", "bricks"});
  anatomy::MuscleSettings muscle;
  muscle.name = table.name("name");
  muscle.source = read_source(table, place);
  muscle.tendon_labels = read_labels(table, "tendon_labels");
  for (const std::uint16_t label : muscle.tendon_labels) {
    const auto& all = muscle.source.labels;
    if (std::find(all.begin(), all.end(), label) != all.end()) continue;
    table.fail("tendon_labels", fmt::format("{} is not among the muscle's labels", label));
  }
  muscle.tendon_surfaces = read_paths(table, "tendon_surfaces", place);
  muscle.origin = read_end(table.table("origin"), place);
  muscle.insertion = read_end(table.table("insertion"), place);
  if (const auto fibers = table.table_if("fibers")) muscle.fibers = read_fibers(*fibers);
  std::vector<Table> regions = table.tables("regions", kMaxParts);
  check_unique_names(regions);
  for (Table& region : regions) {
    region.allow({"name", "surface"});
    if (region.name("name") == "belly") {
      region.fail("name", "\"belly\" is the rest of the muscle; choose another name");
    }
    muscle.regions.push_back({region.name("name"), (place.data / region.text("surface")).string()});
  }
  if (table.has("cell")) muscle.cell = table.number("cell", kCell);
  if (auto bricks = table.table_if("bricks")) {
    bricks->allow({"counts", "axis", "levels"});
    muscle.bricks = read_brick_layout(*bricks, "counts");
  }
  return muscle;
}

anatomy::JointSettings read_joint(Table table) {
  table.allow({"name", "type", "parent", "child", "center", "axes"});
  anatomy::JointSettings joint;
  joint.name = table.name("name");
  joint.type = table.word("type", {"pin", "ball", "universal", "weld", "free"});
  joint.parent = table.name("parent");
  joint.child = table.name("child");
  joint.center = table.vector("center", kMaxPosition, "m");
  if (table.has("axes")) joint.axes = table.directions("axes");
  return joint;
}

// Refuses a name in `found` that is none of `known`.
void check_known(const Table& table, std::string_view key, const std::vector<std::string>& found,
                 const std::vector<std::string_view>& known) {
  for (const std::string& name : found) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string hint = did_you_mean(name, known);
    table.fail(key, fmt::format("there is no \"{}\"{} Known: {}", name,
                                hint.empty() ? std::string_view(".") : hint, join(known)));
  }
}

void check_names(const Table& file, const anatomy::ModelSettings& model) {
  std::vector<std::string_view> bones, muscles;
  for (const auto& tissue : model.tissues) {
    if (tissue.kind != TissueKind::kFat) bones.emplace_back(tissue.name);
  }
  for (const auto& muscle : model.muscles) muscles.emplace_back(muscle.name);
  const std::vector<Table> tables = file.tables("muscles", kMaxParts);
  for (std::size_t m = 0; m < tables.size(); ++m) {
    for (const auto& [key, end] : {std::pair{"origin", &model.muscles[m].origin},
                                   std::pair{"insertion", &model.muscles[m].insertion}}) {
      check_known(tables[m], key, end->bones, bones);
      if (!end->sibling.empty()) check_known(tables[m], key, {end->sibling}, muscles);
      if (end->sibling == model.muscles[m].name) {
        tables[m].fail(key, "a muscle cannot be tied to itself; name another head");
      }
    }
  }
  const std::vector<Table> joints = file.tables("joints", kMaxParts);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    check_known(joints[j], "parent", {model.joints[j].parent}, bones);
    check_known(joints[j], "child", {model.joints[j].child}, bones);
  }
}

// Of pixels and of slices; these may be counted from the head down.
std::optional<volume::StackSpacing> read_slice_spacing(const Table& file) {
  constexpr std::string_view kKey = "slice_spacing";
  if (!file.has(kKey)) return std::nullopt;
  const std::vector<double> spacing = file.numbers(kKey, {-0.1, 0.1, "m"});
  if (spacing.size() != 2 || !(spacing[0] > 0) || spacing[1] == 0) {
    file.fail(kKey, "two lengths are needed: between pixels, > 0, and between slices, not 0");
  }
  return volume::StackSpacing{spacing[0], spacing[1]};
}

void read_build(const Table& file, anatomy::ModelSettings& model) {
  auto table = file.table_if("build");
  if (!table) return;
  table->allow({"voxel", "cell", "repair", "meshes", "bricks", "skip_repairs"});
  model.voxel = table->number_or("voxel", kVoxel, model.voxel);
  model.cell = table->number_or("cell", kCell, model.cell);
  model.repair = table->boolean_or("repair", model.repair);
  if (table->has("skip_repairs")) {
    model.skip_repairs = table->texts("skip_repairs");
    check_known(*table, "skip_repairs", model.skip_repairs,
                {volume::kRepairSteps.begin(), volume::kRepairSteps.end()});
  }
  model.meshes = table->boolean_or("meshes", model.meshes);
  if (!table->boolean_or("bricks", false)) return;
  for (anatomy::MuscleSettings& muscle : model.muscles) {
    if (!muscle.bricks) muscle.bricks.emplace();
  }
}

}  // namespace

anatomy::ModelSettings parse_model_settings(const std::string& text, const std::string& path,
                                            const std::string& data) {
  const Value document = parse_toml(text, path);
  Table file(path, document, "");
  file.allow({"name", "data", "volume", "slice_spacing", "surface_scale", "build", "tissues",
              "muscles", "joints"});
  Place place{fs::path(path).parent_path(), file.has("volume")};
  if (!data.empty()) {
    place.data = data;
  } else if (file.has("data")) {
    place.data /= file.text("data");
  }
  anatomy::ModelSettings model;
  model.name = file.name("name");
  if (place.has_volume) model.volume = (place.data / file.text("volume")).string();
  model.slice_spacing = read_slice_spacing(file);
  model.surface_scale = file.number_or("surface_scale", {1e-9, 1e9, "m a unit of the files"}, 1);
  const std::vector<Table> tissues = file.tables("tissues", kMaxParts);
  for (const Table& table : tissues) model.tissues.push_back(read_tissue(table, place));
  const std::vector<Table> muscles = file.tables("muscles", kMaxParts);
  for (const Table& table : muscles) model.muscles.push_back(read_muscle(table, place));
  const std::vector<Table> joints = file.tables("joints", kMaxParts);
  for (const Table& table : joints) model.joints.push_back(read_joint(table));
  read_build(file, model);
  if (model.muscles.empty()) file.fail("muscles", "there is nothing to build: add [[muscles]]");
  check_unique_names(tissues);
  check_unique_names(muscles);
  check_unique_names(joints);
  check_names(file, model);
  return model;
}

bool is_model_file(const std::string& path) {
  const Value document = parse_toml(read_text(path, "scene or model"), path);
  const Table file(path, document, "");
  return file.has("muscles") || file.has("tissues");
}

anatomy::ModelSettings read_model_settings(const std::string& path, const std::string& data) {
  return parse_model_settings(read_text(path, "model"), path, data);
}

}  // namespace sinew::scene
