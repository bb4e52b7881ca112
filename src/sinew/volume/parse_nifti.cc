#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/volume/byte_stream.h"
#include "sinew/volume/units.h"
#include "sinew/volume/volume_header.h"

namespace sinew::volume {
namespace {

// Where the fields stand, bytes from the file's begin: nifti1.h and nifti2.h.
struct Layout {
  std::size_t header_size, magic, datatype, dim, pixdim, vox_offset, scl_slope, qform_code,
      sform_code, quatern, qoffset, srow, xyzt_units;
};
constexpr Layout kNifti1 = {348, 344, 70, 40, 76, 108, 112, 252, 254, 256, 268, 280, 123};
constexpr Layout kNifti2 = {540, 4, 12, 16, 104, 168, 176, 344, 348, 352, 376, 400, 500};
constexpr std::size_t kExtensionFlags = 4;  // bytes between the header and the first value
constexpr double kMaxOffset = 1e15;         // bytes
constexpr double kUnitQuaternion = 1e-3;    // how much longer than 1 a stored one may be
constexpr Vec3d kRasToLps = {-1, -1, 1};

class NiftiHeader {
 public:
  NiftiHeader(std::string path, std::string_view bytes);

  const Layout& at() const { return second_ ? kNifti2 : kNifti1; }
  bool big_endian() const { return big_endian_; }

  template <class T>
  T get(std::size_t offset) const {
    std::array<char, sizeof(T)> copy{};
    std::copy_n(bytes_.data() + offset, sizeof(T), copy.begin());
    if (big_endian_ != (std::endian::native == std::endian::big)) {
      std::reverse(copy.begin(), copy.end());
    }
    return std::bit_cast<T>(copy);
  }
  // Number i of a field whose items are float in the first version, double in the second.
  double real(std::size_t offset, std::size_t i = 0) const {
    return second_ ? get<double>(offset + 8 * i) : static_cast<double>(get<float>(offset + 4 * i));
  }
  long long size(std::size_t i) const {
    return second_ ? get<std::int64_t>(at().dim + 8 * i) : get<std::int16_t>(at().dim + 2 * i);
  }
  int code(std::size_t offset) const {
    return second_ ? get<std::int32_t>(offset) : get<std::int16_t>(offset);
  }
  double vox_offset() const {
    return second_ ? static_cast<double>(get<std::int64_t>(at().vox_offset))
                   : real(at().vox_offset);
  }
  int units() const {
    return second_ ? get<std::int32_t>(at().xyzt_units) : get<std::uint8_t>(at().xyzt_units);
  }
  std::string_view text(std::size_t offset, std::size_t length) const {
    return std::string_view(bytes_).substr(offset, length);
  }
  std::string place(std::string_view field, std::size_t offset) const {
    return fmt::format("byte {} ({})", offset, field);
  }
  [[noreturn]] void fail(std::string_view field, std::size_t offset,
                         const std::string& message) const {
    throw InputError(path_, place(field, offset), message);
  }

 private:
  std::string path_;
  std::string bytes_;  // of the header, unpacked
  bool second_ = false;
  bool big_endian_ = false;
};

NiftiHeader::NiftiHeader(std::string path, std::string_view bytes) : path_(std::move(path)) {
  ByteStream stream(path_, bytes, is_gzip(bytes) ? Packing::kDeflate : Packing::kNone);
  bytes_.resize(4);
  stream.take(bytes_);
  for (const bool big : {false, true}) {
    big_endian_ = big;
    const auto size = get<std::int32_t>(0);
    second_ = size == static_cast<std::int32_t>(kNifti2.header_size);
    if (second_ || size == static_cast<std::int32_t>(kNifti1.header_size)) {
      bytes_.resize(at().header_size);
      stream.take(std::span(bytes_).subspan(4));
      return;
    }
  }
  fail("sizeof_hdr", 0, "the first number is not 348 or 540; this is no NIfTI file");
}

void check_magic(const NiftiHeader& header) {
  const std::size_t at = header.at().magic;
  const bool second = header.at().header_size == kNifti2.header_size;
  const std::string_view magic = header.text(at, 4);
  if (magic == std::string_view(second ? "n+2\0" : "n+1\0", 4)) return;
  const bool pair = magic == std::string_view(second ? "ni2\0" : "ni1\0", 4);
  header.fail("magic", at,
              pair ? "header and values are in two files (.hdr, .img); write one .nii file"
                   : "\"n+1\" or \"n+2\" should stand here; this is no NIfTI file");
}

Index read_size(const NiftiHeader& header, const std::string& path) {
  const std::size_t at = header.at().dim;
  const long long dims = header.size(0);
  if (dims < 1 || dims > 7) {
    header.fail("dim[0]", at, fmt::format("{} axes; 1 to 7 are allowed", dims));
  }
  for (long long a = 4; a <= dims; ++a) {
    const long long size = header.size(static_cast<std::size_t>(a));
    if (size != 1) {
      header.fail(fmt::format("dim[{}]", a), at,
                  fmt::format("{} values a voxel; one is read", size));
    }
  }
  std::vector<long long> sizes(3, 1);
  for (std::size_t a = 1; a <= static_cast<std::size_t>(std::min(dims, 3LL)); ++a)
    sizes[a - 1] = header.size(a);
  return check_size(path, header.place("dim", at), sizes);
}

// Edges of a voxel in the file's unit.
Vec3d read_spacing(const NiftiHeader& header) {
  Vec3d spacing;
  for (std::size_t a = 0; a < 3; ++a) {
    spacing[a] = header.real(header.at().pixdim, a + 1);
    if (!(spacing[a] > 0)) {
      header.fail(fmt::format("pixdim[{}]", a + 1), header.at().pixdim,
                  fmt::format("a spacing is {}; it must be > 0", spacing[a]));
    }
  }
  return spacing;
}

// "METHOD 2" of nifti1.h: rotation from the quaternion (a, b, c, d), a >= 0 left to be found.
Mat3d read_rotation(const NiftiHeader& header) {
  const std::size_t at = header.at().quatern;
  double b = header.real(at, 0), c = header.real(at, 1), d = header.real(at, 2);
  const double length2 = b * b + c * c + d * d;
  if (!(length2 <= 1 + kUnitQuaternion)) {
    header.fail("quatern", at,
                fmt::format("({}, {}, {}) is no part of a unit quaternion", b, c, d));
  }
  if (length2 > 1) b /= std::sqrt(length2), c /= std::sqrt(length2), d /= std::sqrt(length2);
  const double a = std::sqrt(std::max(0.0, 1 - length2));
  return {{{{a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c)},
            {2 * (b * c - a * d), a * a + c * c - b * b - d * d, 2 * (c * d + a * b)},
            {2 * (b * d + a * c), 2 * (c * d - a * b), a * a + d * d - c * c - b * b}}}};
}

// Axes and origin in RAS and the file's unit: sform, else qform, else spacing alone.
Grid read_placement(const NiftiHeader& header) {
  const Layout& at = header.at();
  Grid grid;
  if (header.code(at.sform_code) > 0) {
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t a = 0; a < 3; ++a) grid.axes(row, a) = header.real(at.srow, 4 * row + a);
      grid.origin[row] = header.real(at.srow, 4 * row + 3);
    }
    return grid;
  }
  const Vec3d spacing = read_spacing(header);
  if (header.code(at.qform_code) <= 0) {
    grid.axes = Mat3d::diagonal(spacing);
    return grid;
  }
  const double flip = header.real(at.pixdim, 0) < 0 ? -1 : 1;  // "qfac"
  grid.axes = read_rotation(header) * Mat3d::diagonal({spacing.x, spacing.y, spacing.z * flip});
  grid.origin = {header.real(at.qoffset, 0), header.real(at.qoffset, 1),
                 header.real(at.qoffset, 2)};
  return grid;
}

double read_unit(const NiftiHeader& header) {
  switch (header.units() & 7) {
    case 0:
    case 2:
      return kMillimetre;
    case 1:
      return 1;
    case 3:
      return 1e-6;
    default:
      header.fail("xyzt_units", header.at().xyzt_units,
                  fmt::format("{} is no unit of length; allowed: 0 and 2 (mm), 1 (m), 3 (um)",
                              header.units() & 7));
  }
}

ScalarType read_type(const NiftiHeader& header) {
  const std::size_t at = header.at().datatype;
  switch (const int code = header.get<std::int16_t>(at)) {
    case 2:
      return ScalarType::kUint8;
    case 4:
      return ScalarType::kInt16;
    case 8:
      return ScalarType::kInt32;
    case 16:
      return ScalarType::kFloat32;
    case 64:
      return ScalarType::kFloat64;
    case 256:
      return ScalarType::kInt8;
    case 512:
      return ScalarType::kUint16;
    case 768:
      return ScalarType::kUint32;
    case 1024:
      return ScalarType::kInt64;
    case 1280:
      return ScalarType::kUint64;
    default:
      header.fail("datatype", at,
                  fmt::format("type {} is not read; allowed: integers and float or double (2, 4, "
                              "8, 16, 64, 256, 512, 768, 1024, 1280)",
                              code));
  }
}

// A slope of 0, or none at all, means that values are as stored.
void read_scaling(const NiftiHeader& header, VolumeHeader& volume) {
  const double slope = header.real(header.at().scl_slope, 0);
  const double intercept = header.real(header.at().scl_slope, 1);
  if (slope == 0 || std::isnan(slope)) return;
  if (!std::isfinite(slope) || !std::isfinite(intercept)) {
    header.fail("scl_slope", header.at().scl_slope,
                fmt::format("slope {} and intercept {} must be finite", slope, intercept));
  }
  volume.slope = slope;
  volume.intercept = intercept;
}

}  // namespace

VolumeHeader parse_nifti(const std::string& path, std::string_view bytes) {
  const NiftiHeader header(path, bytes);
  check_magic(header);
  VolumeHeader volume;
  volume.type = read_type(header);
  volume.big_endian = header.big_endian();
  volume.encoding = is_gzip(bytes) ? Encoding::kDeflate : Encoding::kRaw;
  read_scaling(header, volume);
  const double begin = header.vox_offset();
  const auto least = static_cast<double>(header.at().header_size + kExtensionFlags);
  if (!(begin >= least && begin <= kMaxOffset)) {
    header.fail("vox_offset", header.at().vox_offset,
                fmt::format("the values begin at byte {}; at least {} is needed", begin, least));
  }
  volume.byte_skip = static_cast<std::int64_t>(begin);
  volume.grid = read_placement(header);
  const Mat3d to_lps = Mat3d::diagonal(kRasToLps * read_unit(header));
  volume.grid.axes = to_lps * volume.grid.axes;
  volume.grid.origin = to_lps * volume.grid.origin;
  volume.grid.size = read_size(header, path);
  check_axes(path, header.place("srow, quatern or pixdim", header.at().pixdim), volume.grid);
  return volume;
}

}  // namespace sinew::volume
