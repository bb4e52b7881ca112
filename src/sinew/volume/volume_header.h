// What the header of a volume file says, in one form for all formats, and the parsers that find it
// out. For read_volume.h; sizes are checked here before anything is allocated.
//
// Sources: NRRD: the format's definition at teem.sourceforge.net/nrrd/format.html; NIfTI: nifti1.h
// and nifti2.h of the NIfTI working group; MetaImage: the MetaIO documentation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/volume/image.h"

namespace sinew::volume {

enum class ScalarType {
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat32,
  kFloat64
};

enum class Encoding { kRaw, kDeflate, kText };

struct VolumeHeader {
  Grid grid;  // m, LPS, axes in the file's order
  ScalarType type = ScalarType::kUint8;
  Encoding encoding = Encoding::kRaw;
  bool big_endian = false;
  double slope = 1, intercept = 0;  // value = slope * stored + intercept
  std::string data_file;            // beside the header; empty: the values are in the same file
  std::uint64_t data_begin = 0;     // byte of the same file, before unpacking
  std::uint64_t line_skip = 0;      // lines of the data file to pass over, before unpacking
  std::int64_t byte_skip = 0;       // unpacked bytes to pass over; -1: all but the last that fit
};

// `path` is for messages; each throws InputError that names the line or byte, what was found and
// what is allowed.
VolumeHeader parse_nrrd(const std::string& path, std::string_view bytes);
VolumeHeader parse_nifti(const std::string& path, std::string_view bytes);
VolumeHeader parse_meta_image(const std::string& path, std::string_view bytes);

// Bytes of one value.
std::size_t size_of(ScalarType type);

// The sizes as an index. Throws InputError where one is not from 1 to 2^31 - 1 or all together
// make more than 2^30 voxels. Precondition: three sizes.
Index check_size(const std::string& path, const std::string& place,
                 const std::vector<long long>& sizes);

// Throws InputError where the axes are not finite, have no length or lie in a plane, or lengths are
// beyond anything that is scanned.
void check_axes(const std::string& path, const std::string& place, const Grid& grid);

}  // namespace sinew::volume
