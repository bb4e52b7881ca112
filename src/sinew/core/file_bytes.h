// A whole file in memory, for every reader that parses bytes: tests and fuzzers can hand it any,
// and what a header claims can be held against what is there before anything is allocated.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sinew {

// What a family of readers takes, and its words for what it does not.
struct FileRules {
  std::uintmax_t max_size;             // bytes
  std::string_view advice_if_missing;  // after "there is no such `what`; "
  std::string_view if_unreadable;      // the whole message
};

// Throws InputError where there is no such file ("no such `what`"), it is larger than the rules
// allow, or cannot be read.
std::string read_file_bytes(const std::string& path, std::string_view what, const FileRules& rules);

}  // namespace sinew
