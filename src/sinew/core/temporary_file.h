// Outputs, all of them: a file under a passing name beside its target, which it replaces as a whole
// or not at all, so that a kill at any moment, or a full disk, leaves the old one or the new one.
// What is replaced is a regular file and no input: no link is followed, no device or folder
// touched.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace sinew {

// Throws InputError where `path` cannot become an output: it is a link, a device, a folder or a
// file that this command has read, or its folder cannot be written. For verbs that compute long
// before they write; every writer asks again.
void check_output(const std::string& path);

class TemporaryFile {
 public:
  // Throws InputError as check_output() does.
  explicit TemporaryFile(const std::string& target);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();  // removes what was not put in place

  // For those who write by other means, such as HDF5.
  const std::string& path() const { return path_; }
  // Appends. Throws InputError with the target's name and the reason.
  void write(std::span<const std::byte> bytes);
  // Waits until what was written is on the disk.
  void sync();
  // Throws InputError where the target cannot be replaced.
  void put_in_place();

 private:
  void open();
  void close();
  [[noreturn]] void fail(int reason) const;

  std::string target_;
  std::string path_;
  int descriptor_ = -1;
  bool in_place_ = false;
};

// Writes all of `bytes` as the new content of a file, which is replaced at once or not at all.
// Throws InputError where that fails.
void write_file(const std::string& path, const std::string& bytes);

// Creates the folder and those above it. Throws InputError where that fails.
void make_folder(const std::string& path);

}  // namespace sinew
