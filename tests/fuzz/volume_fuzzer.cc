// Whatever bytes come, reading a volume or a slice ends well or in an InputError. The first byte
// chooses the ending of the file's name, and so its format; slices also come with check sums made
// right and rows packed, which no change of bytes would hit upon.
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>
#include <zlib.h>

#include "sinew/core/error.h"
#include "sinew/volume/png.h"
#include "sinew/volume/read_volume.h"

namespace {

void read_as(const std::string& ending, std::string_view bytes) {
  const std::string path = (access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : "/tmp/") +
                           std::string("sinew-fuzz-volume-") + std::to_string(getpid()) + ending;
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  try {
    sinew::volume::read_label_volume(path);
  } catch (const sinew::InputError&) {
    // What bad input is supposed to end in.
  }
  unlink(path.c_str());
}

void read_slice(std::string_view bytes) {
  try {
    sinew::volume::decode_png("slice.png", bytes);
  } catch (const sinew::InputError&) {
    // As above.
  }
}

void append_number(std::uint32_t value, std::string& bytes) {
  for (const unsigned shift : {24U, 16U, 8U, 0U})
    bytes += static_cast<char>((value >> shift) & 0xffU);
}

std::string make_chunk(const std::string& name, std::string_view data) {
  const std::string body = name + std::string(data);
  std::string chunk;
  append_number(static_cast<std::uint32_t>(data.size()), chunk);
  chunk += body;
  const auto* begin = reinterpret_cast<const Bytef*>(body.data());
  append_number(static_cast<std::uint32_t>(crc32_z(0, begin, body.size())), chunk);
  return chunk;
}

// Width and height below 256, then the other bytes of the header, then rows.
std::string make_png(std::string_view bytes) {
  if (bytes.size() < 7) return {};
  std::string header = {0, 0, 0, bytes[0], 0, 0, 0, bytes[1]};
  header += bytes.substr(2, 5);
  uLongf size = compressBound(bytes.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(bytes.data()) + 7, bytes.size() - 7);
  packed.resize(size);
  return "\x89PNG\r\n\x1a\n" + make_chunk("IHDR", header) + make_chunk("IDAT", packed) +
         make_chunk("IEND", "");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 5) {
    case 0:
      read_as(".nrrd", bytes);
      break;
    case 1:
      read_as(".nii", bytes);
      break;
    case 2:
      read_as(".mha", bytes);
      break;
    case 3:
      read_slice(bytes);
      break;
    default:
      read_slice(make_png(bytes));
  }
  return 0;
}
