// A checkpoint: the engine's whole state at a frame, in one file that is replaced as a whole, so
// that a kill at any moment leaves the old one or the new one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sinew::record {

struct Checkpoint {
  std::uint64_t frame = 0;       // index of the recorded frame that this is the state of
  std::uint64_t scene_hash = 0;  // of the scene: resuming another one is refused
  std::vector<std::byte> state;
};

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);
// Throws InputError where the file is missing, truncated, or fails its checksum.
Checkpoint read_checkpoint(const std::string& path);

}  // namespace sinew::record
