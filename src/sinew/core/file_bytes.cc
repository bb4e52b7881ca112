#include "sinew/core/file_bytes.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/kept_inputs.h"

namespace sinew {

std::string read_file_bytes(const std::string& path, std::string_view what,
                            const FileRules& rules) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw InputError(path, "", fmt::format("is a folder, where a {} is wanted", what));
  }
  if (!std::filesystem::is_regular_file(path, error)) {
    throw InputError(path, "",
                     fmt::format("there is no such {}; {}", what, rules.advice_if_missing));
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > rules.max_size) {
    throw InputError(
        path, "", fmt::format("the file has {} bytes; at most {} are read", size, rules.max_size));
  }
  std::string bytes(size, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  if (!in) throw InputError(path, "", std::string(rules.if_unreadable));
  keep_input(path);
  return bytes;
}

}  // namespace sinew
