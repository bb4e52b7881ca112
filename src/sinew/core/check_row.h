// One figure of a validator, with the limit that it is held to. For `sinew check` and for tests.
#pragma once

#include <string>

namespace sinew {

struct CheckRow {
  std::string name;  // such as "smallest volume ratio"
  std::string unit;
  double value;
  std::string limit;  // such as "> 0"; empty where the row only informs
  bool pass = true;
  bool is_answer = false;  // 1 and 0 are yes and no
};

}  // namespace sinew
