#include "sinew/mesh/xml_scanner.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"

namespace sinew::mesh {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kNameEnd = " \t\r\n=/><\"'";

}  // namespace

std::string XmlScanner::place(std::size_t at) const {
  const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(at, text_.size()));
  return fmt::format("line {}", std::count(text_.begin(), end, '\n') + 1);
}

void XmlScanner::fail(std::size_t at, const std::string& message) const {
  throw InputError(path_, place(at), message);
}

void XmlScanner::skip_blanks() {
  at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
}

// Passes a comment, <?...?> or <!...> that begins here.
bool XmlScanner::skip_aside() {
  const std::string_view rest = text_.substr(at_);
  std::string_view end;
  if (rest.starts_with("<!--")) {
    end = "-->";
  } else if (rest.starts_with("<?")) {
    end = "?>";
  } else if (rest.starts_with("<!")) {
    end = ">";
  } else {
    return false;
  }
  const std::size_t found = rest.find(end);
  if (found == std::string_view::npos) fail(at_, "a comment or declaration never ends");
  at_ += found + end.size();
  return true;
}

std::string_view XmlScanner::parse_name() {
  const std::size_t end = std::min(text_.find_first_of(kNameEnd, at_), text_.size());
  if (end == at_) fail(at_, "a name should stand here; the file is not well-formed XML");
  const std::string_view name = text_.substr(at_, end - at_);
  at_ = end;
  return name;
}

void XmlScanner::parse_attribute(XmlTag& tag) {
  const std::size_t start = at_;
  const std::string_view name = parse_name();
  skip_blanks();
  const bool has_value = at_ < text_.size() && text_[at_] == '=';
  if (has_value) {
    ++at_;
    skip_blanks();
  }
  if (!has_value || at_ == text_.size() || (text_[at_] != '"' && text_[at_] != '\'')) {
    fail(start, fmt::format("the attribute \"{}\" has no value in quotes", printable(name)));
  }
  const std::size_t end = text_.find(text_[at_], at_ + 1);
  if (end == std::string_view::npos) fail(start, "the value of an attribute never ends");
  if (!tag.attributes.try_emplace(name, text_.substr(at_ + 1, end - at_ - 1)).second) {
    fail(start, fmt::format("the attribute \"{}\" stands twice", printable(name)));
  }
  at_ = end + 1;
}

XmlTag XmlScanner::parse_tag() {
  XmlTag tag;
  tag.begin = at_++;
  tag.closing = at_ < text_.size() && text_[at_] == '/';
  if (tag.closing) ++at_;
  tag.name = parse_name();
  for (;;) {
    skip_blanks();
    if (at_ == text_.size()) fail(tag.begin, "a tag never ends; the file may be truncated");
    if (text_[at_] == '>') break;
    if (text_.substr(at_).starts_with("/>")) {
      tag.empty = true;
      ++at_;
      break;
    }
    parse_attribute(tag);
  }
  tag.end = ++at_;
  return tag;
}

bool XmlScanner::next(XmlTag& tag) {
  do {
    at_ = text_.find('<', at_);
    if (at_ == std::string_view::npos) {
      at_ = text_.size();
      return false;
    }
  } while (skip_aside());
  tag = parse_tag();
  return true;
}

std::string_view XmlScanner::content() const {
  return text_.substr(at_, std::min(text_.find('<', at_), text_.size()) - at_);
}

}  // namespace sinew::mesh
