// Files that other files name: a header may come from a stranger, and must not make us read
// whatever it likes as if it were its data. For readers of headers whose data may be any bytes.
#pragma once

#include <filesystem>
#include <string_view>

namespace sinew {

// The file `name` of `folder`, which lies in it or below it, by no way out: the name is neither
// absolute nor goes up, and no link on the way leads elsewhere (`folder` itself may be one).
// Whether there is such a file is not looked at. Empty where it is not inside.
std::filesystem::path find_inside(const std::filesystem::path& folder, std::string_view name);

}  // namespace sinew
