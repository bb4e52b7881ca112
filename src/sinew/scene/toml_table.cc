#include "sinew/scene/toml_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"

namespace sinew::scene {
namespace {

constexpr std::size_t kMaxItems = 10000;

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

std::vector<std::string> Table::allow_names() {
  std::vector<std::string> names;
  for (const Member& member : value_.members) {
    allowed_.emplace_back(member.key);
    names.push_back(member.key);
  }
  return names;
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
  if (member->value.kind != Value::Kind::kInteger)
    fail_kind(member->value, path_of(key), "a whole number");
  const Range range{static_cast<double>(low), static_cast<double>(high)};
  return static_cast<int>(checked(member->value, path_of(key), range));
}

std::vector<double> Table::numbers(std::string_view key, const Range& range) const {
  std::vector<double> numbers;
  for (const Value& item : need_list(key, "numbers")) {
    numbers.push_back(checked(item, path_of(key, numbers.size()), range));
  }
  return numbers;
}

std::vector<int> Table::integers(std::string_view key, int low, int high) const {
  const Range range{static_cast<double>(low), static_cast<double>(high)};
  std::vector<int> numbers;
  for (const Value& item : need_list(key, "whole numbers")) {
    const std::string place = path_of(key, numbers.size());
    if (item.kind != Value::Kind::kInteger) fail_kind(item, place, "a whole number");
    numbers.push_back(static_cast<int>(checked(item, place, range)));
  }
  return numbers;
}

bool Table::boolean_or(std::string_view key, bool fallback) const {
  if (!has(key)) return fallback;
  return need(key, Value::Kind::kBoolean, "true or false").value.integer != 0;
}

Vec3d Table::vector(std::string_view key, double limit, const char* unit) const {
  return checked_vector(need(key).value, path_of(key), limit, unit);
}

std::vector<Vec3d> Table::vectors(std::string_view key, double limit, const char* unit) const {
  std::vector<Vec3d> vectors;
  for (const Value& item : need_list(key, "lists of three numbers")) {
    vectors.push_back(checked_vector(item, path_of(key, vectors.size()), limit, unit));
  }
  return vectors;
}

Vec3d Table::vector_or(std::string_view key, double limit, const char* unit,
                       const Vec3d& other) const {
  return has(key) ? vector(key, limit, unit) : other;
}

Vec3d Table::direction(std::string_view key) const {
  return checked_direction(need(key).value, path_of(key));
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
  return checked_name(need(key).value, path_of(key));
}

std::string Table::text(std::string_view key) const {
  return checked_text(need(key).value, path_of(key));
}

std::vector<std::string> Table::names(std::string_view key) const {
  std::vector<std::string> names;
  for (const Value& item : need_list(key, "texts")) {
    names.push_back(checked_name(item, path_of(key, names.size())));
  }
  return names;
}

std::vector<std::string> Table::texts(std::string_view key) const {
  std::vector<std::string> texts;
  for (const Value& item : need_list(key, "texts")) {
    texts.push_back(checked_text(item, path_of(key, texts.size())));
  }
  return texts;
}

std::vector<Vec3d> Table::directions(std::string_view key) const {
  std::vector<Vec3d> directions;
  for (const Value& item : need_list(key, "lists of three numbers")) {
    directions.push_back(checked_direction(item, path_of(key, directions.size())));
  }
  return directions;
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
      fail_kind(items[i], place, "a table");
    }
    tables.emplace_back(file_, items[i], place);
  }
  return tables;
}

void Table::fail(std::string_view key, const std::string& message) const {
  const Member* member = key.empty() ? nullptr : find(key);
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
  if (member.value.kind != kind) fail_kind(member.value, path_of(key), wanted);
  return member;
}

const std::vector<Value>& Table::need_list(std::string_view key, const std::string& wanted) const {
  const Member& member = need(key, Value::Kind::kArray, "a list of " + wanted);
  const std::size_t size = member.value.items.size();
  if (size == 0 || size > kMaxItems) {
    fail(key, fmt::format("has {} {}; allowed: 1 to {}", size, wanted, kMaxItems));
  }
  return member.value.items;
}

std::string Table::path_of(std::string_view key) const {
  return place_.empty() ? std::string(key) : fmt::format("{}.{}", place_, key);
}

std::string Table::path_of(std::string_view key, std::size_t item) const {
  return fmt::format("{}[{}]", path_of(key), item);
}

void Table::fail_at(unsigned line, const std::string& place, const std::string& message) const {
  throw InputError(file_, fmt::format("line {}{}{}", line, place.empty() ? "" : ": ", place),
                   message);
}

}  // namespace sinew::scene
