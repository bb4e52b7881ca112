#include "sinew/volume/read_volume.h"

#include <filesystem>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/inside.h"
#include "sinew/core/text.h"
#include "sinew/volume/decode_voxels.h"
#include "sinew/volume/file_bytes.h"
#include "sinew/volume/volume_header.h"

namespace sinew::volume {
namespace {

VolumeHeader parse_header(const std::string& path, std::string_view bytes) {
  const std::string name = to_lower(std::filesystem::path(path).filename().string());
  const auto named = [&](std::string_view ending) { return name.ends_with(ending); };
  if (bytes.starts_with("NRRD") || named(".nrrd") || named(".nhdr")) return parse_nrrd(path, bytes);
  if (named(".nii") || named(".nii.gz")) return parse_nifti(path, bytes);
  if (named(".mha") || named(".mhd")) return parse_meta_image(path, bytes);
  throw InputError(path, "",
                   "the ending names no volume format that is read; allowed: .nrrd, .nhdr, .nii, "
                   ".nii.gz, .mha, .mhd");
}

template <class T>
Image<T> read_image(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw InputError(path, "",
                     "this is a folder; where it holds the slices of a label volume, say how far "
                     "apart pixels and slices are: slice_spacing = [0.00033, 0.001] (m) in the "
                     "model file");
  }
  const std::string bytes = read_file_bytes(path, "volume");
  const VolumeHeader header = parse_header(path, bytes);
  if (header.data_file.empty()) {
    return {header.grid,
            decode_voxels<T>(header, path, std::string_view(bytes).substr(header.data_begin))};
  }
  const std::string data_path =
      find_inside(std::filesystem::path(path).parent_path(), header.data_file).string();
  if (data_path.empty()) {
    throw InputError(
        path, "header",
        fmt::format("the data file \"{}\" is not below the header's own folder, and a header "
                    "opens no other; put it beside the header and give its name alone",
                    printable(header.data_file)));
  }
  if (!std::filesystem::is_regular_file(data_path, error)) {
    throw InputError(
        path, "header",
        fmt::format("there is no data file \"{}\" beside it; put it there, or mend its "
                    "name in the header",
                    printable(header.data_file)));
  }
  return {header.grid,
          decode_voxels<T>(header, data_path, read_file_bytes(data_path, "data file"))};
}

}  // namespace

LabelVolume read_label_volume(const std::string& path, const std::optional<StackSpacing>& slices) {
  std::error_code error;
  if (slices && std::filesystem::is_directory(path, error)) {
    return read_contour_stack(path, *slices);
  }
  return read_image<std::uint16_t>(path);
}

Field read_field(const std::string& path) {
  return read_image<float>(path);
}

}  // namespace sinew::volume
