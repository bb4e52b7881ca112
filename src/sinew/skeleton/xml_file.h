// An XML file as a tree of plain elements with their lines, and a view that asks an element for its
// properties and refuses what is wrong by name. For the readers of .osim files.
//
// Bytes are taken as they are (files declared as UTF-8 hold cp1252 letters), entities of a DOCTYPE
// are never expanded: a file that has one is refused.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::skeleton {

struct XmlNode {
  std::string tag;
  std::string text;  // directly within, blanks for line ends, none at both ends
  std::vector<std::pair<std::string, std::string>> attributes;
  std::size_t line = 0;
  std::vector<XmlNode> children;
  const XmlNode* defaults = nullptr;  // where properties stand that this one leaves out
};

struct XmlFile {
  std::string path;  // for messages
  XmlNode root;
};

// Throws InputError with the line where the text is not XML, has a DOCTYPE, is nested more than 64
// deep, longer than 32 MiB or of more than 500,000 tags or attributes.
XmlFile parse_xml(const std::string& text, const std::string& path);

// Lets every element below `node` fall back on the child of `defaults` with its own tag, for
// properties without children of their own. Both must stay where they are.
void link_defaults(XmlNode& node, const XmlNode& defaults);

// A view: the file must outlive it. All functions that read a property throw InputError with file
// and line where its text is not what they return.
class XmlElement {
 public:
  XmlElement(const std::string& path, const XmlNode& node) : path_(&path), node_(&node) {}

  const std::string& tag() const { return node_->tag; }
  const std::string& text() const { return node_->text; }
  std::size_t line() const { return node_->line; }
  const void* id() const { return node_; }            // equal for views of the same element
  std::string attribute(std::string_view key) const;  // empty where there is none
  std::string name() const { return attribute("name"); }
  std::string label() const;  // such as `Body "ulna"`, for messages

  std::optional<XmlElement> find(std::string_view child_tag) const;  // the first one
  std::vector<XmlElement> children() const;
  // The members of a set, children of `set_tag`/objects; none where there is no such set.
  std::vector<XmlElement> objects(std::string_view set_tag) const;

  // Properties: children with text. The first form refuses absence, the second gives `otherwise`;
  // an empty element counts as absent.
  bool has(std::string_view property) const;
  std::string word(std::string_view property) const;  // empty where absent
  double number(std::string_view property) const;
  double number(std::string_view property, double otherwise) const;
  bool flag(std::string_view property, bool otherwise) const;
  Vec3d vector(std::string_view property, const Vec3d& otherwise) const;
  std::vector<double> numbers(std::string_view property, std::size_t count) const;
  std::vector<double> numbers(std::string_view property) const;  // however many
  // Two numbers, of which -Inf and Inf become -1e9 and 1e9: no limit.
  std::vector<double> range(std::string_view property) const;

  [[noreturn]] void fail(const std::string& message) const;

 private:
  std::vector<double> parse_numbers(bool allow_infinite) const;

  const std::string* path_;
  const XmlNode* node_;
};

}  // namespace sinew::skeleton
