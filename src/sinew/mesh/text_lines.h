// A text file as lines of words, with the line number for messages. For the readers of surfaces.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::mesh {

// Lines that are empty or hold only a comment (from '#' on) are passed over. Every function but
// next() refuses bad content with an InputError that names the file and the current line.
class TextLines {
 public:
  // `text` must outlive this object; `path` is for messages.
  TextLines(std::string path, std::string_view text);

  bool next();                         // goes to the next line with words; false at the end
  void need(const std::string& what);  // the same, but the line must exist

  const std::vector<std::string_view>& words() const { return words_; }
  std::string_view word(std::size_t i) const;
  long long integer(std::string_view word) const;
  double number(std::string_view word) const;
  Vec3d vector(std::size_t first) const;  // the words first, first + 1, first + 2

  std::string place() const;  // such as "line 12"
  [[noreturn]] void fail(const std::string& message) const;

 private:
  std::string path_;
  std::string_view rest_;
  std::size_t line_ = 0;
  std::vector<std::string_view> words_;
};

}  // namespace sinew::mesh
