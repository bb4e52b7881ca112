// What a value of a table must be, and what is said where it is not.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/text.h"
#include "sinew/scene/toml_table.h"

namespace sinew::scene {
namespace {

constexpr std::size_t kMaxName = 64;
constexpr std::size_t kMaxText = 4096;

std::string describe(const Range& range) {
  return fmt::format("{:.10g} {} value {} {:.10g}{}{}", range.low,
                     range.above_low ? "<" : "<=", range.below_high ? "<" : "<=", range.high,
                     *range.unit != '\0' ? " " : "", range.unit);
}

bool contains(const Range& range, double x) {
  const bool high_enough = range.above_low ? x > range.low : x >= range.low;
  const bool low_enough = range.below_high ? x < range.high : x <= range.high;
  return std::isfinite(x) && high_enough && low_enough;
}

bool is_number(const Value& value) {
  return value.kind == Value::Kind::kNumber || value.kind == Value::Kind::kInteger;
}

// The value as the file has it, as far as it fits in a message.
std::string show(const Value& value) {
  if (value.kind == Value::Kind::kInteger) return fmt::format("{}", value.integer);
  if (value.kind == Value::Kind::kNumber) return fmt::format("{}", value.number);
  if (value.kind == Value::Kind::kText)
    return fmt::format("the text \"{}\"", printable(value.text));
  return describe(value.kind);
}

}  // namespace

double Table::checked(const Value& value, const std::string& place, const Range& range) const {
  if (!is_number(value)) {
    fail_at(value.line, place,
            fmt::format("is {}; a number is needed: {}", show(value), describe(range)));
  }
  if (!contains(range, value.number)) {
    fail_at(value.line, place,
            fmt::format("{} is out of range; allowed: {}", show(value), describe(range)));
  }
  return value.number;
}

Vec3d Table::checked_vector(const Value& value, const std::string& place, double limit,
                            const char* unit) const {
  if (value.kind != Value::Kind::kArray) fail_kind(value, place, "a list of three numbers");
  if (value.items.size() != 3) {
    fail_at(value.line, place,
            fmt::format("has {} numbers; exactly 3 are needed (x, y, z)", value.items.size()));
  }
  Vec3d v;
  for (std::size_t i = 0; i < 3; ++i) {
    v[i] = checked(value.items[i], fmt::format("{}[{}]", place, i), {-limit, limit, unit});
  }
  return v;
}

Vec3d Table::checked_direction(const Value& value, const std::string& place) const {
  constexpr double kLimit = 1e6;
  constexpr double kShortest = 1e-6;
  const Vec3d v = checked_vector(value, place, kLimit, "");
  if (norm(v) < kShortest) {
    fail_at(value.line, place,
            fmt::format("has no direction; its length is {}, at least {} is needed", norm(v),
                        kShortest));
  }
  return normalized(v);
}

const std::string& Table::checked_name(const Value& value, const std::string& place) const {
  if (value.kind != Value::Kind::kText) fail_kind(value, place, "a text");
  const std::string& found = value.text;
  const bool plain = std::all_of(found.begin(), found.end(), is_name_letter);
  if (!plain || found.empty() || found.size() > kMaxName) {
    fail_at(value.line, place,
            fmt::format("\"{}\" is not a name; allowed: 1 to {} letters, digits, \"_\" and \"-\"",
                        printable(found), kMaxName));
  }
  return found;
}

const std::string& Table::checked_text(const Value& value, const std::string& place) const {
  if (value.kind != Value::Kind::kText) fail_kind(value, place, "a text");
  const std::string& found = value.text;
  const bool plain = std::none_of(found.begin(), found.end(),
                                  [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; });
  if (!plain || found.empty() || found.size() > kMaxText) {
    fail_at(value.line, place,
            fmt::format("\"{}\" is not allowed: 1 to {} bytes without control characters",
                        printable(found), kMaxText));
  }
  return found;
}

void Table::fail_kind(const Value& value, const std::string& place,
                      const std::string& wanted) const {
  fail_at(value.line, place, fmt::format("is {}; {} is needed", show(value), wanted));
}

}  // namespace sinew::scene
