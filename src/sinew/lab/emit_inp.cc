#include <fmt/format.h>

#include "sinew/lab/emit.h"

namespace sinew::lab {
namespace {

// At most sixteen numbers a line.
std::string make_elements(const SolidCase& solid) {
  std::string out = "*ELEMENT, TYPE=C3D20, ELSET=EALL\n";
  for (std::size_t e = 0; e < solid.elements.size(); ++e) {
    out += fmt::format("{}", e + 1);
    for (std::size_t k = 0; k < solid.elements[e].size(); ++k) {
      out += k == 15 ? ",\n" : ",";
      out += fmt::format("{}", solid.elements[e][k] + 1);
    }
    out += "\n";
  }
  return out;
}

std::string make_supports(const SolidCase& solid) {
  std::string out = "*BOUNDARY\n";
  for (const Support& support : solid.supports) {
    for (const std::uint32_t n : support.nodes) {
      for (std::size_t i = 0; i < 3; ++i) {
        if (!support.held[i]) continue;
        out += fmt::format("{},{},{},{:.16g}\n", n + 1, i + 1, i + 1, support.displacement[i]);
      }
    }
  }
  return out;
}

}  // namespace

std::string make_calculix_input(const SolidCase& solid) {
  std::string out = fmt::format("** {}\n** {}\n*NODE, NSET=NALL\n", solid.name, solid.note);
  for (std::size_t n = 0; n < solid.nodes.size(); ++n) {
    const Vec3d& x = solid.nodes[n];
    out += fmt::format("{},{:.16g},{:.16g},{:.16g}\n", n + 1, x.x, x.y, x.z);
  }
  out += make_elements(solid);
  out += fmt::format(
      "*MATERIAL, NAME=M\n*ELASTIC\n{:.16g},{:.16g}\n*DENSITY\n{:.16g}\n"
      "*SOLID SECTION, ELSET=EALL, MATERIAL=M\n",
      solid.young_modulus, solid.poisson_ratio, solid.density);
  out += make_supports(solid);
  if (solid.analysis == Analysis::kModes) {
    return out + fmt::format("*STEP\n*FREQUENCY\n{}\n*END STEP\n", solid.num_modes);
  }
  const double g = norm(solid.gravity);
  out += "*STEP\n*STATIC\n";
  if (g > 0) {
    const Vec3d d = solid.gravity / g;
    out += fmt::format("*DLOAD\nEALL,GRAV,{:.16g},{:.16g},{:.16g},{:.16g}\n", g, d.x, d.y, d.z);
  }
  return out + "*NODE PRINT, NSET=NALL\nU\n*END STEP\n";
}

}  // namespace sinew::lab
