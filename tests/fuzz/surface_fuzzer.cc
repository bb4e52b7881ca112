// Whatever bytes come, reading a surface ends well or in an InputError. The first byte chooses the
// ending of the file's name, and so its format.
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>

#include <unistd.h>

#include "sinew/core/error.h"
#include "sinew/mesh/surface.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const char* const kEndings[] = {".obj", ".off", ".stl", ".vtp", ".range", ".contours"};
  const std::string path = (access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : "/tmp/") +
                           std::string("sinew-fuzz-surface-") + std::to_string(getpid()) +
                           kEndings[data[0] % 6];
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data) + 1, static_cast<std::streamsize>(size) - 1);
  try {
    const sinew::mesh::Surface surface = sinew::mesh::read_surface(path, 1e-3);
    sinew::mesh::check_closed(surface, path);
  } catch (const sinew::InputError&) {
    // What bad input is supposed to end in.
  }
  unlink(path.c_str());
  return 0;
}
