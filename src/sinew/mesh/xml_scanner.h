// The tags of an XML file one after the other, as far as VTK's files need it: attributes, text
// between tags, comments and declarations passed over. For vtk_xml.h.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace sinew::mesh {

struct XmlTag {
  std::string_view name;
  std::map<std::string_view, std::string_view> attributes;  // values as written
  bool closing = false;                                     // </name>
  bool empty = false;                                       // <name/>
  std::size_t begin = 0, end = 0;                           // bytes of the file, '<' to after '>'
};

class XmlScanner {
 public:
  // `text` must outlive this object and the tags; `path` is for messages.
  XmlScanner(std::string path, std::string_view text) : path_(std::move(path)), text_(text) {}

  bool next(XmlTag& tag);  // false at the end of the text
  // The text from the last tag to the next one.
  std::string_view content() const;

  std::string place(std::size_t at) const;  // such as "line 12"
  [[noreturn]] void fail(std::size_t at, const std::string& message) const;

 private:
  bool skip_aside();
  XmlTag parse_tag();
  void parse_attribute(XmlTag& tag);
  std::string_view parse_name();
  void skip_blanks();

  std::string path_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace sinew::mesh
