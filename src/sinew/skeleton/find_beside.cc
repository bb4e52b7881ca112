#include "sinew/skeleton/find_beside.h"

#include <filesystem>
#include <system_error>
#include <vector>

namespace sinew::skeleton {

std::string last_part(const std::string& path) {
  const std::size_t at = path.find_last_of("/\\");
  return at == std::string::npos ? path : path.substr(at + 1);
}

std::string find_beside(const std::string& owner, const std::string& named) {
  const std::filesystem::path folder = std::filesystem::path(owner).parent_path(), path = named;
  std::vector<std::filesystem::path> places;
  if (path.is_relative()) places.push_back(folder / path);
  places.push_back(folder / last_part(named));
  places.push_back(path);
  for (const std::filesystem::path& place : places) {
    std::error_code none;
    if (std::filesystem::is_regular_file(place, none)) return place.string();
  }
  return "";
}

}  // namespace sinew::skeleton
