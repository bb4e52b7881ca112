// Headers of NIfTI files of both versions and byte orders, field by field. For tests.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "test_volumes.h"

namespace sinew::volume::testing {

struct NiftiFields {
  Index size = {1, 1, 1};
  std::int16_t datatype = 2;
  double qfac = 1;
  Vec3d spacing = {1, 1, 1};
  double slope = 1, intercept = 0;
  int units = 2, qform_code = 0, sform_code = 0;
  Vec3d quaternion, offset;
  std::array<std::array<double, 4>, 3> rows{};
};

// With the four bytes after it that say that there are no extensions.
inline std::string make_nifti_header(const NiftiFields& fields, bool second, bool big_endian) {
  std::string bytes(second ? 544 : 352, '\0');
  const auto put = [&](std::size_t at, auto value) {
    std::string stored;
    append(stored, value, big_endian);
    bytes.replace(at, stored.size(), stored);
  };
  const auto put_reals = [&](std::size_t first, std::size_t at, std::initializer_list<double> v) {
    std::size_t i = 0;
    for (const double value : v) {
      if (second) put(at + 8 * i, value);
      if (!second) put(first + 4 * i, static_cast<float>(value));
      ++i;
    }
  };
  const auto put_code = [&](std::size_t first, std::size_t at, int value) {
    if (second) put(at, std::int32_t{value});
    if (!second) put(first, static_cast<std::int16_t>(value));
  };
  put(0, std::int32_t{second ? 540 : 348});
  put(second ? 12 : 70, fields.datatype);
  const std::array<std::int64_t, 8> dim = {
      3, fields.size[0], fields.size[1], fields.size[2], 1, 1, 1, 1};
  for (std::size_t a = 0; a < dim.size(); ++a) {
    if (second) put(16 + 8 * a, dim[a]);
    if (!second) put(40 + 2 * a, static_cast<std::int16_t>(dim[a]));
  }
  put_reals(76, 104, {fields.qfac, fields.spacing.x, fields.spacing.y, fields.spacing.z});
  if (second) put(168, std::int64_t{544});
  if (!second) put(108, 352.0F);
  put_reals(112, 176, {fields.slope, fields.intercept});
  if (second) put(500, std::int32_t{fields.units});
  if (!second) put(123, static_cast<char>(fields.units));
  put_code(252, 344, fields.qform_code);
  put_code(254, 348, fields.sform_code);
  put_reals(256, 352, {fields.quaternion.x, fields.quaternion.y, fields.quaternion.z});
  put_reals(268, 376, {fields.offset.x, fields.offset.y, fields.offset.z});
  for (std::size_t r = 0; r < 3; ++r)
    put_reals(280 + 16 * r, 400 + 32 * r,
              {fields.rows[r][0], fields.rows[r][1], fields.rows[r][2], fields.rows[r][3]});
  bytes.replace(second ? 4 : 344, 3, second ? "n+2" : "n+1");
  return bytes;
}

}  // namespace sinew::volume::testing
