// Scene and model files as text.
#pragma once

#include <cstddef>
#include <string>

namespace sinew::scene {

inline constexpr std::size_t kMaxFileSize = 1u << 20;  // bytes

// At most a byte more than kMaxFileSize, which parse_toml refuses. `what` is the kind of file, for
// messages. Throws InputError where there is no such file or it cannot be read.
std::string read_text(const std::string& path, const std::string& what);

}  // namespace sinew::scene
