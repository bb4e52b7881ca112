// Whatever bytes come, reading a recording or a checkpoint ends well or in an InputError.
// The first byte chooses: raw bytes as a file, a right recording with bytes changed or cut off, a
// well-formed HDF5 file that lies (the rest of the input chooses how), or a checkpoint.
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
#include "sinew/record/check_recording.h"
#include "sinew/record/checkpoint.h"
#include "sinew/record/recording.h"

#include "../record/forged_recording.h"
#include "../record/hdf5_leaks.h"
#include "../record/sample_recording.h"

extern "C" const char* known_hdf5_leaks() {
  return sinew::record::kKnownLeaks;
}

namespace {

using sinew::record::forged::Plan;
using sinew::record::hdf5::Type;
namespace forged = sinew::record::forged;

// Takes choices from the input; zeros once it is used up.
class Choices {
 public:
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  bool empty() const { return bytes_.empty(); }
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t value = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return value;
  }
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : word() % limit; }
  std::uint64_t word() {
    const std::size_t length = byte() % 9U;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < length; ++i) value = (value << 8U) | byte();
    return value;
  }
  std::string text() {
    std::string value(byte() % 20U, ' ');
    for (auto& c : value) c = static_cast<char>(byte());
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

const std::string& scratch_path() {
  static const std::string path = (access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : "/tmp/") +
                                  std::string("sinew-fuzz-") + std::to_string(getpid());
  static const int registered = std::atexit([] { unlink(path.c_str()); });
  static_cast<void>(registered);
  return path;
}

void read_all() {
  try {
    const sinew::record::RecordingReader reader(scratch_path());
    sinew::record::check_recording(reader);
  } catch (const sinew::InputError&) {
    // What bad input is supposed to end in.
  }
}

const std::string& right_recording() {
  static const std::string bytes = [] {
    sinew::record::sample::write_recording(scratch_path(), sinew::record::sample::make_info(5), 3);
    std::ifstream file(scratch_path(), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  return bytes;
}

void read_changed(Choices choices) {
  std::string bytes = right_recording();
  if (choices.byte() % 4 == 0) bytes.resize(choices.below(bytes.size()));
  while (!choices.empty() && !bytes.empty())
    bytes[choices.below(bytes.size())] ^= static_cast<char>(choices.byte());
  sinew::write_file(scratch_path(), bytes);
  read_all();
}

void change_dataset(forged::PlannedDataset& dataset, Choices& choices) {
  auto& layout = dataset.layout;
  const std::size_t axis = choices.below(layout.dims.size() + 1);
  switch (choices.byte() % 8) {
    case 0:
      layout.type = static_cast<Type>(choices.below(5));
      break;
    case 1:
      layout.dims.insert(layout.dims.begin() + static_cast<std::ptrdiff_t>(axis), 1);
      break;
    case 2:
      layout.growing = !layout.growing;
      break;
    case 3:
      layout.checked = !layout.checked;
      break;
    case 4:
      layout.chunk.clear();
      break;
    case 5:
      dataset.written = false;
      break;
    case 6:
      if (axis < layout.dims.size()) layout.dims[axis] = choices.word();
      if (axis < layout.chunk.size() && choices.byte() % 2 == 0)
        layout.chunk[axis] = choices.word();
      break;
    default:
      if (!dataset.values.empty())
        dataset.values[choices.below(dataset.values.size())] = std::byte{choices.byte()};
  }
}

void change_attribute(forged::PlannedAttribute& attribute, Choices& choices) {
  switch (choices.byte() % 5) {
    case 0:
      attribute.value = static_cast<double>(choices.word());
      break;
    case 1:
      attribute.value = choices.word();
      break;
    case 2:
      attribute.value = choices.text();
      break;
    case 3:
      attribute.value = std::vector<std::string>{choices.text(), choices.text()};
      break;
    default:
      attribute.name = choices.text();
  }
}

void read_lying(Choices choices) {
  Plan plan = forged::make_plan();
  while (!choices.empty()) {
    if (choices.byte() % 3 != 0)
      change_dataset(plan.datasets[choices.below(plan.datasets.size())], choices);
    else
      change_attribute(plan.attributes[choices.below(plan.attributes.size())], choices);
  }
  try {
    forged::write_plan(scratch_path(), plan);
  } catch (const sinew::InputError&) {
    // HDF5 refuses to write this lie; what it has written is still worth reading.
  }
  read_all();
}

void read_changed_checkpoint(std::span<const std::uint8_t> bytes) {
  sinew::write_file(scratch_path(), std::string(bytes.begin(), bytes.end()));
  try {
    sinew::record::read_checkpoint(scratch_path());
  } catch (const sinew::InputError&) {
    // What bad input is supposed to end in.
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::span<const std::uint8_t> rest(data + 1, size - 1);
  switch (data[0] % 4) {
    case 0:
      sinew::write_file(scratch_path(), std::string(rest.begin(), rest.end()));
      read_all();
      break;
    case 1:
      read_changed(Choices(rest));
      break;
    case 2:
      read_lying(Choices(rest));
      break;
    default:
      read_changed_checkpoint(rest);
  }
  return 0;
}
