// The files for FEBio 4 against what febio_spec 4.0 asks of a static solid: sections, in an order
// that FEBio reads, elements with all their nodes, and nothing that refers to what is not there.
#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/lab/catalog.h"
#include "sinew/lab/emit.h"
#include "sinew/skeleton/xml_file.h"

namespace sinew::lab {
namespace {

using skeleton::XmlElement;

XmlElement child(const XmlElement& element, const char* tag) {
  const auto found = element.find(tag);
  if (!found) throw std::invalid_argument(element.tag() + " has no " + tag);
  return *found;
}

// FEBio reads lists that have commas between their numbers.
std::vector<double> read_list(const std::string& text) {
  std::vector<double> out;
  std::istringstream in(text);
  for (std::string item; std::getline(in, item, ',');) {
    std::size_t used = 0;
    out.push_back(std::stod(item, &used));
    EXPECT_EQ(used, item.size()) << text;
  }
  return out;
}

std::vector<std::string> child_tags(const XmlElement& element) {
  std::vector<std::string> tags;
  for (const XmlElement& c : element.children()) tags.push_back(c.tag());
  return tags;
}

// The corners between which the nodes 9 to 20 of a hex20 stand: the lower face's edges, the upper
// face's, the upright ones.
constexpr std::array<std::array<int, 2>, 12> kEdges = {{{0, 1},
                                                        {1, 2},
                                                        {2, 3},
                                                        {3, 0},
                                                        {4, 5},
                                                        {5, 6},
                                                        {6, 7},
                                                        {7, 4},
                                                        {0, 4},
                                                        {1, 5},
                                                        {2, 6},
                                                        {3, 7}}};

void check_elements(const XmlElement& mesh, const std::vector<Vec3d>& nodes, std::size_t count) {
  const XmlElement elements = child(mesh, "Elements");
  EXPECT_EQ(elements.attribute("type"), "hex20");
  ASSERT_EQ(elements.children().size(), count);
  for (const XmlElement& e : elements.children()) {
    const std::vector<double> ids = read_list(e.text());
    ASSERT_EQ(ids.size(), 20U);
    std::vector<Vec3d> x;
    for (const double id : ids) {
      ASSERT_TRUE(id >= 1 && id <= static_cast<double>(nodes.size()));
      x.push_back(nodes[static_cast<std::size_t>(id) - 1]);
    }
    // Right-handed corners, and every mid-node in the middle of its edge.
    EXPECT_GT(dot(cross(x[1] - x[0], x[3] - x[0]), x[4] - x[0]), 0);
    for (std::size_t k = 0; k < kEdges.size(); ++k) {
      const Vec3d middle = 0.5 * (x[static_cast<std::size_t>(kEdges[k][0])] +
                                  x[static_cast<std::size_t>(kEdges[k][1])]);
      EXPECT_LT(norm(x[8 + k] - middle), 1e-9 * norm(x[6] - x[0])) << "node " << 9 + k;
    }
  }
}

std::vector<Vec3d> read_nodes(const XmlElement& mesh) {
  std::vector<Vec3d> nodes;
  for (const XmlElement& n : child(mesh, "Nodes").children()) {
    EXPECT_EQ(n.attribute("id"), std::to_string(nodes.size() + 1));
    const std::vector<double> x = read_list(n.text());
    EXPECT_EQ(x.size(), 3U);
    nodes.push_back({x.at(0), x.at(1), x.at(2)});
  }
  return nodes;
}

void check_boundary(const XmlElement& root, const SolidCase& solid,
                    const std::set<std::string>& controllers) {
  const XmlElement mesh = child(root, "Mesh");
  std::set<std::string> sets;
  for (const XmlElement& c : mesh.children()) {
    if (c.tag() != "NodeSet") continue;
    EXPECT_TRUE(sets.insert(c.name()).second) << c.name();
    for (const double id : read_list(c.text())) {
      EXPECT_TRUE(id >= 1 && id <= static_cast<double>(solid.nodes.size()));
    }
  }
  EXPECT_EQ(sets.size(), solid.supports.size());
  std::set<std::string> held;
  for (const XmlElement& bc : child(root, "Boundary").children()) {
    EXPECT_EQ(bc.tag(), "bc");
    EXPECT_EQ(bc.attribute("type"), "prescribed displacement");
    EXPECT_TRUE(sets.contains(bc.attribute("node_set")));
    EXPECT_EQ(child_tags(bc), (std::vector<std::string>{"dof", "value", "relative"}));
    EXPECT_TRUE(controllers.contains(child(bc, "value").attribute("lc")));
    held.insert(bc.attribute("node_set") + "." + bc.word("dof"));
    const auto support =
        std::find_if(solid.supports.begin(), solid.supports.end(),
                     [&](const Support& s) { return s.name == bc.attribute("node_set"); });
    const std::size_t axis = std::string("xyz").find(bc.word("dof"));
    EXPECT_NEAR(bc.number("value"), 1e-3 * support->displacement[axis], 1e-12);
  }
  EXPECT_EQ(held.size(), 3 * solid.supports.size());
}

void check_file(const SolidCase& solid) {
  const skeleton::XmlFile file = skeleton::parse_xml(make_febio_input(solid), solid.name);
  const XmlElement root(file.path, file.root);
  EXPECT_EQ(root.tag(), "febio_spec");
  EXPECT_EQ(root.attribute("version"), "4.0");
  // Module first; materials and the mesh before the domains that name them.
  EXPECT_EQ(child_tags(root),
            (std::vector<std::string>{"Module", "Control", "Material", "Mesh", "MeshDomains",
                                      "Boundary", "Loads", "LoadData", "Output"}));
  EXPECT_EQ(child(root, "Module").attribute("type"), "solid");
  const XmlElement control = child(root, "Control");
  EXPECT_EQ(control.word("analysis"), "STATIC");
  EXPECT_GT(control.number("time_steps") * control.number("step_size"), 0);
  EXPECT_EQ(child(control, "solver").attribute("type"), "solid");

  const XmlElement material = child(child(root, "Material"), "material");
  EXPECT_EQ(material.attribute("type"), "isotropic elastic");
  EXPECT_EQ(child_tags(material), (std::vector<std::string>{"density", "E", "v"}));
  EXPECT_EQ(material.number("E"), solid.young_modulus);
  EXPECT_EQ(material.number("v"), solid.poisson_ratio);
  EXPECT_EQ(material.number("density"), solid.density);

  const XmlElement mesh = child(root, "Mesh");
  const std::vector<Vec3d> nodes = read_nodes(mesh);
  ASSERT_EQ(nodes.size(), solid.nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) EXPECT_EQ(norm(nodes[n] - solid.nodes[n]), 0);
  check_elements(mesh, nodes, solid.elements.size());
  const XmlElement domain = child(child(root, "MeshDomains"), "SolidDomain");
  EXPECT_EQ(domain.name(), child(mesh, "Elements").name());
  EXPECT_EQ(domain.attribute("mat"), material.name());

  // Controllers are numbered from one without a gap.
  std::set<std::string> controllers;
  for (const XmlElement& c : child(root, "LoadData").children()) {
    EXPECT_EQ(c.tag(), "load_controller");
    EXPECT_EQ(c.attribute("id"), std::to_string(controllers.size() + 1));
    controllers.insert(c.attribute("id"));
    const auto points = child(c, "points").children();
    EXPECT_EQ(read_list(points.back().text()), (std::vector<double>{1, 1}));
  }
  check_boundary(root, solid, controllers);
  // The force acts against what is written, a thousandth of the weight's.
  const XmlElement load = child(child(root, "Loads"), "body_load");
  EXPECT_EQ(load.attribute("type"), "body force");
  const XmlElement force = child(load, "force");
  EXPECT_TRUE(controllers.contains(force.attribute("lc")));
  const std::vector<double> f = read_list(force.text());
  ASSERT_EQ(f.size(), 3U);
  EXPECT_LE(norm(Vec3d{f[0], f[1], f[2]} + 1e-3 * solid.gravity), 1e-15 * norm(solid.gravity));
  const bool moves = std::any_of(solid.supports.begin(), solid.supports.end(),
                                 [](const Support& s) { return norm(s.displacement) > 0; });
  EXPECT_TRUE(norm(solid.gravity) > 0 || moves);
}

TEST(EmitFeb, EveryCaseHasTheFormOfFebioSpec4) {
  int cases = 0;
  for (const Experiment& experiment : experiments()) {
    if (experiment.cases == nullptr) continue;
    for (const SolidCase& solid : experiment.cases()) {
      SCOPED_TRACE(solid.name);
      check_file(solid);
      ++cases;
    }
  }
  EXPECT_GE(cases, 8);
}

}  // namespace
}  // namespace sinew::lab
