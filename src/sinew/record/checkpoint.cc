#include "sinew/record/checkpoint.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <system_error>
#include <type_traits>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "sinew/core/error.h"
#include "sinew/core/hash.h"
#include "sinew/core/temporary_file.h"

namespace sinew::record {
namespace {

constexpr std::array<char, 8> kMagic = {'S', 'I', 'N', 'E', 'W', 'C', 'H', 'K'};
constexpr std::uint64_t kFormatVersion = 1;

// The file is this, then the state. Little-endian, as x86-64 has it.
struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint64_t format_version = kFormatVersion;
  std::uint64_t frame = 0;
  std::uint64_t scene_hash = 0;
  std::uint64_t state_bytes = 0;
  std::uint64_t checksum = 0;  // of the four numbers above and the state
};
static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) == 48);

std::uint64_t compute_checksum(const Header& header, std::span<const std::byte> state) {
  const std::array<std::uint64_t, 4> numbers = {header.format_version, header.frame,
                                                header.scene_hash, header.state_bytes};
  Hash hash;
  hash.add(std::as_bytes(std::span(numbers)));
  hash.add(state);
  return hash.value();
}

// An open file for writing, of which the bytes are on the disk before it counts as written.
class OutputFile {
 public:
  OutputFile(const std::string& path, const std::string& shown)
      : shown_(shown),
        descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) fail();
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  void write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail();
      bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
  }
  void sync() {
    if (::fsync(descriptor_) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw InputError(shown_, "", "cannot be written: " + std::generic_category().message(errno));
  }

  std::string shown_;
  int descriptor_;
};

void check_header(const std::string& path, const Header& header, std::uint64_t file_size) {
  if (header.magic != kMagic)
    throw InputError(path, "magic", "is no checkpoint: it does not begin with SINEWCHK");
  if (header.format_version != kFormatVersion)
    throw InputError(path, "format_version",
                     fmt::format("is {}, this program reads {}: start the run anew",
                                 header.format_version, kFormatVersion));
  if (header.state_bytes != file_size - sizeof(Header))
    throw InputError(path, "state_bytes",
                     fmt::format("is {}, but {} bytes follow: the file was cut off or changed; "
                                 "start the run anew",
                                 header.state_bytes, file_size - sizeof(Header)));
}

}  // namespace

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  Header header;
  header.frame = checkpoint.frame;
  header.scene_hash = checkpoint.scene_hash;
  header.state_bytes = checkpoint.state.size();
  header.checksum = compute_checksum(header, checkpoint.state);
  TemporaryFile temporary(path);
  OutputFile file(temporary.path(), path);
  file.write(std::as_bytes(std::span(&header, 1)));
  file.write(checkpoint.state);
  file.sync();
  temporary.put_in_place();
}

Checkpoint read_checkpoint(const std::string& path) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) throw InputError(path, "", "cannot be read: is there a checkpoint?");
  if (size < sizeof(Header))
    throw InputError(path, "header",
                     fmt::format("has {} bytes, a checkpoint has at least {}: it "
                                 "was cut off; start the run anew",
                                 size, sizeof(Header)));
  Header header;
  file.read(reinterpret_cast<char*>(&header), sizeof(header));
  check_header(path, header, size);
  Checkpoint checkpoint{header.frame, header.scene_hash, {}};
  checkpoint.state.resize(header.state_bytes);
  file.read(reinterpret_cast<char*>(checkpoint.state.data()),
            static_cast<std::streamsize>(header.state_bytes));
  if (!file || compute_checksum(header, checkpoint.state) != header.checksum)
    throw InputError(path, "checksum", "does not fit: the file is damaged; start the run anew");
  return checkpoint;
}

}  // namespace sinew::record
