#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/record/exporters.h"
#include "sinew/record/folder_lock.h"

#include "verbs.h"

namespace sinew::app {

Report export_recording(const ExportOptions& options) {
  const record::RecordingReader reader(options.path);
  if (reader.num_frames() == 0) {
    throw InputError(reader.path(), "/frames", "holds no finished frame yet");
  }
  if (options.first > options.last) {
    throw InputError("--first", "",
                     fmt::format("{} is after --last {}; frames are numbered from 0 and --last is "
                                 "the last one that is written",
                                 options.first, options.last));
  }
  const std::size_t end = reader.num_frames() - 1;
  const record::FrameRange range{options.first, std::min(options.last, end), options.stride};
  if (range.first > range.last) {
    throw InputError(reader.path(), "/frames",
                     "has frames 0 to " + std::to_string(end) + ", but --first is " +
                         std::to_string(range.first));
  }
  const std::string folder =
      options.output.empty()
          ? (std::filesystem::path(reader.path()).parent_path() / options.format).string()
          : options.output;
  const record::FolderLock lock(folder);
  Report report{"export", true, {}, {}, {}, ""};
  if (options.format == "vtu") report.files = record::export_vtu(reader, range, folder);
  if (options.format == "obj") report.files = record::export_obj(reader, range, folder);
  if (options.format == "csv") report.files = record::export_csv(reader, range, folder);
  if (options.format == "png") report.files = record::export_png(reader, range, folder);
  const std::size_t frames = (range.last - range.first) / range.stride + 1;
  report.rows = {{"frames", static_cast<double>(frames), "1", "", {}},
                 {"files", static_cast<double>(report.files.size()), "1", "", {}}};
  return report;
}

}  // namespace sinew::app
