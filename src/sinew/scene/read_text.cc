#include "sinew/scene/read_text.h"

#include <filesystem>
#include <fstream>

#include "sinew/core/error.h"

namespace sinew::scene {

std::string read_text(const std::string& path, const std::string& what) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    throw InputError(path, "", "there is no such " + what + " file");
  }
  std::ifstream in(path, std::ios::binary);
  std::string text(kMaxFileSize + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad() || (!in && !in.eof())) throw InputError(path, "", "the file cannot be read");
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

}  // namespace sinew::scene
