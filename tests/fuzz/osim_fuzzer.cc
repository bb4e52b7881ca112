// Whatever bytes come, reading an OpenSim model ends in a skeleton or in an InputError; a skeleton
// has its bodies in order and can be checked.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sinew/core/error.h"
#include "sinew/skeleton/check_skeleton.h"
#include "sinew/skeleton/read_osim.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const sinew::skeleton::Skeleton skeleton = sinew::skeleton::parse_osim(text, "fuzzed.osim");
    for (std::size_t b = 1; b < skeleton.bodies.size(); ++b) {
      if (skeleton.bodies[b].parent >= b) std::abort();
    }
    sinew::skeleton::check_skeleton(skeleton);
  } catch (const sinew::InputError&) {
    // The expected answer to nearly every input.
  }
  return 0;
}
