#include "sinew/record/recording_layout.h"

#include <algorithm>

namespace sinew::record::layout {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

// Bytes above 127 belong to UTF-8 and are printable for us.
bool is_printable(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte != 0x7f && c != '/';
}

bool has_fair_length(std::string_view name) {
  return !name.empty() && name.size() <= kMaxNameBytes;
}

}  // namespace

bool is_body_name(std::string_view name) {
  return has_fair_length(name) && std::all_of(name.begin(), name.end(), is_word);
}

bool is_measure_name(std::string_view name) {
  return has_fair_length(name) && std::all_of(name.begin(), name.end(), is_printable) &&
         name != "." && name != "..";
}

}  // namespace sinew::record::layout
