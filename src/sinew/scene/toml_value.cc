#include "sinew/scene/toml_value.h"

#include <fmt/format.h>

#define TOML_ENABLE_FORMATTERS 0
#include <algorithm>
#include <utility>

#include <toml++/toml.h>

#include "sinew/core/error.h"
#include "sinew/scene/read_text.h"

namespace sinew::scene {
namespace {

// Recursion is bounded by clean_syntax.
Value convert(const toml::node& node);

Value convert_table(const toml::table& table) {
  // The library sorts by key; people read by line.
  std::vector<std::pair<toml::source_position, Member>> found;
  for (const auto& [key, child] : table) {
    const toml::source_position at = key.source().begin;
    found.push_back({at, {std::string(key.str()), static_cast<unsigned>(at.line), convert(child)}});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Value value;
  for (auto& [at, member] : found) value.members.push_back(std::move(member));
  return value;
}

Value convert_content(const toml::node& node) {
  Value value;
  switch (node.type()) {
    case toml::node_type::table:
      return convert_table(*node.as_table());
    case toml::node_type::array:
      value.kind = Value::Kind::kArray;
      for (const toml::node& item : *node.as_array()) value.items.push_back(convert(item));
      break;
    case toml::node_type::string:
      value.kind = Value::Kind::kText;
      value.text = node.as_string()->get();
      break;
    case toml::node_type::integer:
      value.kind = Value::Kind::kInteger;
      value.integer = node.as_integer()->get();
      value.number = static_cast<double>(value.integer);
      break;
    case toml::node_type::floating_point:
      value.kind = Value::Kind::kNumber;
      value.number = node.as_floating_point()->get();
      break;
    case toml::node_type::boolean:
      value.kind = Value::Kind::kBoolean;
      value.integer = node.as_boolean()->get() ? 1 : 0;
      break;
    default:
      value.kind = Value::Kind::kDate;
      break;
  }
  return value;
}

Value convert(const toml::node& node) {
  Value value = convert_content(node);
  value.line = std::max(1u, static_cast<unsigned>(node.source().begin.line));
  return value;
}

}  // namespace

const char* describe(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::kBoolean:
      return "true or false";
    case Value::Kind::kInteger:
      return "a whole number";
    case Value::Kind::kNumber:
      return "a number";
    case Value::Kind::kText:
      return "a text";
    case Value::Kind::kDate:
      return "a date or time";
    case Value::Kind::kArray:
      return "a list";
    case Value::Kind::kTable:
      break;
  }
  return "a table";
}

Value parse_toml(const std::string& text, const std::string& path) {
  if (text.size() > kMaxFileSize) {
    throw InputError(
        path, "",
        fmt::format("the file has {} bytes; at most {} are read", text.size(), kMaxFileSize));
  }
  const std::string clean = clean_syntax(text, path);
  try {
    return convert(toml::parse(clean, path));
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    throw InputError(path, fmt::format("line {}, column {}", at.line, at.column),
                     "not valid TOML: " + std::string(error.description()));
  }
}

}  // namespace sinew::scene
