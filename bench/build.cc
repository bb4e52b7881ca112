#include "build.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <sys/resource.h>

#include "sinew/anatomy/build_model.h"
#include "sinew/core/temporary_file.h"
#include "sinew/scene/read_model.h"
#include "sinew/volume/phantom.h"
#include "sinew/volume/write_volume.h"

namespace sinew::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLimb = "models/right-upper-limb-1mm.toml";

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void measure(const std::string& name, const anatomy::ModelSettings& settings,
             std::vector<Figure>& figures) {
  anatomy::BuildResult result;
  const double all =
      milliseconds([&] { result = anatomy::build_model(settings, [](const auto&) {}); }) / 1000;
  for (const anatomy::StageTime& stage : result.report.stages) {
    std::string stage_name = stage.name;
    std::replace(stage_name.begin(), stage_name.end(), ' ', '_');
    figures.push_back({fmt::format("{}_{}", name, stage_name), stage.seconds, "s"});
  }
  figures.push_back({name + "_all", all, "s"});
  figures.push_back({name + "_muscles", static_cast<double>(result.model.muscles.size()), "1"});
  figures.push_back({name + "_peak", peak_megabytes(), "MB"});
}

}  // namespace

std::vector<Figure> bench_build() {
  std::vector<Figure> figures;
  const fs::path folder = fs::temp_directory_path() / "sinew-bench-build";
  make_folder(folder.string());
  volume::Phantom arm;
  const double made = milliseconds([&] {
    arm = volume::make_phantom(volume::PhantomKind::kArm,
                               volume::default_phantom_voxel(volume::PhantomKind::kArm));
  });
  figures.push_back({"arm_phantom", made / 1000, "s"});
  volume::write_label_volume((folder / "labels.nrrd").string(), arm.labels);
  measure("arm", scene::parse_model_settings(arm.model_file, (folder / "model.toml").string(), ""),
          figures);
  fs::remove_all(folder);
  if (!fs::exists(kLimb)) return figures;
  const anatomy::ModelSettings limb = scene::read_model_settings(kLimb, "");
  if (fs::exists(limb.volume)) measure("limb", limb, figures);
  return figures;
}

}  // namespace sinew::bench
