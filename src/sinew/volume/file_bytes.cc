#include "sinew/volume/file_bytes.h"

#include "sinew/core/file_bytes.h"

namespace sinew::volume {

std::string read_file_bytes(const std::string& path, std::string_view what) {
  constexpr FileRules kRules = {std::uintmax_t{8} << 30U, "check the path",
                                "the file cannot be read; check its rights"};
  return sinew::read_file_bytes(path, what, kRules);
}

}  // namespace sinew::volume
