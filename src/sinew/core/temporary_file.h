// A file under a passing name beside its target, which it replaces as a whole or not at all: for
// what must survive a kill at any moment.
#pragma once

#include <string>

namespace sinew {

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();  // removes what was not put in place

  const std::string& path() const { return path_; }
  // Throws InputError where the target cannot be replaced.
  void put_in_place();

 private:
  std::string target_;
  std::string path_;
  bool in_place_ = false;
};

// Writes all of `bytes` to a new file. Throws InputError where that fails.
void write_file(const std::string& path, const std::string& bytes);

// Creates the folder and those above it. Throws InputError where that fails.
void make_folder(const std::string& path);

}  // namespace sinew
