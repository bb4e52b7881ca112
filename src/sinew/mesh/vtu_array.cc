#include "sinew/mesh/vtu_array.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

#include <fmt/format.h>
#include <zlib.h>

#include "sinew/core/error.h"
#include "sinew/core/parse_number.h"
#include "sinew/core/text.h"

namespace sinew::mesh {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
// What deflate can gain at most: a header that promises more lies.
constexpr std::uint64_t kMaxGain = 1032;
constexpr double kMostWhole = 1e15;  // below, doubles hold every whole number

[[noreturn]] void fail(const VtuArray& array, const std::string& message) {
  throw InputError(array.path, array.place, message);
}

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : (c == '/' ? 63 : -1);
}

// Bytes of an array, decoded on the way. In base64 the header may be encoded with the values or
// before them: padding ends a group, not the data.
class ByteStream {
 public:
  explicit ByteStream(const VtuArray& array) : array_(array), rest_(array.data) {
    if (array.encoding == VtkEncoding::kBase64) {
      rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
    }
  }

  std::string take(std::uint64_t size) {
    const std::uint64_t most =
        array_.encoding == VtkEncoding::kRaw ? rest_.size() : rest_.size() / 4 * 3 + 3;
    if (size > most) {
      fail(array_, fmt::format("the array promises {} bytes; at most {} are left", size, most));
    }
    std::string bytes;
    if (array_.encoding == VtkEncoding::kRaw) {
      bytes = rest_.substr(0, size);
      rest_.remove_prefix(size);
      return bytes;
    }
    bytes.reserve(size);
    while (bytes.size() < size) {
      if (pending_.empty()) decode_group();
      const std::size_t n = std::min<std::size_t>(size - bytes.size(), pending_.size());
      bytes.append(pending_, 0, n);
      pending_.erase(0, n);
    }
    return bytes;
  }

  std::uint64_t header_number() {
    const std::string bytes = take(array_.wide_header ? 8 : 4);
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }

 private:
  void decode_group() {
    if (rest_.size() < 4) fail(array_, "the base64 data end too soon; the file may be truncated");
    unsigned group = 0;
    std::size_t digits = 0;
    for (; digits < 4 && rest_[digits] != '='; ++digits) {
      const int digit = base64_digit(rest_[digits]);
      if (digit < 0) {
        fail(array_, fmt::format("\"{}\" is not base64", printable(rest_.substr(digits, 1))));
      }
      group |= static_cast<unsigned>(digit) << (18 - 6 * digits);
    }
    if (digits < 2) fail(array_, "the base64 padding is wrong");
    for (std::size_t i = 0; i + 1 < digits; ++i) {
      pending_ += static_cast<char>((group >> (16 - 8 * i)) & 255U);
    }
    rest_.remove_prefix(4);
  }

  const VtuArray& array_;
  std::string_view rest_;
  std::string pending_;
};

std::string inflate_block(const VtuArray& array, const std::string& packed, std::uint64_t size) {
  if (size > packed.size() * kMaxGain + 64) {
    fail(array, fmt::format("a compressed block of {} bytes promises {}", packed.size(), size));
  }
  std::string bytes(size, '\0');
  uLongf got = size;
  const int status = uncompress(reinterpret_cast<Bytef*>(bytes.data()), &got,
                                reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  if (status != Z_OK || got != size) fail(array, "a compressed block is damaged");
  return bytes;
}

// Header: number of blocks, size of a block, size of the last one if shorter, packed sizes.
std::string read_compressed(const VtuArray& array, ByteStream& stream, std::uint64_t most) {
  const std::uint64_t num_blocks = stream.header_number();
  const std::uint64_t block_size = stream.header_number();
  const std::uint64_t last_size = stream.header_number();
  if (num_blocks > array.data.size()) {
    fail(array, fmt::format("the array promises {} compressed blocks", num_blocks));
  }
  std::vector<std::uint64_t> packed_sizes(num_blocks);
  for (auto& size : packed_sizes) size = stream.header_number();
  std::string bytes;
  for (std::uint64_t b = 0; b < num_blocks; ++b) {
    const bool is_short = b + 1 == num_blocks && last_size != 0;
    bytes += inflate_block(array, stream.take(packed_sizes[b]), is_short ? last_size : block_size);
    if (bytes.size() > most) break;  // refused by the caller
  }
  return bytes;
}

template <class Stored, class T>
std::vector<T> convert(const VtuArray& array, const std::string& bytes) {
  std::vector<T> values(bytes.size() / sizeof(Stored));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    if constexpr (std::is_floating_point_v<Stored>) {
      if (!std::isfinite(stored)) fail(array, fmt::format("number {} is not finite", i));
      if (std::is_integral_v<T> &&
          (stored != std::floor(stored) || std::abs(stored) > kMostWhole)) {
        fail(array, fmt::format("number {} is {}; a whole number is needed", i, stored));
      }
    } else if constexpr (std::is_same_v<Stored, std::uint64_t>) {
      if (stored > INT64_MAX) fail(array, fmt::format("number {} is {}: too large", i, stored));
    }
    values[i] = static_cast<T>(stored);
  }
  return values;
}

template <class T>
std::vector<T> convert_int8(const VtuArray& /*array*/, const std::string& bytes) {
  std::vector<T> values;
  values.reserve(bytes.size());
  for (const char c : bytes) {
    const int byte = static_cast<unsigned char>(c);
    values.push_back(static_cast<T>(byte < 128 ? byte : byte - 256));
  }
  return values;
}

template <class T>
struct StoredType {
  std::string_view name;
  std::size_t size;
  std::vector<T> (*convert)(const VtuArray&, const std::string&);
};

template <class T>
const StoredType<T>& find_type(const VtuArray& array) {
  static const std::array<StoredType<T>, 10> kTypes = {{
      {"Float32", 4, &convert<float, T>},
      {"Float64", 8, &convert<double, T>},
      {"Int8", 1, &convert_int8<T>},
      {"UInt8", 1, &convert<std::uint8_t, T>},
      {"Int16", 2, &convert<std::int16_t, T>},
      {"UInt16", 2, &convert<std::uint16_t, T>},
      {"Int32", 4, &convert<std::int32_t, T>},
      {"UInt32", 4, &convert<std::uint32_t, T>},
      {"Int64", 8, &convert<std::int64_t, T>},
      {"UInt64", 8, &convert<std::uint64_t, T>},
  }};
  for (const auto& type : kTypes)
    if (type.name == array.type) return type;
  fail(array, fmt::format("type \"{}\" is not read; allowed: Float32, Float64, Int8 to UInt64",
                          printable(array.type)));
}

template <class T>
std::vector<T> parse_text(const VtuArray& array, std::size_t count) {
  std::vector<T> values;
  values.reserve(std::min(count, array.data.size() / 2 + 1));
  std::string_view rest = array.data;
  for (;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    if (rest.empty()) return values;
    const std::string_view word = rest.substr(0, rest.find_first_of(kBlanks));
    double value = 0;
    const bool is_number = parse_whole(word, value) && std::isfinite(value);
    const bool whole = value == std::floor(value) && std::abs(value) <= kMostWhole;
    if (!is_number || (std::is_integral_v<T> && !whole)) {
      fail(array, fmt::format("\"{}\" stands where a {} number should", printable(word),
                              std::is_integral_v<T> ? "whole" : "finite"));
    }
    values.push_back(static_cast<T>(value));
    rest.remove_prefix(word.size());
  }
}

template <class T>
std::vector<T> read_array(const VtuArray& array, std::size_t count) {
  const StoredType<T>& type = find_type<T>(array);
  std::vector<T> values;
  if (array.encoding == VtkEncoding::kText) {
    values = parse_text<T>(array, count);
  } else {
    ByteStream stream(array);
    const std::string bytes = array.compressed ? read_compressed(array, stream, count * type.size)
                                               : stream.take(stream.header_number());
    values = type.convert(array, bytes);
  }
  if (values.size() != count) {
    fail(array, fmt::format("the array has {} numbers; {} are needed", values.size(), count));
  }
  return values;
}

}  // namespace

std::vector<double> read_reals(const VtuArray& array, std::size_t count) {
  return read_array<double>(array, count);
}

std::vector<std::int64_t> read_integers(const VtuArray& array, std::size_t count) {
  return read_array<std::int64_t>(array, count);
}

}  // namespace sinew::mesh
