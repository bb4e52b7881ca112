#include "sinew/scene/read_text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/core/kept_inputs.h"
#include "sinew/core/text.h"

namespace sinew::scene {

namespace {

// The first few files of a folder that could have been meant.
std::string suggest_inside(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".toml") names.push_back(it->path().filename().string());
    if (names.size() > 1000) break;
  }
  if (names.empty()) return "";
  std::sort(names.begin(), names.end());
  const std::vector<std::string_view> found(names.begin(), names.end());
  return "; in it are: " + join_some(found);
}

}  // namespace

std::string read_text(const std::string& path, const std::string& what) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw InputError(path, "",
                     "is a folder, where a " + what + " file is wanted" + suggest_inside(path));
  }
  if (!std::filesystem::is_regular_file(path, error)) {
    throw InputError(path, "", "there is no such " + what + " file");
  }
  std::ifstream in(path, std::ios::binary);
  std::string text(kMaxFileSize + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad() || (!in && !in.eof())) throw InputError(path, "", "the file cannot be read");
  text.resize(static_cast<std::size_t>(in.gcount()));
  keep_input(path);
  return text;
}

}  // namespace sinew::scene
