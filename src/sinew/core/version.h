// The version of the product, as `sinew --version` prints it and recordings carry it.
#pragma once

namespace sinew {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace sinew
