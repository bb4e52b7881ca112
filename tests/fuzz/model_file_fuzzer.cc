// Whatever bytes come, reading a model ends well or in an InputError. The first byte chooses: raw
// bytes as a file, a right model with bytes changed or cut off, or a well-formed file of which the
// rest of the input changes numbers and lengths.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <string>

#include <unistd.h>

#include "sinew/core/error.h"
#include "sinew/core/temporary_file.h"
#include "sinew/record/model_file.h"

#include "../record/hdf5_leaks.h"
#include "../record/sample_model.h"

extern "C" const char* known_hdf5_leaks() {
  return sinew::record::kKnownLeaks;
}

namespace {

using Bytes = std::span<const std::uint8_t>;

const std::string& scratch_path() {
  static const std::string path = (access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : "/tmp/") +
                                  std::string("sinew-fuzz-model-") + std::to_string(getpid());
  static const int registered = std::atexit([] { unlink(path.c_str()); });
  static_cast<void>(registered);
  return path;
}

void read_bytes(const std::string& bytes) {
  sinew::write_file(scratch_path(), bytes);
  try {
    sinew::record::read_model(scratch_path());
  } catch (const sinew::InputError&) {
    // What bad input is supposed to end in.
  }
}

std::string make_bytes(const sinew::anatomy::Model& model) {
  sinew::record::write_model(scratch_path(), model);
  std::ifstream file(scratch_path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The first two bytes cut it off; then each three are a place and what is changed there.
void read_changed(Bytes choices) {
  static const std::string right = make_bytes(sinew::record::sample::make_model());
  std::string bytes = right;
  if (choices.size() < 2) return;
  const std::size_t end = choices[0] + std::size_t{256} * choices[1];
  if (end > 0) bytes.resize(std::min(bytes.size(), end));
  for (choices = choices.subspan(2); choices.size() >= 3; choices = choices.subspan(3)) {
    const std::size_t at = choices[0] + std::size_t{256} * choices[1];
    if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ choices[2]);
  }
  read_bytes(bytes);
}

// Puts a value into an array, or makes the array longer or shorter.
template <class Item>
void change(std::vector<Item>& items, Bytes choice) {
  if (items.empty() || choice[1] % 8 == 0) {
    items.resize(items.size() + choice[2] % 4);
  } else if (choice[1] % 8 == 1) {
    items.pop_back();
  } else {
    auto* bytes = reinterpret_cast<unsigned char*>(items.data());
    bytes[(choice[1] + std::size_t{256} * choice[2]) % (items.size() * sizeof(Item))] = choice[3];
  }
}

void change(sinew::anatomy::Muscle& muscle, Bytes choice) {
  switch (choice[0] % 18) {
    case 0:
      return change(muscle.mesh.rest_positions, choice);
    case 1:
      return change(muscle.mesh.tets, choice);
    case 2:
      return change(muscle.mesh.fill, choice);
    case 3:
      return change(muscle.mesh.orientation, choice);
    case 4:
      return change(muscle.tissue, choice);
    case 5:
      return change(muscle.region, choice);
    case 6:
      return change(muscle.fibers, choice);
    case 7:
      return change(muscle.origin.nodes, choice);
    case 8:
      return change(muscle.surface.positions, choice);
    case 9:
      return change(muscle.surface.triangles, choice);
    case 10:
      return change(muscle.embedding, choice);
    case 11:
      return change(muscle.end, choice);
    case 12:
      return change(muscle.vertex_tissue, choice);
    case 13:
      return change(muscle.bricks->settings.levels, choice);
    case 14:
      return change(muscle.bricks->nodes, choice);
    case 15:
      return change(muscle.bricks->elements, choice);
    case 16:
      muscle.bricks->settings.counts[choice[1] % 3] = static_cast<std::int8_t>(choice[2]);
      return;
    default:
      muscle.lattice.spacing = choice[1] - 3.0;
      muscle.mesh.num_corners = choice[2];
      muscle.lattice.cells[0] = static_cast<std::int8_t>(choice[3]);
  }
}

void read_lying(Bytes choices) {
  sinew::anatomy::Model model = sinew::record::sample::make_model();
  for (; choices.size() >= 4; choices = choices.subspan(4)) {
    change(model.muscles[0], choices.first(4));
  }
  read_bytes(make_bytes(model));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Bytes rest(data + 1, size - 1);
  switch (data[0] % 3) {
    case 0:
      read_bytes({rest.begin(), rest.end()});
      break;
    case 1:
      read_changed(rest);
      break;
    default:
      read_lying(rest);
  }
  return 0;
}
