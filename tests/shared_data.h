// Where the real anatomies and recordings are that some tests use; those skip where it is missing.
#pragma once

#include <cstdlib>
#include <filesystem>

#include "test_paths.h"

namespace sinew {

inline std::filesystem::path find_shared_data() {
  const char* named = std::getenv("SINEW_DATA");
  return named != nullptr ? named : std::filesystem::path(SINEW_TEST_DATA) / "../../../shared/data";
}

}  // namespace sinew
