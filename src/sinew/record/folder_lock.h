// One writer a folder: whoever fills one holds a lock in it, and a second one is refused with the
// process that holds it. The kernel gives the lock back when its process ends, however it ends.
#pragma once

#include <string>

namespace sinew::record {

inline constexpr const char* kLockFile = ".sinew-lock";

class FolderLock {
 public:
  // Creates the folder where it is missing. Throws InputError where another process, or another
  // lock of this one, holds it, and where the folder cannot be written. A file system without
  // locks is written without.
  explicit FolderLock(const std::string& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();  // removes the lock's file

 private:
  std::string folder_;
  std::string path_;
  bool made_folder_;
  int descriptor_ = -1;
};

}  // namespace sinew::record
