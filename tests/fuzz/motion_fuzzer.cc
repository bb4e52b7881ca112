// Whatever bytes come, reading a motion ends well or in an InputError. The first byte chooses the
// format: a table in time, markers, or motion capture.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sinew/core/error.h"
#include "sinew/skeleton/kinematics.h"
#include "sinew/skeleton/read_bvh.h"
#include "sinew/skeleton/read_table.h"

namespace {

using namespace sinew::skeleton;

void read_any(int format, const std::string& text) {
  if (format == 0) {
    const TimeTable table = parse_time_table(text, "fuzzed.mot");
    if (table.rows.size() != table.times.size()) std::abort();
  } else if (format == 1) {
    const MarkerTable table = parse_trc(text, "fuzzed.trc");
    if (table.rows.size() != table.times.size()) std::abort();
  } else {
    const BvhFile file = parse_bvh(text, "fuzzed.bvh", 0.01);
    Kinematics kinematics;
    evaluate_kinematics(file.skeleton, file.motion.q.front(), kinematics);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    read_any(data[0] % 3, text);
  } catch (const sinew::InputError&) {
    // The expected answer to nearly every input.
  }
  return 0;
}
