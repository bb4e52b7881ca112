#include <fmt/format.h>

#include "sinew/lab/emit.h"
#include "sinew/lab/svg.h"

namespace sinew::lab {
namespace {

// FEBio's displacements are large ones: under a thousandth of the gravity and of what supports do
// they are a thousandth of the linear answer, but for parts of their own size.
constexpr double kLinearPart = 1e-3;

std::string make_mesh(const SolidCase& solid) {
  std::string out = "\t<Mesh>\n\t\t<Nodes name=\"all\">\n";
  for (std::size_t n = 0; n < solid.nodes.size(); ++n) {
    const Vec3d& x = solid.nodes[n];
    out +=
        fmt::format("\t\t\t<node id=\"{}\">{:.16g},{:.16g},{:.16g}</node>\n", n + 1, x.x, x.y, x.z);
  }
  out += "\t\t</Nodes>\n\t\t<Elements type=\"hex20\" name=\"solid\">\n";
  for (std::size_t e = 0; e < solid.elements.size(); ++e) {
    std::string nodes;
    for (const std::uint32_t n : solid.elements[e]) {
      nodes += (nodes.empty() ? "" : ",") + std::to_string(n + 1);
    }
    out += fmt::format("\t\t\t<elem id=\"{}\">{}</elem>\n", e + 1, nodes);
  }
  out += "\t\t</Elements>\n";
  for (const Support& support : solid.supports) {
    std::string nodes;
    for (const std::uint32_t n : support.nodes) {
      nodes += (nodes.empty() ? "" : ",") + std::to_string(n + 1);
    }
    out += fmt::format("\t\t<NodeSet name=\"{}\">{}</NodeSet>\n", support.name, nodes);
  }
  return out +
         "\t</Mesh>\n\t<MeshDomains>\n\t\t<SolidDomain name=\"solid\" mat=\"m\"/>\n"
         "\t</MeshDomains>\n";
}

std::string make_boundary(const SolidCase& solid) {
  std::string out = "\t<Boundary>\n";
  constexpr const char* kAxes = "xyz";
  for (const Support& support : solid.supports) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (!support.held[i]) continue;
      out += fmt::format(
          "\t\t<bc name=\"{0}_{1}\" node_set=\"{0}\" type=\"prescribed displacement\">\n"
          "\t\t\t<dof>{1}</dof>\n\t\t\t<value lc=\"1\">{2:.16g}</value>\n"
          "\t\t\t<relative>0</relative>\n\t\t</bc>\n",
          support.name, kAxes[i], kLinearPart * support.displacement[i]);
    }
  }
  return out + "\t</Boundary>\n";
}

}  // namespace

std::string make_febio_input(const SolidCase& solid) {
  // FEBio subtracts density times the body force from its residual: the force acts against the
  // vector that is written.
  const Vec3d against = Vec3d{0, 0, 0} - kLinearPart * solid.gravity;
  return fmt::format(
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- {}: {} -->\n"
             "<!-- under {:g} of gravity and of what supports do: displacements are that part of "
             "the linear ones -->\n"
             "<febio_spec version=\"4.0\">\n\t<Module type=\"solid\"/>\n\t<Control>\n"
             "\t\t<analysis>STATIC</analysis>\n\t\t<time_steps>1</time_steps>\n"
             "\t\t<step_size>1</step_size>\n\t\t<solver "
             "type=\"solid\"/>\n\t</Control>\n\t<Material>\n"
             "\t\t<material id=\"1\" name=\"m\" type=\"isotropic elastic\">\n"
             "\t\t\t<density>{:.16g}</density>\n\t\t\t<E>{:.16g}</E>\n\t\t\t<v>{:.16g}</v>\n"
             "\t\t</material>\n\t</Material>\n",
             escape_markup(solid.name), escape_markup(solid.note), kLinearPart, solid.density,
             solid.young_modulus, solid.poisson_ratio) +
         make_mesh(solid) + make_boundary(solid) +
         fmt::format(
             "\t<Loads>\n\t\t<body_load type=\"body force\">\n"
             "\t\t\t<force lc=\"1\">{:.16g},{:.16g},{:.16g}</force>\n\t\t</body_load>\n"
             "\t</Loads>\n",
             against.x, against.y, against.z) +
         "\t<LoadData>\n\t\t<load_controller id=\"1\" name=\"ramp\" type=\"loadcurve\">\n"
         "\t\t\t<interpolate>LINEAR</interpolate>\n\t\t\t<points>\n\t\t\t\t<pt>0,0</pt>\n"
         "\t\t\t\t<pt>1,1</pt>\n\t\t\t</points>\n\t\t</load_controller>\n\t</LoadData>\n"
         "\t<Output>\n\t\t<logfile>\n\t\t\t<node_data data=\"ux;uy;uz\"/>\n\t\t</logfile>\n"
         "\t</Output>\n</febio_spec>\n";
}

}  // namespace sinew::lab
