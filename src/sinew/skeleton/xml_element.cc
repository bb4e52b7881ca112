#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parse_number.h"
#include "sinew/core/text.h"
#include "sinew/skeleton/xml_file.h"
#include "sinew/volume/text_header.h"

namespace sinew::skeleton {
namespace {

constexpr double kLargest = 1e12;  // of any number: squares and products stay finite
constexpr double kNoLimit = 1e9;   // of a coordinate's range

}  // namespace

std::string XmlElement::attribute(std::string_view key) const {
  for (const auto& [name, value] : node_->attributes) {
    if (name == key) return value;
  }
  return {};
}

std::string XmlElement::label() const {
  const std::string own = name();
  return own.empty() ? fmt::format("<{}>", printable(tag()))
                     : fmt::format("{} \"{}\"", printable(tag()), printable(own));
}

std::optional<XmlElement> XmlElement::find(std::string_view child_tag) const {
  for (const XmlNode& child : node_->children) {
    if (child.tag == child_tag) return XmlElement(*path_, child);
  }
  if (node_->defaults == nullptr) return std::nullopt;
  for (const XmlNode& child : node_->defaults->children) {
    if (child.tag == child_tag && child.children.empty()) return XmlElement(*path_, child);
  }
  return std::nullopt;
}

std::vector<XmlElement> XmlElement::children() const {
  std::vector<XmlElement> out;
  out.reserve(node_->children.size());
  for (const XmlNode& child : node_->children) out.emplace_back(*path_, child);
  return out;
}

std::vector<XmlElement> XmlElement::objects(std::string_view set_tag) const {
  const auto set = find(set_tag);
  const auto list = set ? set->find("objects") : std::nullopt;
  return list ? list->children() : std::vector<XmlElement>();
}

bool XmlElement::has(std::string_view property) const {
  const auto child = find(property);
  return child && !child->text().empty();
}

std::string XmlElement::word(std::string_view property) const {
  const auto child = find(property);
  return child ? child->text() : std::string();
}

double XmlElement::number(std::string_view property) const {
  return numbers(property, 1)[0];
}

double XmlElement::number(std::string_view property, double otherwise) const {
  return has(property) ? number(property) : otherwise;
}

bool XmlElement::flag(std::string_view property, bool otherwise) const {
  if (!has(property)) return otherwise;
  const XmlElement child = *find(property);
  const std::string value = to_lower(child.text());
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  child.fail(fmt::format("{} is \"{}\"; allowed: true, false", property, printable(child.text())));
}

Vec3d XmlElement::vector(std::string_view property, const Vec3d& otherwise) const {
  if (!has(property)) return otherwise;
  const std::vector<double> v = numbers(property, 3);
  return {v[0], v[1], v[2]};
}

std::vector<double> XmlElement::numbers(std::string_view property, std::size_t count) const {
  std::vector<double> values = numbers(property);
  if (values.size() != count) {
    find(property)->fail(
        fmt::format("<{}> has {} numbers instead of {}", property, values.size(), count));
  }
  return values;
}

std::vector<double> XmlElement::numbers(std::string_view property) const {
  const auto child = find(property);
  if (!child) fail(fmt::format("{} has no <{}>", label(), property));
  return child->parse_numbers(false);
}

std::vector<double> XmlElement::range(std::string_view property) const {
  const auto child = find(property);
  if (!child) fail(fmt::format("{} has no <{}>", label(), property));
  std::vector<double> values = child->parse_numbers(true);
  if (values.size() != 2 || values[0] > values[1]) {
    child->fail(fmt::format("<{}> is \"{}\"; two numbers are needed, the smaller first", property,
                            printable(child->text())));
  }
  for (double& value : values) value = std::clamp(value, -kNoLimit, kNoLimit);
  return values;
}

std::vector<double> XmlElement::parse_numbers(bool allow_infinite) const {
  const std::vector<std::string_view> words = volume::split_words(text());
  std::vector<double> values;
  values.reserve(words.size());
  for (const std::string_view word : words) {
    double value = 0;
    if (!parse_whole(word, value)) {
      fail(fmt::format("<{}> holds \"{}\" where a number should stand", printable(tag()),
                       printable(word)));
    }
    const bool is_infinite = allow_infinite && std::isinf(value);
    if (!is_infinite && !(std::abs(value) <= kLargest)) {
      fail(fmt::format("<{}> holds {}; finite numbers up to 1e12 are allowed", printable(tag()),
                       printable(word)));
    }
    values.push_back(value);
  }
  return values;
}

void XmlElement::fail(const std::string& message) const {
  throw InputError(*path_, fmt::format("line {}", node_->line), message);
}

}  // namespace sinew::skeleton
