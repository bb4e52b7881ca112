#include "sinew/mesh/gmsh_cursor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parse_number.h"
#include "sinew/core/text.h"

namespace sinew::mesh {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

}  // namespace

std::string GmshCursor::place() const {
  if (binary_) return fmt::format("byte {}", at_);
  // Counted only for messages.
  const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size()));
  return fmt::format("line {}", std::count(text_.begin(), end, '\n') + 1);
}

void GmshCursor::fail(const std::string& message) const {
  throw InputError(file_.path, place(), message);
}

template <class T>
T GmshCursor::binary_value() {
  T value;
  if (text_.size() - at_ < sizeof(T)) fail("the file ends within a section; it may be truncated");
  std::memcpy(&value, text_.data() + at_, sizeof(T));
  at_ += sizeof(T);
  return value;
}

bool GmshCursor::at_end() {
  at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
  return at_ == text_.size();
}

std::string_view GmshCursor::word() {
  if (at_end()) fail("the file ends within a section; it may be truncated");
  const std::size_t end = std::min(text_.find_first_of(kBlanks, at_), text_.size());
  const std::string_view found = text_.substr(at_, end - at_);
  at_ = end;
  return found;
}

std::int64_t GmshCursor::text_integer() {
  const std::string_view found = word();
  std::int64_t value = 0;
  if (!parse_whole(found, value)) {
    fail(fmt::format("\"{}\" stands where a whole number should", printable(found)));
  }
  return value;
}

std::int32_t GmshCursor::int32() {
  if (binary_) return binary_value<std::int32_t>();
  const std::int64_t value = text_integer();
  if (value < std::numeric_limits<std::int32_t>::min() ||
      value > std::numeric_limits<std::int32_t>::max()) {
    fail(fmt::format("{} is too large here; allowed: numbers of 32 bits", value));
  }
  return static_cast<std::int32_t>(value);
}

std::uint64_t GmshCursor::size() {
  if (binary_) return binary_value<std::uint64_t>();
  const std::int64_t value = text_integer();
  if (value < 0) fail(fmt::format("{} stands where a number from 0 on should", value));
  return static_cast<std::uint64_t>(value);
}

double GmshCursor::real() {
  double value = 0;
  if (binary_) {
    value = binary_value<double>();
    if (!std::isfinite(value)) fail("a number is not finite");
    return value;
  }
  const std::string_view found = word();
  if (!parse_whole(found, value) || !std::isfinite(value)) {
    fail(fmt::format("\"{}\" stands where a finite number should", printable(found)));
  }
  return value;
}

void GmshCursor::check_room(std::uint64_t count, std::uint64_t least_bytes) const {
  const std::uint64_t most = (text_.size() - at_) / least_bytes + 1;
  if (count > most) {
    fail(fmt::format("the file promises {} items; it has room for at most {}", count, most));
  }
}

std::uint64_t GmshCursor::count(std::uint64_t words) {
  const std::uint64_t value = size();
  check_room(value, words * (binary_ ? sizeof(std::int32_t) : 2));  // a digit and a blank
  return value;
}

std::uint64_t GmshCursor::text_count(std::uint64_t words) {
  const std::int64_t value = text_integer();
  if (value < 0) fail(fmt::format("{} stands where a number from 0 on should", value));
  check_room(static_cast<std::uint64_t>(value), words * 2);
  return static_cast<std::uint64_t>(value);
}

Vec3d GmshCursor::position() {
  const double x = real();
  const double y = real();
  const Vec3d p = Vec3d{x, y, real()};
  const Vec3d scaled = p * file_.scale;
  // The message is costly to make: only where there is one.
  return norm(scaled) < 1e9 ? scaled : scaled_position(file_, p, place());
}

void GmshCursor::skip_reals(std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i) real();
}

void GmshCursor::skip_ints(std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i) int32();
}

std::string GmshCursor::quoted() {
  const std::size_t line_end = std::min(text_.find('\n', at_), text_.size());
  const std::string_view line = text_.substr(at_, line_end - at_);
  const std::size_t open = line.find('"');
  const std::size_t close = line.rfind('"');
  if (open == std::string_view::npos || open == close) {
    fail("a name in double quotes should stand here");
  }
  at_ = line_end;
  return std::string(line.substr(open + 1, close - open - 1));
}

void GmshCursor::end_line() {
  const std::size_t end = text_.find('\n', at_);
  if (end == std::string_view::npos) fail("the file ends after the head of a section");
  at_ = end + 1;
}

void GmshCursor::skip_past(std::string_view text) {
  const std::size_t found = text_.find(text, at_);
  if (found == std::string_view::npos) {
    fail(fmt::format("the section never ends: no {} follows", printable(text)));
  }
  at_ = found + text.size();
}

}  // namespace sinew::mesh
