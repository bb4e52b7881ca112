#include "sinew/record/folder_lock.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinew/core/error.h"
#include "sinew/core/temporary_file.h"

namespace sinew::record {
namespace {

// As the holder wrote it; empty where it has not come to that yet.
std::string read_holder(int descriptor) {
  std::array<char, 32> text{};
  const ssize_t n = ::pread(descriptor, text.data(), text.size() - 1, 0);
  const long pid = n > 0 ? std::strtol(text.data(), nullptr, 10) : 0;
  return pid > 0 ? fmt::format("process {}", pid) : "another process";
}

// The former holder removes the file: what was opened before that is not what others will lock.
bool is_still_there(int descriptor, const std::string& path) {
  struct stat held {
  }, named{};
  return ::fstat(descriptor, &held) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

// Words for others: on a full disk they are missing, and the lock holds without.
void write_holder(int descriptor) {
  const std::string pid = fmt::format("{}\n", ::getpid());
  if (::ftruncate(descriptor, 0) != 0) return;
  if (::pwrite(descriptor, pid.data(), pid.size(), 0) < 0) return;
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

bool has_no_locks(int error) {
  return error == ENOLCK || error == EOPNOTSUPP || error == ENOSYS;
}

}  // namespace

FolderLock::FolderLock(const std::string& folder)
    : folder_(folder), path_(folder + "/" + kLockFile), made_folder_(!is_folder(folder)) {
  make_folder(folder);
  while (true) {
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
      throw InputError(folder, "", "cannot be written: " + std::generic_category().message(errno));
    }
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && !has_no_locks(errno)) {
      const std::string holder = read_holder(descriptor_);
      ::close(std::exchange(descriptor_, -1));
      throw InputError(folder, "",
                       fmt::format("{} is writing into this folder; wait until it has ended, or "
                                   "name another folder with -o",
                                   holder));
    }
    if (is_still_there(descriptor_, path_)) break;
    ::close(std::exchange(descriptor_, -1));
  }
  write_holder(descriptor_);
}

FolderLock::~FolderLock() {
  ::unlink(path_.c_str());
  ::close(descriptor_);
  // What failed before it wrote anything leaves nothing behind; a folder with files stays.
  if (made_folder_) ::rmdir(folder_.c_str());
}

}  // namespace sinew::record
