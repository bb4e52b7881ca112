#include "sinew/skeleton/xml_file.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "sinew/core/error.h"
#include "sinew/volume/text_header.h"

namespace sinew::skeleton {
namespace {

constexpr std::size_t kMaxDepth = 64;                      // OpenSim's own files have 16
constexpr std::size_t kMaxBytes = std::size_t{32} << 20U;  // the largest models have 2 MiB
// Of tags and of attributes, each some 200 bytes in memory; the largest models have 60,000.
constexpr std::size_t kMaxMarks = 500000;

// Lines of byte positions.
class LineTable {
 public:
  explicit LineTable(const std::string& text) {
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
      ends_.push_back(static_cast<std::ptrdiff_t>(at));
    }
  }
  std::size_t line(std::ptrdiff_t byte) const {
    const auto after = std::lower_bound(ends_.begin(), ends_.end(), byte);
    return static_cast<std::size_t>(after - ends_.begin()) + 1;
  }

 private:
  std::vector<std::ptrdiff_t> ends_;
};

[[noreturn]] void fail_at(const std::string& path, std::size_t line, const std::string& message) {
  throw InputError(path, fmt::format("line {}", line), message);
}

XmlNode convert(const pugi::xml_node& node, const LineTable& lines, const std::string& path,
                std::size_t depth) {
  XmlNode out;
  out.tag = node.name();
  out.line = lines.line(node.offset_debug());
  if (depth > kMaxDepth) {
    fail_at(
        path, out.line,
        fmt::format("elements are nested more than {} deep; is this an OpenSim model?", kMaxDepth));
  }
  for (const pugi::xml_attribute attribute : node.attributes()) {
    out.attributes.emplace_back(attribute.name(), attribute.value());
  }
  std::string text;
  for (const pugi::xml_node child : node.children()) {
    const pugi::xml_node_type type = child.type();
    if (type == pugi::node_element)
      out.children.push_back(convert(child, lines, path, depth + 1));
    else if (type == pugi::node_pcdata || type == pugi::node_cdata)
      text.append(child.value()).append(" ");
  }
  std::ranges::replace(text, '\n', ' ');
  out.text = volume::trim(text);
  return out;
}

void check_encoding(const std::string& text, const std::string& path) {
  if (text.size() > kMaxBytes) {
    throw InputError(
        path, "",
        fmt::format("the file has {} bytes; at most {} are read", text.size(), kMaxBytes));
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    throw InputError(path, "", "the file is UTF-16 text; save it as UTF-8");
  }
  const std::size_t zero = text.find('\0');
  if (zero != std::string::npos) {
    throw InputError(path, fmt::format("byte {}", zero),
                     "a zero byte stands within the text; is this an XML file?");
  }
}

// Before the parser makes a node of each.
void check_marks(const std::string& text, const std::string& path) {
  for (const auto& [mark, what] : {std::pair{'<', "tags"}, std::pair{'=', "attributes"}}) {
    const auto count = static_cast<std::size_t>(std::ranges::count(text, mark));
    if (count <= kMaxMarks) continue;
    throw InputError(path, "",
                     fmt::format("the file has {} {} (\"{}\"); at most {} are read", count, what,
                                 mark, kMaxMarks));
  }
}

// Without what stands in `without` itself.
void link_by_tag(XmlNode& node, const std::map<std::string_view, const XmlNode*>& by_tag,
                 const XmlNode* without) {
  if (&node == without) return;
  const auto found = by_tag.find(node.tag);
  if (found != by_tag.end()) node.defaults = found->second;
  for (XmlNode& child : node.children) link_by_tag(child, by_tag, without);
}

}  // namespace

XmlFile parse_xml(const std::string& text, const std::string& path) {
  check_encoding(text, path);
  check_marks(text, path);
  const std::size_t begin = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (begin == std::string::npos) throw InputError(path, "", "the file is empty");
  const LineTable lines(text);
  if (text[begin] != '<') {
    fail_at(path, lines.line(static_cast<std::ptrdiff_t>(begin)),
            "the file is no XML: it does not begin with \"<\"; is it the right one?");
  }
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(
      text.data(), text.size(), pugi::parse_default | pugi::parse_doctype, pugi::encoding_utf8);
  if (!result) {
    fail_at(path, lines.line(result.offset),
            fmt::format("the XML is damaged ({}); the file may be truncated or edited by hand",
                        result.description()));
  }
  pugi::xml_node root;
  for (const pugi::xml_node child : document.children()) {
    const std::size_t line = lines.line(child.offset_debug());
    if (child.type() == pugi::node_doctype) {
      fail_at(path, line, "the file has a DOCTYPE, which models never need; remove it");
    }
    if (child.type() != pugi::node_element) continue;
    if (root) fail_at(path, line, "the file has a second root element; remove it");
    root = child;
  }
  return {path, convert(root, lines, path, 1)};
}

void link_defaults(XmlNode& node, const XmlNode& defaults) {
  std::map<std::string_view, const XmlNode*> by_tag;
  for (const XmlNode& one : defaults.children) by_tag.emplace(one.tag, &one);
  link_by_tag(node, by_tag, &defaults);
}

}  // namespace sinew::skeleton
