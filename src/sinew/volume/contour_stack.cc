#include "sinew/volume/contour_stack.h"

#include <algorithm>
#include <exception>
#include <filesystem>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/parse_number.h"
#include "sinew/core/text.h"
#include "sinew/volume/file_bytes.h"
#include "sinew/volume/png.h"
#include "sinew/volume/volume_header.h"

namespace sinew::volume {
namespace {

struct Slice {
  long long number = 0;
  std::string path;
};

// The last number in a name, such as 12 of "leg2_slice012.png".
long long parse_number_in(const std::filesystem::path& path) {
  constexpr std::string_view kDigits = "0123456789";
  const std::string stem = path.stem().string();
  const std::size_t last = stem.find_last_of(kDigits);
  const std::size_t before =
      last == std::string::npos ? last : stem.find_last_not_of(kDigits, last);
  const std::size_t first = before == std::string::npos ? 0 : before + 1;
  long long number = 0;
  if (last == std::string::npos ||
      !parse_whole(std::string_view(stem).substr(first, last + 1 - first), number)) {
    throw InputError(path.string(), "",
                     "the name holds no number that orders the slices, such as slice012.png");
  }
  return number;
}

bool is_picture(const std::filesystem::path& path) {
  return to_lower(path.extension().string()) == ".png";
}

std::vector<Slice> list_slices(const std::string& folder) {
  std::error_code error;
  std::vector<Slice> slices;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!is_picture(entry->path())) continue;
    slices.push_back({parse_number_in(entry->path()), entry->path().string()});
  }
  if (error) throw InputError(folder, "", "the folder cannot be read: " + error.message());
  if (slices.empty()) throw InputError(folder, "", "the folder holds no .png file");
  std::ranges::sort(slices, [](const Slice& a, const Slice& b) {
    return a.number != b.number ? a.number < b.number : a.path < b.path;
  });
  return slices;
}

void check_numbers(const std::vector<Slice>& slices) {
  for (std::size_t i = 1; i < slices.size(); ++i) {
    const Slice &before = slices[i - 1], &slice = slices[i];
    if (slice.number == before.number) {
      throw InputError(
          slice.path, "",
          fmt::format("number {} stands twice, also in {}", slice.number, before.path));
    }
    const long long step = slices[1].number - slices[0].number;
    if (slice.number - before.number != step) {
      throw InputError(slice.path, "",
                       fmt::format("slice {} follows {}, but others are {} apart; put the missing "
                                   "slices there, or number them in equal steps",
                                   slice.number, before.number, step));
    }
  }
}

GreyImage read_slice(const Slice& slice) {
  return decode_png(slice.path, read_file_bytes(slice.path, "slice"));
}

void check_same_size(const Slice& slice, const GreyImage& image, const GreyImage& first) {
  if (image.width == first.width && image.height == first.height) return;
  throw InputError(slice.path, "",
                   fmt::format("the slice has {} x {} pixels; the first one has {} x {}",
                               image.width, image.height, first.width, first.height));
}

}  // namespace

LabelVolume read_contour_stack(const std::string& folder, const StackSpacing& spacing) {
  const std::vector<Slice> slices = list_slices(folder);
  check_numbers(slices);
  if (!(spacing.pixel > 0)) {
    throw InputError(folder, "spacing",
                     fmt::format("pixels are {} m apart; it must be > 0", spacing.pixel));
  }
  const GreyImage first = read_slice(slices[0]);
  LabelVolume volume;
  volume.grid.size = check_size(folder, "slices",
                                {first.width, first.height, static_cast<long long>(slices.size())});
  volume.grid.axes = Mat3d::diagonal({spacing.pixel, spacing.pixel, spacing.slice});
  check_axes(folder, "spacing", volume.grid);
  volume.voxels.resize(num_voxels(volume.grid));
  std::vector<std::exception_ptr> failures(slices.size());
  parallel_for(slices.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      try {
        const GreyImage image = k == 0 ? first : read_slice(slices[k]);
        check_same_size(slices[k], image, first);
        std::copy(image.pixels.begin(), image.pixels.end(),
                  volume.voxels.begin() + static_cast<std::ptrdiff_t>(k * first.pixels.size()));
      } catch (...) {
        failures[k] = std::current_exception();
      }
    }
  });
  // The first slice that is wrong is named, whichever thread came to one first.
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  return volume;
}

bool is_contour_stack(const std::string& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (is_picture(entry->path())) return true;
  }
  return false;
}

}  // namespace sinew::volume
