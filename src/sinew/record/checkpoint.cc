#include "sinew/record/checkpoint.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <system_error>
#include <type_traits>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/hash.h"
#include "sinew/core/temporary_file.h"

namespace sinew::record {
namespace {

constexpr std::array<char, 8> kMagic = {'S', 'I', 'N', 'E', 'W', 'C', 'H', 'K'};
constexpr std::uint64_t kFormatVersion = 2;  // 1: the hash was of the whole text

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
  TemporaryFile file(path);
  file.write(std::as_bytes(std::span(&header, 1)));
  file.write(checkpoint.state);
  file.sync();
  file.put_in_place();
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
