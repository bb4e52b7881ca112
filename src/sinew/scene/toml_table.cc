#include "sinew/scene/toml_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"

namespace sinew::scene {
namespace {

constexpr std::size_t kMaxNumbers = 10000;
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

Table::Table(const std::string& file, const Value& value, std::string place)
    : file_(file), value_(value), place_(std::move(place)) {}

void Table::allow(std::initializer_list<std::string_view> keys) {
  allowed_ = keys;
  for (const Member& member : value_.members) {
    if (std::find(allowed_.begin(), allowed_.end(), member.key) != allowed_.end()) continue;
    std::string hint = did_you_mean(member.key, allowed_);
    if (hint.empty()) hint = ".";
    fail_at(member.line, path_of(printable(member.key)),
            fmt::format("unknown key{} Allowed: {}", hint, join(allowed_)));
  }
}

double Table::number(std::string_view key, const Range& range) const {
  const Member& member = need(key);
  return checked(member.value, path_of(key), range);
}

double Table::number_or(std::string_view key, const Range& range, double fallback) const {
  return has(key) ? number(key, range) : fallback;
}

int Table::integer_or(std::string_view key, int low, int high, int fallback) const {
  const Member* member = find(key);
  if (member == nullptr) return fallback;
  if (member->value.kind != Value::Kind::kInteger) fail_kind(*member, "a whole number");
  const Range range{static_cast<double>(low), static_cast<double>(high)};
  return static_cast<int>(checked(member->value, path_of(key), range));
}

std::vector<double> Table::numbers(std::string_view key, const Range& range) const {
  const Member& member = need(key, Value::Kind::kArray, "a list of numbers");
  const std::vector<Value>& items = member.value.items;
  if (items.empty() || items.size() > kMaxNumbers) {
    fail(key, fmt::format("has {} numbers; allowed: 1 to {}", items.size(), kMaxNumbers));
  }
  std::vector<double> numbers;
  for (std::size_t i = 0; i < items.size(); ++i) {
    numbers.push_back(checked(items[i], fmt::format("{}[{}]", path_of(key), i), range));
  }
  return numbers;
}

Vec3d Table::vector(std::string_view key, double limit, const char* unit) const {
  const Member& member = need(key, Value::Kind::kArray, "a list of three numbers");
  const std::vector<Value>& items = member.value.items;
  if (items.size() != 3) {
    fail(key, fmt::format("has {} numbers; exactly 3 are needed (x, y, z)", items.size()));
  }
  Vec3d v;
  for (std::size_t i = 0; i < 3; ++i) {
    v[i] = checked(items[i], fmt::format("{}[{}]", path_of(key), i), {-limit, limit, unit});
  }
  return v;
}

Vec3d Table::vector_or(std::string_view key, double limit, const char* unit,
                       const Vec3d& other) const {
  return has(key) ? vector(key, limit, unit) : other;
}

Vec3d Table::direction(std::string_view key) const {
  constexpr double kLimit = 1e6;
  constexpr double kShortest = 1e-6;
  const Vec3d v = vector(key, kLimit, "");
  if (norm(v) < kShortest) {
    fail(key, fmt::format("has no direction; its length is {}, at least {} is needed", norm(v),
                          kShortest));
  }
  return normalized(v);
}

Vec3d Table::direction_or(std::string_view key, const Vec3d& other) const {
  return has(key) ? direction(key) : other;
}

std::string Table::word(std::string_view key, std::initializer_list<std::string_view> words) const {
  const Member& member = need(key, Value::Kind::kText, "a text");
  const std::vector<std::string_view> allowed = words;
  const std::string& found = member.value.text;
  if (std::find(allowed.begin(), allowed.end(), found) == allowed.end()) {
    std::string hint = did_you_mean(found, allowed);
    if (hint.empty()) hint = ".";
    fail(key,
         fmt::format("\"{}\" is not known{} Allowed: {}", printable(found), hint, join(allowed)));
  }
  return found;
}

std::string Table::name(std::string_view key) const {
  const std::string& found = need(key, Value::Kind::kText, "a text").value.text;
  const bool plain = std::all_of(found.begin(), found.end(), is_name_letter);
  if (!plain || found.empty() || found.size() > kMaxName) {
    fail(key, fmt::format("\"{}\" is not a name; allowed: 1 to {} letters, digits, \"_\" and \"-\"",
                          printable(found), kMaxName));
  }
  return found;
}

std::string Table::text(std::string_view key) const {
  const std::string& found = need(key, Value::Kind::kText, "a text").value.text;
  const bool plain = std::none_of(found.begin(), found.end(),
                                  [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; });
  if (!plain || found.empty() || found.size() > kMaxText) {
    fail(key, fmt::format("\"{}\" is not allowed: 1 to {} bytes without control characters",
                          printable(found), kMaxText));
  }
  return found;
}

Table Table::table(std::string_view key) const {
  return {file_, need(key, Value::Kind::kTable, "a table").value, path_of(key)};
}

std::optional<Table> Table::table_if(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return table(key);
}

std::vector<Table> Table::tables(std::string_view key, std::size_t most) const {
  std::vector<Table> tables;
  if (!has(key)) return tables;
  const Member& member =
      need(key, Value::Kind::kArray, fmt::format("a list of tables, written [[{}]],", key));
  const std::vector<Value>& items = member.value.items;
  if (items.size() > most) {
    fail(key, fmt::format("has {} entries; at most {} are allowed", items.size(), most));
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string place = fmt::format("{}[{}]", path_of(key), i);
    if (items[i].kind != Value::Kind::kTable) {
      fail_at(items[i].line, place, fmt::format("is {}; a table is needed", show(items[i])));
    }
    tables.emplace_back(file_, items[i], place);
  }
  return tables;
}

void Table::fail(std::string_view key, const std::string& message) const {
  const Member* member = find(key);
  if (member == nullptr) fail_at(value_.line, place_, message);
  fail_at(member->line, path_of(key), message);
}

const Member* Table::find(std::string_view key) const {
  SINEW_CHECK(
      allowed_.empty() || std::find(allowed_.begin(), allowed_.end(), key) != allowed_.end(),
      "the key " + std::string(key) + " must be allowed before it is read");
  for (const Member& member : value_.members) {
    if (member.key == key) return &member;
  }
  return nullptr;
}

const Member& Table::need(std::string_view key) const {
  if (const Member* member = find(key)) return *member;
  // Where unknown keys could not be refused yet, one of them may be this one misspelt.
  for (const Member& member : value_.members) {
    const std::string hint = did_you_mean(member.key, std::vector{key});
    const bool is_known = std::find(allowed_.begin(), allowed_.end(), member.key) != allowed_.end();
    if (hint.empty() || is_known) continue;
    fail_at(member.line, path_of(printable(member.key)), "unknown key" + hint);
  }
  fail_at(value_.line, place_, fmt::format("the key \"{}\" is missing", key));
}

const Member& Table::need(std::string_view key, Value::Kind kind, const std::string& wanted) const {
  const Member& member = need(key);
  if (member.value.kind != kind) fail_kind(member, wanted);
  return member;
}

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

std::string Table::path_of(std::string_view key) const {
  return place_.empty() ? std::string(key) : fmt::format("{}.{}", place_, key);
}

void Table::fail_at(unsigned line, const std::string& place, const std::string& message) const {
  throw InputError(file_, fmt::format("line {}{}{}", line, place.empty() ? "" : ": ", place),
                   message);
}

void Table::fail_kind(const Member& member, const std::string& wanted) const {
  fail_at(member.line, path_of(member.key),
          fmt::format("is {}; {} is needed", show(member.value), wanted));
}

}  // namespace sinew::scene
