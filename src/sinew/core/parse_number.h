// Numbers in text files, for every reader that parses words.
#pragma once

#include <charconv>
#include <string_view>
#include <system_error>

namespace sinew {

// True where all of `word` is a number that T can hold; a leading '+' is allowed.
template <class T>
bool parse_whole(std::string_view word, T& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const char* end = word.data() + word.size();
  const auto result = std::from_chars(word.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

}  // namespace sinew
