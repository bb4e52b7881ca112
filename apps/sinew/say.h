// Everything the command prints for people goes through here, because names in files may hold what
// a terminal would obey: escape sequences that colour, move or rename, line breaks that make one
// message look like two, marks that turn the order of letters. For machines there is --json, whose
// own escapes take care of that.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

namespace sinew::app {

// The text in UTF-8 with '?' for each control character, mark of direction and wrong byte.
std::string make_visible(std::string_view text);

template <class T>
inline constexpr bool kIsText = std::is_convertible_v<const T&, std::string_view>;

// What is printed for a value: texts are made visible, numbers stay what they are.
template <class T>
using Said = std::conditional_t<kIsText<T>, std::string, T>;

template <class T>
Said<T> make_said(const T& value) {
  if constexpr (kIsText<T>) {
    return make_visible(value);
  } else {
    return value;
  }
}

// As fmt::format. The format is our own and may break lines and set colours; the values may not.
template <class... T>
std::string format_said(fmt::format_string<Said<T>...> format, const T&... values) {
  return fmt::vformat(format, fmt::make_format_args(make_said(values)...));
}

// For words beside the result: where nobody takes them the work goes on. Results go through
// print_out (report.h), which does not lose them without a word.
template <class... T>
void say(std::FILE* to, fmt::format_string<Said<T>...> format, const T&... values) {
  const std::string text = format_said<T...>(format, values...);
  std::fwrite(text.data(), 1, text.size(), to);
}

}  // namespace sinew::app
