#include "sinew/core/temporary_file.h"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "sinew/core/error.h"
#include "sinew/core/kept_inputs.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// What stands at the place of an output, where it may not be replaced; empty where it may.
std::string describe_obstacle(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  switch (status.type()) {
    case fs::file_type::none:  // cannot be asked for
      return error ? error.message() : "";
    case fs::file_type::not_found:
    case fs::file_type::regular:
      return "";
    case fs::file_type::symlink: {
      const fs::path target = fs::read_symlink(path, error);
      return "is a link" + (error ? "" : " to " + target.string()) +
             ", and outputs do not follow links; name the file itself";
    }
    case fs::file_type::directory:
      return "is a folder; name a file";
    default:
      return "is a device, a pipe or a socket; outputs replace regular files only";
  }
}

}  // namespace

void check_output(const std::string& path) {
  const std::string obstacle = describe_obstacle(path);
  if (!obstacle.empty()) throw InputError(path, "", "cannot be written: it " + obstacle);
  if (is_kept_input(path)) {
    throw InputError(path, "",
                     "is an input of this command, which does not overwrite it; name another "
                     "file with -o");
  }
  const fs::path folder = fs::path(path).parent_path();
  if (::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) {
    throw InputError(path, "",
                     "cannot be written: its folder: " + std::generic_category().message(errno));
  }
}

TemporaryFile::TemporaryFile(const std::string& target) : target_(target), path_(target + ".part") {
  check_output(target_);
  // What a killed run has left. A link would lead elsewhere, and so is in the way.
  const std::string obstacle = describe_obstacle(path_);
  if (!obstacle.empty())
    throw InputError(target_, "", "cannot be written: " + path_ + " " + obstacle);
  std::error_code ignored;
  fs::remove(path_, ignored);
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  std::error_code ignored;
  if (!in_place_) fs::remove(path_, ignored);
}

void TemporaryFile::fail(int reason) const {
  throw InputError(target_, "", "cannot be written: " + std::generic_category().message(reason));
}

void TemporaryFile::open() {
  if (descriptor_ >= 0) return;
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(errno);
}

void TemporaryFile::write(std::span<const std::byte> bytes) {
  open();
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

void TemporaryFile::sync() {
  open();
  if (::fsync(descriptor_) != 0) fail(errno);
}

// Some file systems tell only now that there was no room.
void TemporaryFile::close() {
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
}

void TemporaryFile::put_in_place() {
  close();
  check_output(target_);
  std::error_code error;
  fs::rename(path_, target_, error);
  if (error) fail(error.value());
  in_place_ = true;
}

void write_file(const std::string& path, const std::string& bytes) {
  TemporaryFile file(path);
  file.write(std::as_bytes(std::span(bytes)));
  file.put_in_place();
}

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw InputError(path, "", "the folder cannot be created: " + error.message());
}

}  // namespace sinew
