#include "api.h"

namespace sinew::app {

std::size_t parse_index(std::string_view text, std::size_t limit, const char* what) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value >= limit) {
    throw NotFound{"no such " + std::string(what) + "; there are " + std::to_string(limit)};
  }
  return value;
}

std::vector<std::string_view> split_path(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t slash = path.find('/', 1);
    parts.push_back(path.substr(1, slash == path.npos ? slash : slash - 1));
    path = slash == path.npos ? std::string_view{} : path.substr(slash);
  }
  return parts;
}

}  // namespace sinew::app
