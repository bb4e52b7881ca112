// The fields of a header that is written as text, "key: value" or "key = value" a line, with line
// numbers for messages. For the parsers of NRRD and MetaImage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::volume {

// Keys are compared without regard to case and blanks: "data file" is "datafile". All functions
// that ask for a field refuse its absence or a bad value with an InputError that names the file,
// the line and the key.
class TextHeader {
 public:
  // `path` is for messages.
  explicit TextHeader(std::string path) : path_(std::move(path)) {}

  // `value` must outlive this object. Refuses a key that came before.
  void add(std::size_t line, std::string_view key, std::string_view value);

  bool has(std::string_view key) const { return find(key) != nullptr; }
  // The first of `keys` that is there; an empty one where none is.
  std::string_view first_of(std::initializer_list<std::string_view> keys) const;

  std::string_view text(std::string_view key) const;
  long long integer(std::string_view key) const;
  std::vector<long long> integers(std::string_view key, std::size_t count) const;
  std::vector<double> numbers(std::string_view key, std::size_t count) const;

  // A number of bytes to pass over; -1, all but the last that fit, where `from_end` allows it.
  std::int64_t byte_skip(std::string_view key, bool from_end) const;

  std::string place(std::string_view key) const;  // such as "line 5 (sizes)"
  [[noreturn]] void fail(std::string_view key, const std::string& message) const;

 private:
  struct Field {
    std::string key;  // as compared
    std::string_view value;
    std::size_t line;
  };
  const Field* find(std::string_view key) const;

  std::string path_;
  std::vector<Field> fields_;
};

// Goes through lines of text; a line's end may be "\n" or "\r\n".
class LineCursor {
 public:
  explicit LineCursor(std::string_view text) : text_(text) {}
  bool next();  // false at the end
  std::string_view line() const { return line_; }
  std::size_t number() const { return number_; }
  std::size_t end() const { return at_; }  // byte after the line's end

 private:
  std::string_view text_, line_;
  std::size_t at_ = 0, number_ = 0;
};

// Without blanks at both ends.
std::string_view trim(std::string_view text);

std::vector<std::string_view> split_words(std::string_view text);

}  // namespace sinew::volume
