#include "sinew/core/temporary_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "sinew/core/error.h"

namespace sinew {

TemporaryFile::TemporaryFile(const std::string& target)
    : target_(target), path_(target + ".part") {}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  if (!in_place_) std::filesystem::remove(path_, ignored);
}

void TemporaryFile::put_in_place() {
  std::error_code error;
  std::filesystem::rename(path_, target_, error);
  if (error) throw InputError(target_, "", "cannot be written: " + error.message());
  in_place_ = true;
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file)
    throw InputError(path, "", "cannot be written: check the folder's rights and the disk's space");
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw InputError(path, "", "the folder cannot be created: " + error.message());
}

}  // namespace sinew
