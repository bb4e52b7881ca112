#include "sinew/record/fixed_dataset.h"

#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <system_error>

#include <fmt/ranges.h>

#include "sinew/core/error.h"
#include "sinew/core/kept_inputs.h"
#include "sinew/record/recording_layout.h"

namespace sinew::record {
namespace {

// The first bytes of a file that has checksums over all of HDF5's own data: signature, version 3.
constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n\x03\x08\x08";

}  // namespace

std::string find_file(const std::string& path, const FileKind& kind) {
  std::error_code error;
  const bool folder = std::filesystem::is_directory(path, error);
  if (!folder && !std::filesystem::exists(path, error)) {
    throw InputError(path, "", fmt::format("there is no such {}; {}", kind.what, kind.remedy));
  }
  std::string file = folder ? (std::filesystem::path(path) / kind.name).string() : path;
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw InputError(file, "",
                     folder ? fmt::format("the folder holds no {}; `{}` writes one into it first",
                                          kind.what, kind.maker)
                            : "cannot be read");
  std::string start(kSignature.size(), '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start != kSignature)
    throw InputError(file, "",
                     fmt::format("is no {0}: it does not begin as an HDF5 file of version 3; {0}s "
                                 "are what `{1}` writes",
                                 kind.what, kind.maker));
  keep_input(file);
  return file;
}

std::vector<std::string> read_names(const hdf5::File& file, const std::string& group,
                                    bool (*is_allowed)(std::string_view)) {
  std::vector<std::string> names = file.read_texts(group, layout::kNames);
  const std::set<std::string> unique(names.begin(), names.end());
  if (unique.size() != names.size()) file.fail(group + "@names", "names something twice");
  for (const auto& name : names)
    if (!is_allowed(name)) file.fail(group + "@names", "holds a name that is not allowed");
  return names;
}

void check_layout(const hdf5::Dataset& dataset, const hdf5::Layout& wanted) {
  const hdf5::Layout& found = dataset.layout();
  if (found.type != wanted.type) dataset.fail("holds numbers of another type than it should");
  if (found.dims != wanted.dims)
    dataset.fail(fmt::format("has the shape ({}), ({}) is allowed", fmt::join(found.dims, ", "),
                             fmt::join(wanted.dims, ", ")));
  if (found.growing != wanted.growing || found.chunk != wanted.chunk || !found.checked)
    dataset.fail("is stored in another way than by sinew: not in checksummed chunks of one frame");
}

void check_chunk(const hdf5::File& file, const std::string& place, std::size_t count,
                 std::size_t item_bytes) {
  constexpr std::size_t kMaxBytes = std::numeric_limits<std::uint32_t>::max() - 64;
  if (count > kMaxBytes / item_bytes)
    file.fail(place, fmt::format("{} items of {} bytes exceed the 4 GiB that one array may take; "
                                 "use a coarser resolution",
                                 count, item_bytes));
}

}  // namespace sinew::record
