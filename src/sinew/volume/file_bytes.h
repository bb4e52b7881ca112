// A whole file in memory, for the readers of volumes.
#pragma once

#include <string>
#include <string_view>

namespace sinew::volume {

// Throws InputError where there is no such file ("no such `what`"), it is larger than the readers
// take, or cannot be read.
std::string read_file_bytes(const std::string& path, std::string_view what);

}  // namespace sinew::volume
