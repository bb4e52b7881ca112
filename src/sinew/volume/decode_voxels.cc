#include "sinew/volume/decode_voxels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parse_number.h"
#include "sinew/core/text.h"
#include "sinew/volume/byte_stream.h"

namespace sinew::volume {
namespace {

constexpr std::size_t kChunk = 1U << 16U;  // values decoded at once
constexpr std::string_view kBlanks = " \t\r\n\v\f,";
constexpr double kMaxLabel = std::numeric_limits<std::uint16_t>::max();

struct Source {
  const VolumeHeader& header;
  const std::string& path;
};

[[noreturn]] void refuse_value(const Source& source, std::size_t at, double value,
                               std::string_view allowed) {
  const Index index = index_at(source.header.grid, at);
  throw InputError(source.path, fmt::format("voxel ({}, {}, {})", index[0], index[1], index[2]),
                   fmt::format("the value is {}; {}", value, allowed));
}

template <class T>
T to_voxel(const Source& source, std::size_t at, double stored) {
  const double value = source.header.slope * stored + source.header.intercept;
  if constexpr (std::is_same_v<T, std::uint16_t>) {
    if (!(value >= 0 && value <= kMaxLabel && value == std::floor(value))) {
      refuse_value(source, at, value, "labels are whole numbers from 0 to 65535");
    }
  } else if (!(std::abs(value) <= std::numeric_limits<float>::max())) {
    refuse_value(source, at, value, "finite numbers are allowed");
  }
  return static_cast<T>(value);
}

template <class Stored>
Stored load(const char* bytes, bool swap) {
  std::array<char, sizeof(Stored)> copy{};
  std::copy_n(bytes, sizeof(Stored), copy.begin());
  if (swap) std::reverse(copy.begin(), copy.end());
  return std::bit_cast<Stored>(copy);
}

template <class Stored, class T>
void copy_values(const char* bytes, bool swap, std::span<T> out) {
  if (swap && sizeof(Stored) > 1) {
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = static_cast<T>(load<Stored>(bytes + i * sizeof(Stored), true));
  } else {
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = static_cast<T>(load<Stored>(bytes + i * sizeof(Stored), false));
  }
}

// Values [first, first + out.size()) of the volume.
template <class Stored, class T>
void convert(const Source& source, const char* bytes, std::size_t first, std::span<T> out) {
  const VolumeHeader& header = source.header;
  const bool swap = header.big_endian != (std::endian::native == std::endian::big);
  // Every such value is a voxel's: most label volumes, at the speed of a copy.
  if constexpr (std::is_unsigned_v<Stored> && sizeof(Stored) <= 2) {
    if (header.slope == 1 && header.intercept == 0) return copy_values<Stored>(bytes, swap, out);
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto stored = load<Stored>(bytes + i * sizeof(Stored), swap);
    out[i] = to_voxel<T>(source, first + i, static_cast<double>(stored));
  }
}

template <class T>
using Convert = void (*)(const Source&, const char*, std::size_t, std::span<T>);

template <class T>
Convert<T> find_conversion(ScalarType type) {
  switch (type) {
    case ScalarType::kInt8:
      return &convert<std::int8_t, T>;
    case ScalarType::kUint8:
      return &convert<std::uint8_t, T>;
    case ScalarType::kInt16:
      return &convert<std::int16_t, T>;
    case ScalarType::kUint16:
      return &convert<std::uint16_t, T>;
    case ScalarType::kInt32:
      return &convert<std::int32_t, T>;
    case ScalarType::kUint32:
      return &convert<std::uint32_t, T>;
    case ScalarType::kInt64:
      return &convert<std::int64_t, T>;
    case ScalarType::kUint64:
      return &convert<std::uint64_t, T>;
    case ScalarType::kFloat32:
      return &convert<float, T>;
    default:
      return &convert<double, T>;
  }
}

void check_promise(const Source& source, std::uint64_t promised, std::uint64_t most) {
  if (promised <= most) return;
  throw InputError(source.path, "",
                   fmt::format("the header promises {} bytes of values; at most {} can be there; "
                               "the file may be truncated, or its sizes or type wrong",
                               promised, most));
}

std::string_view skip_lines(const Source& source, std::string_view data) {
  for (std::uint64_t line = 0; line < source.header.line_skip; ++line) {
    const std::size_t end = data.find('\n');
    if (end == std::string_view::npos) {
      throw InputError(source.path, fmt::format("line {}", line + 1),
                       fmt::format("the data file ends; the header says that {} lines come before "
                                   "the values",
                                   source.header.line_skip));
    }
    data.remove_prefix(end + 1);
  }
  return data;
}

template <class T>
std::vector<T> decode_bytes(const Source& source, std::string_view data) {
  const VolumeHeader& header = source.header;
  const std::size_t count = num_voxels(header.grid), size = size_of(header.type);
  const std::uint64_t promised = std::uint64_t{count} * size;
  ByteStream stream(source.path, data,
                    header.encoding == Encoding::kRaw ? Packing::kNone : Packing::kDeflate);
  check_promise(source, promised, stream.most_left());
  if (header.byte_skip > 0) stream.skip(static_cast<std::uint64_t>(header.byte_skip));
  if (header.byte_skip < 0) stream.skip(data.size() - promised);
  const Convert<T> conversion = find_conversion<T>(header.type);
  std::vector<T> voxels(count);
  std::vector<char> chunk(std::min(kChunk, count) * size);
  for (std::size_t first = 0; first < count; first += kChunk) {
    const std::size_t n = std::min(kChunk, count - first);
    stream.take(std::span(chunk).first(n * size));
    conversion(source, chunk.data(), first, std::span(voxels).subspan(first, n));
  }
  stream.finish();
  return voxels;
}

template <class T>
std::vector<T> decode_text(const Source& source, std::string_view data) {
  const std::size_t count = num_voxels(source.header.grid);
  data.remove_prefix(std::min(
      static_cast<std::size_t>(std::max<std::int64_t>(source.header.byte_skip, 0)), data.size()));
  // A value takes at least a digit and the blank after it, which the last one may lack.
  check_promise(source, 2 * std::uint64_t{count} - 1, data.size());
  std::vector<T> voxels;
  voxels.reserve(count);
  while (voxels.size() < count) {
    data.remove_prefix(std::min(data.find_first_not_of(kBlanks), data.size()));
    const std::string_view word = data.substr(0, data.find_first_of(kBlanks));
    double value = 0;
    if (!parse_whole(word, value)) {
      throw InputError(source.path, fmt::format("value {}", voxels.size() + 1),
                       fmt::format("\"{}\" stands where number {} of {} should", printable(word),
                                   voxels.size() + 1, count));
    }
    voxels.push_back(to_voxel<T>(source, voxels.size(), value));
    data.remove_prefix(word.size());
  }
  return voxels;
}

}  // namespace

template <class T>
std::vector<T> decode_voxels(const VolumeHeader& header, const std::string& path,
                             std::string_view data) {
  const Source source{header, path};
  data = skip_lines(source, data);
  return header.encoding == Encoding::kText ? decode_text<T>(source, data)
                                            : decode_bytes<T>(source, data);
}

template std::vector<std::uint16_t> decode_voxels(const VolumeHeader&, const std::string&,
                                                  std::string_view);
template std::vector<float> decode_voxels(const VolumeHeader&, const std::string&,
                                          std::string_view);

}  // namespace sinew::volume
