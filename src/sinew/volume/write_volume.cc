#include "sinew/volume/write_volume.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/temporary_file.h"
#include "sinew/core/text.h"
#include "sinew/volume/deflate.h"
#include "sinew/volume/distance_transform.h"
#include "sinew/volume/units.h"

namespace sinew::volume {
namespace {

constexpr std::size_t kChunk = 1U << 16U;  // values converted at once
constexpr bool kBigEndian = std::endian::native == std::endian::big;
// At the header's places, nifti1.h.
constexpr std::size_t kNiftiBegin = 352;  // of the values
constexpr std::int16_t kNiftiUint8 = 2, kNiftiUint16 = 512;
constexpr char kNiftiMillimetres = 2;

// Calls take(bytes) with the voxels stored as Stored, chunk by chunk.
template <class Stored, class T, class Take>
void store_voxels(const std::vector<T>& voxels, const Take& take) {
  std::vector<Stored> chunk(std::min(kChunk, voxels.size()));
  for (std::size_t first = 0; first < voxels.size(); first += kChunk) {
    const std::size_t n = std::min(kChunk, voxels.size() - first);
    std::transform(voxels.begin() + static_cast<std::ptrdiff_t>(first),
                   voxels.begin() + static_cast<std::ptrdiff_t>(first + n), chunk.begin(),
                   [](T value) { return static_cast<Stored>(value); });
    take(std::span(reinterpret_cast<const char*>(chunk.data()), n * sizeof(Stored)));
  }
}

template <class T, class Take>
void store_labels(const std::vector<T>& labels, bool wide, const Take& take) {
  if (wide) {
    store_voxels<std::uint16_t>(labels, take);
  } else {
    store_voxels<std::uint8_t>(labels, take);
  }
}

bool needs_two_bytes(const LabelVolume& volume) {
  return std::ranges::any_of(volume.voxels, [](std::uint16_t label) {
    return label > std::numeric_limits<std::uint8_t>::max();
  });
}

std::string pack_labels(const LabelVolume& volume, Wrapper wrapper, std::string_view before) {
  Deflater deflater(wrapper);
  deflater.add(before);
  store_labels(volume.voxels, needs_two_bytes(volume),
               [&](std::span<const char> bytes) { deflater.add(bytes); });
  return deflater.finish();
}

// Fourteen digits show 0.9999999999999999 as the 1 that it was in mm.
std::string in_mm(const Vec3d& v, std::string_view between) {
  const Vec3d mm = v / kMillimetre;
  return fmt::format("{:.14g}{}{:.14g}{}{:.14g}", mm.x, between, mm.y, between, mm.z);
}

std::string make_nrrd_header(const Grid& grid, std::string_view type) {
  return fmt::format(
      "NRRD0004\ntype: {}\ndimension: 3\nspace: left-posterior-superior\nsizes: {} {} {}\n"
      "space directions: ({}) ({}) ({})\nkinds: domain domain domain\nendian: {}\n"
      "encoding: gzip\nspace origin: ({})\nspace units: \"mm\" \"mm\" \"mm\"\n\n",
      type, grid.size[0], grid.size[1], grid.size[2], in_mm(grid.axes.col(0), ","),
      in_mm(grid.axes.col(1), ","), in_mm(grid.axes.col(2), ","), kBigEndian ? "big" : "little",
      in_mm(grid.origin, ","));
}

std::string make_nrrd(const LabelVolume& volume) {
  return make_nrrd_header(volume.grid, needs_two_bytes(volume) ? "uint16" : "uint8") +
         pack_labels(volume, Wrapper::kGzip, "");
}

std::string make_meta_image(const LabelVolume& volume) {
  const Grid& grid = volume.grid;
  const Vec3d spacing = spacing_of(grid);
  std::string directions;
  for (std::size_t a = 0; a < 3; ++a) {
    const Vec3d d = grid.axes.col(a) / spacing[a];
    directions += fmt::format(" {:.16g} {:.16g} {:.16g}", d.x, d.y, d.z);
  }
  const std::string packed = pack_labels(volume, Wrapper::kZlib, "");
  return fmt::format(
             "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = {}\n"
             "CompressedData = True\nCompressedDataSize = {}\nTransformMatrix ={}\nOffset = {}\n"
             "CenterOfRotation = 0 0 0\nElementSpacing = {}\nDimSize = {} {} {}\n"
             "ElementType = {}\nElementDataFile = LOCAL\n",
             kBigEndian ? "True" : "False", packed.size(), directions, in_mm(grid.origin, " "),
             in_mm(spacing, " "), grid.size[0], grid.size[1], grid.size[2],
             needs_two_bytes(volume) ? "MET_USHORT" : "MET_UCHAR") +
         packed;
}

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
  const auto stored = std::bit_cast<std::array<char, sizeof(T)>>(value);
  std::copy(stored.begin(), stored.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

std::string make_nifti_header(const LabelVolume& volume) {
  const Grid& grid = volume.grid;
  const bool wide = needs_two_bytes(volume);
  std::string bytes(kNiftiBegin, '\0');
  put(bytes, 0, std::int32_t{348});
  put(bytes, 40, std::int16_t{3});
  put(bytes, 70, wide ? kNiftiUint16 : kNiftiUint8);
  put(bytes, 72, std::int16_t{wide ? std::int16_t{16} : std::int16_t{8}});
  put(bytes, 76, 1.0F);
  put(bytes, 108, static_cast<float>(kNiftiBegin));
  put(bytes, 112, 1.0F);  // slope
  put(bytes, 123, kNiftiMillimetres);
  put(bytes, 254, std::int16_t{1});  // sform_code: coordinates of the scanner
  const Vec3d spacing = spacing_of(grid);
  for (std::size_t a = 0; a < 3; ++a) {
    put(bytes, 42 + 2 * a, static_cast<std::int16_t>(grid.size[a]));
    put(bytes, 80 + 4 * a, static_cast<float>(spacing[a] / kMillimetre));
    const double to_ras = a < 2 ? -1 : 1;
    for (std::size_t column = 0; column < 3; ++column) {
      const double mm = to_ras * grid.axes(a, column) / kMillimetre;
      put(bytes, 280 + 16 * a + 4 * column, static_cast<float>(mm));
    }
    put(bytes, 292 + 16 * a, static_cast<float>(to_ras * grid.origin[a] / kMillimetre));
  }
  for (std::size_t a = 4; a < 8; ++a) put(bytes, 40 + 2 * a, std::int16_t{1});
  bytes.replace(344, 4, std::string_view("n+1\0", 4));
  return bytes;
}

std::string make_nifti(const std::string& path, const LabelVolume& volume, bool packed) {
  for (const std::int32_t size : volume.grid.size) {
    if (size <= std::numeric_limits<std::int16_t>::max()) continue;
    throw InputError(path, "",
                     fmt::format("{} voxels along an axis; NIfTI-1 holds at most {}; write .nrrd "
                                 "instead",
                                 size, std::numeric_limits<std::int16_t>::max()));
  }
  std::string bytes = make_nifti_header(volume);
  if (packed) return pack_labels(volume, Wrapper::kGzip, bytes);
  store_labels(volume.voxels, needs_two_bytes(volume),
               [&](std::span<const char> part) { bytes.append(part.data(), part.size()); });
  return bytes;
}

std::string lower_name(const std::string& path) {
  return to_lower(std::filesystem::path(path).filename().string());
}

}  // namespace

void write_label_volume(const std::string& path, const LabelVolume& volume) {
  SINEW_CHECK(volume.voxels.size() == num_voxels(volume.grid), "a value for every voxel");
  const std::string name = lower_name(path);
  if (name.ends_with(".nrrd")) return write_file(path, make_nrrd(volume));
  if (name.ends_with(".nii")) return write_file(path, make_nifti(path, volume, false));
  if (name.ends_with(".nii.gz")) return write_file(path, make_nifti(path, volume, true));
  if (name.ends_with(".mha")) return write_file(path, make_meta_image(volume));
  throw InputError(path, "",
                   "the ending names no volume format that is written; allowed: .nrrd, .nii, "
                   ".nii.gz, .mha");
}

void write_field(const std::string& path, const Field& field) {
  SINEW_CHECK(field.voxels.size() == num_voxels(field.grid), "a value for every voxel");
  if (!lower_name(path).ends_with(".nrrd")) {
    throw InputError(path, "", "fields are written as .nrrd");
  }
  Deflater deflater(Wrapper::kGzip);
  store_voxels<float>(field.voxels, [&](std::span<const char> bytes) { deflater.add(bytes); });
  write_file(path, make_nrrd_header(field.grid, "float") + deflater.finish());
}

}  // namespace sinew::volume
