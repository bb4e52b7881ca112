#include "sinew/volume/text_header.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parse_number.h"
#include "sinew/core/text.h"

namespace sinew::volume {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";
constexpr std::size_t kMaxFields =
    1000;  // more is no header, and looking for doubles would be slow

std::string compared(std::string_view key) {
  std::string lower = to_lower(key);
  std::erase(lower, ' ');
  return lower;
}

}  // namespace

void TextHeader::add(std::size_t line, std::string_view key, std::string_view value) {
  if (const Field* before = find(key)) {
    throw InputError(path_, fmt::format("line {}", line),
                     fmt::format("\"{}\" stands twice, first in line {}; leave one", printable(key),
                                 before->line));
  }
  if (fields_.size() == kMaxFields) {
    throw InputError(path_, fmt::format("line {}", line),
                     fmt::format("the header has more than {} fields", kMaxFields));
  }
  fields_.push_back({compared(key), trim(value), line});
}

const TextHeader::Field* TextHeader::find(std::string_view key) const {
  const std::string name = compared(key);
  const auto found =
      std::ranges::find_if(fields_, [&](const Field& field) { return field.key == name; });
  return found == fields_.end() ? nullptr : &*found;
}

std::string_view TextHeader::first_of(std::initializer_list<std::string_view> keys) const {
  const auto* found = std::ranges::find_if(keys, [&](std::string_view key) { return has(key); });
  return found == keys.end() ? std::string_view() : *found;
}

std::string_view TextHeader::text(std::string_view key) const {
  const Field* field = find(key);
  if (field == nullptr) {
    throw InputError(path_, "header", fmt::format("the field \"{}\" is missing", key));
  }
  return field->value;
}

std::vector<long long> TextHeader::integers(std::string_view key, std::size_t count) const {
  const std::vector<std::string_view> words = split_words(text(key));
  if (words.size() != count) {
    fail(key, fmt::format("{} values stand where {} whole numbers should", words.size(), count));
  }
  std::vector<long long> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!parse_whole(words[i], values[i])) {
      fail(key, fmt::format("\"{}\" stands where a whole number should", printable(words[i])));
    }
  }
  return values;
}

long long TextHeader::integer(std::string_view key) const {
  return integers(key, 1)[0];
}

std::vector<double> TextHeader::numbers(std::string_view key, std::size_t count) const {
  const std::vector<std::string_view> words = split_words(text(key));
  if (words.size() != count) {
    fail(key, fmt::format("{} values stand where {} numbers should", words.size(), count));
  }
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!parse_whole(words[i], values[i])) {
      fail(key, fmt::format("\"{}\" stands where a number should", printable(words[i])));
    }
  }
  return values;
}

std::int64_t TextHeader::byte_skip(std::string_view key, bool from_end) const {
  const std::int64_t bytes = integer(key);
  const int least = from_end ? -1 : 0;
  if (bytes < least) {
    fail(key, fmt::format("{} bytes; {} or more are allowed with this encoding", bytes, least));
  }
  return bytes;
}

std::string TextHeader::place(std::string_view key) const {
  const Field* field = find(key);
  return field == nullptr ? "header" : fmt::format("line {} ({})", field->line, key);
}

void TextHeader::fail(std::string_view key, const std::string& message) const {
  throw InputError(path_, place(key), message);
}

bool LineCursor::next() {
  if (at_ >= text_.size()) return false;
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  line_ = text_.substr(at_, end - at_);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  at_ = std::min(end + 1, text_.size());
  ++number_;
  return true;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

}  // namespace sinew::volume
