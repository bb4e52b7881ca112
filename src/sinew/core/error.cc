#include "sinew/core/error.h"

#include <fmt/format.h>

namespace sinew {

void fail_check(const char* condition, const char* file, int line, const std::string& message) {
  throw std::logic_error(
      fmt::format("{}:{}: {} does not hold: {}", file, line, condition, message));
}

}  // namespace sinew
