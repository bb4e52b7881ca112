#include "sinew/mesh/text_lines.h"

#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parse_number.h"
#include "sinew/core/text.h"

namespace sinew::mesh {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

}  // namespace

TextLines::TextLines(std::string path, std::string_view text)
    : path_(std::move(path)), rest_(text) {}

bool TextLines::next() {
  words_.clear();
  while (words_.empty() && !rest_.empty()) {
    ++line_;
    const std::size_t end = rest_.find('\n');
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    line = line.substr(0, line.find('#'));
    for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
      const std::size_t stop = line.find_first_of(kBlanks, at);
      words_.push_back(line.substr(at, stop == std::string_view::npos ? stop : stop - at));
      at = line.find_first_not_of(kBlanks, stop);
    }
  }
  return !words_.empty();
}

void TextLines::need(const std::string& what) {
  if (!next()) fail("the file ends where " + what + " should stand; it may be truncated");
}

std::string_view TextLines::word(std::size_t i) const {
  if (i >= words_.size()) {
    fail(fmt::format("the line has {} words; at least {} are needed", words_.size(), i + 1));
  }
  return words_[i];
}

long long TextLines::integer(std::string_view word) const {
  long long value = 0;
  if (!parse_whole(word, value)) {
    fail(fmt::format("\"{}\" stands where a whole number should", printable(word)));
  }
  return value;
}

double TextLines::number(std::string_view word) const {
  double value = 0;
  if (!parse_whole(word, value) || !std::isfinite(value)) {
    fail(fmt::format("\"{}\" stands where a finite number should", printable(word)));
  }
  return value;
}

Vec3d TextLines::vector(std::size_t first) const {
  return {number(word(first)), number(word(first + 1)), number(word(first + 2))};
}

std::string TextLines::place() const {
  return fmt::format("line {}", line_);
}

void TextLines::fail(const std::string& message) const {
  throw InputError(path_, place(), message);
}

}  // namespace sinew::mesh
