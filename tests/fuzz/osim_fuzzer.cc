// Whatever bytes come, reading an OpenSim model ends in a skeleton or in an InputError; a skeleton
// has its bodies in order, can be checked, and its forces on joints can be computed.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/skeleton/check_skeleton.h"
#include "sinew/skeleton/joint_forces.h"
#include "sinew/skeleton/read_osim.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const sinew::skeleton::Skeleton skeleton = sinew::skeleton::parse_osim(text, "fuzzed.osim");
    for (std::size_t b = 1; b < skeleton.bodies.size(); ++b) {
      if (skeleton.bodies[b].parent >= b) std::abort();
    }
    sinew::skeleton::check_skeleton(skeleton);
    // Forces on joints are computed, whatever their formulas say.
    sinew::skeleton::JointForceWorkspace workspace;
    const std::vector<double> q = sinew::skeleton::rest_pose(skeleton);
    const std::vector<double> u(q.size(), 0.5);
    std::vector<double> forces(q.size(), 0);
    sinew::skeleton::add_joint_forces(skeleton, q, u, sinew::skeleton::WrapRules::kGeodesic,
                                      workspace, forces);
  } catch (const sinew::InputError&) {
    // The expected answer to nearly every input.
  }
  return 0;
}
