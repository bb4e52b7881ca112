// How much memory this process may still take: the least of what the machine has, of what its
// control group allows and of its own limits.
#pragma once

#include <string>

namespace sinew {

struct AvailableMemory {
  double bytes;
  std::string bound;  // what sets it, in words for a message
};

// `root` is where /proc and /sys are looked for. What cannot be read sets no bound: infinity with
// no words where nothing does.
AvailableMemory find_available_memory(const std::string& root = "");

}  // namespace sinew
