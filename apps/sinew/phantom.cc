#include "sinew/volume/phantom.h"

#include <cstdio>
#include <filesystem>

#include "sinew/core/interrupt.h"
#include "sinew/core/temporary_file.h"
#include "sinew/record/folder_lock.h"
#include "sinew/volume/write_volume.h"

#include "say.h"
#include "verbs.h"

namespace sinew::app {
namespace {

volume::PhantomKind kind_of(const std::string& name) {
  if (name == "arm") return volume::PhantomKind::kArm;
  return name == "eye" ? volume::PhantomKind::kEye : volume::PhantomKind::kCalf;
}

}  // namespace

Report phantom(const PhantomOptions& options) {
  const volume::PhantomKind kind = kind_of(options.name);
  const double voxel = options.voxel > 0 ? options.voxel : volume::default_phantom_voxel(kind);
  const volume::Phantom made = volume::make_phantom(kind, voxel);
  const std::filesystem::path folder = options.output.empty() ? options.name : options.output;
  const record::FolderLock lock(folder.string());
  const Interrupts interrupts(kWriting);
  const std::string labels = (folder / "labels.nrrd").string();
  const std::string model = (folder / "model.toml").string();
  volume::write_label_volume(labels, made.labels);
  write_file(model, made.model_file);
  const auto& size = made.labels.grid.size;
  if (!options.quiet) say(stderr, "next: sinew build {}\n", model);
  Report report{"phantom", true, {}, {}, {labels, model}, ""};
  report.rows = {{"voxel", voxel, "m", "", {}},
                 {"size_x", static_cast<double>(size[0]), "voxels", "", {}},
                 {"size_y", static_cast<double>(size[1]), "voxels", "", {}},
                 {"size_z", static_cast<double>(size[2]), "voxels", "", {}}};
  return report;
}

}  // namespace sinew::app
