// Files that a command reads are not what it writes: while a KeptInputs lives, readers note what
// they read, and no output takes the place of one of them (check_output in temporary_file.h).
#pragma once

#include <string>

namespace sinew {

class KeptInputs {
 public:
  KeptInputs();  // one at a time
  ~KeptInputs();
  KeptInputs(const KeptInputs&) = delete;
  KeptInputs& operator=(const KeptInputs&) = delete;
};

// For readers, from any thread: the file at `path` was read. Nothing happens where none is kept.
void keep_input(const std::string& path);
// For what is read to be renewed, such as a recording that is resumed.
void give_up_input(const std::string& path);
// Whether `path` names, by whatever name, a file that was read.
bool is_kept_input(const std::string& path);

}  // namespace sinew
