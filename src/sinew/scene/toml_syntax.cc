#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/scene/toml_value.h"

namespace sinew::scene {
namespace {

constexpr int kMaxBrackets = 32;
constexpr int kMaxKeyParts = 16;

// Walks over the text as far as it is valid TOML, passing over texts and comments. What follows a
// syntax error may be misread, but a parser stops there too.
class SyntaxScan {
 public:
  SyntaxScan(std::string text, const std::string& path) : text_(std::move(text)), path_(path) {}

  std::string run() {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);  // the mark of UTF-8
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_text(c);
      } else if (c == '#') {
        blank_comment();
      } else {
        read_plain(c);
        ++at_;
      }
    }
    return std::move(text_);
  }

 private:
  void check_byte(char c) const {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x7e || (byte < ' ' && c != '\t' && c != '\r' && c != '\n')) {
      fail(
          fmt::format("byte 0x{:02x} stands outside a comment; only plain ASCII is allowed there "
                      "(other letters are written \\u00e4 in quotes)",
                      byte));
    }
  }

  void blank_comment() {
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (static_cast<unsigned char>(text_[at_]) > 0x7e) text_[at_] = '?';
    }
  }

  void read_plain(char c) {
    check_byte(c);
    if (c == '.' && ++dots_ >= kMaxKeyParts) {
      fail(fmt::format("a dotted key has more than {} parts", kMaxKeyParts));
    }
    if ((c == '[' || c == '{') && ++depth_ > kMaxBrackets) {
      fail(fmt::format("brackets nest more than {} deep", kMaxBrackets));
    }
    if ((c == ']' || c == '}') && depth_ > 0) --depth_;
    if (std::string_view("[]{}=,\n").find(c) != std::string_view::npos) dots_ = 0;
    if (c == '\n') ++line_;
  }

  // Leaves at_ behind the closing quote, or at the end of a line that lacks one.
  void skip_text(char quote) {
    if (text_.compare(at_, 3, std::string(3, quote)) == 0) {
      fail("texts in three quotes are not used in scenes; one quote on each side is enough");
    }
    bool escaped = false;  // by a backslash before
    for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      const char c = text_[at_];
      check_byte(c);
      if (c == quote && !escaped) {
        ++at_;
        return;
      }
      escaped = quote == '"' && c == '\\' && !escaped;
    }
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(path_, fmt::format("line {}", line_), message);
  }

  std::string text_;
  const std::string& path_;
  std::size_t at_ = 0;
  unsigned line_ = 1;
  int depth_ = 0;  // of brackets
  int dots_ = 0;   // since the last sign that no key goes across
};

}  // namespace

std::string clean_syntax(const std::string& text, const std::string& path) {
  return SyntaxScan(text, path).run();
}

}  // namespace sinew::scene
