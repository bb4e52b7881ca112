// Bodies of .osim files: which there are, how they hang together, what they weigh.
#include <algorithm>
#include <functional>
#include <queue>

#include <fmt/format.h>

#include "sinew/core/text.h"
#include "sinew/skeleton/osim_parts.h"

namespace sinew::skeleton {
namespace {

// A joint before bodies have their final order. Indices are of body_elements.
struct Link {
  XmlElement element;
  std::size_t parent, child;
  Frame parent_frame, child_frame;  // on the bodies
  bool reversed;
  bool is_free = false;  // not in the file: `element` is the body's
};

void add_body_element(Osim& osim, const std::string& name, const XmlElement& element) {
  if (name.empty()) element.fail("a Body has no name");
  if (!osim.bodies.emplace(name, osim.body_elements.size()).second) {
    element.fail(fmt::format("the body \"{}\" is there twice; names must differ", printable(name)));
  }
  osim.body_elements.push_back({name, element});
}

bool is_ground(const XmlElement& body) {
  return body.name() == "ground";
}

std::vector<Link> list_inner_links(const Osim& osim) {
  std::vector<Link> links;
  links.reserve(osim.body_elements.size());
  for (std::size_t i = 0; i < osim.body_elements.size(); ++i) {
    const auto joint = find_inner_joint(osim.body_elements[i].element);
    if (!joint || i == kGround) continue;
    const BodyFrame parent = find_body_frame(osim, *joint, "parent_frame", "parent_body", "");
    links.push_back(
        {*joint, parent.body, i,
         compose(parent.frame, read_frame(*joint, "location_in_parent", "orientation_in_parent")),
         read_frame(*joint, "location", "orientation"), joint->flag("reverse", false)});
  }
  return links;
}

std::vector<Link> list_set_links(const Osim& osim) {
  const std::vector<XmlElement> joints = list_members(osim, "JointSet");
  std::vector<Link> links;
  links.reserve(joints.size());
  std::map<std::string, bool> names;
  for (const XmlElement& joint : joints) {
    if (!names.emplace(joint.name(), true).second) {
      joint.fail(fmt::format("{} is there twice; names must differ", joint.label()));
    }
    const BodyFrame a = find_body_frame(osim, joint, "parent_frame", "parent_body", joint.name());
    const BodyFrame b = find_body_frame(osim, joint, "child_frame", "child_body", joint.name());
    const bool reversed = joint.flag("reverse", false);
    Link link{joint, a.body, b.body, a.frame, b.frame, reversed};
    if (b.body == kGround) {  // described from the child: the ground has no parent
      std::swap(link.parent, link.child);
      std::swap(link.parent_frame, link.child_frame);
      link.reversed = !reversed;
    }
    links.push_back(link);
  }
  return links;
}

// (num bodies) the link of which each body is the child; kNone for the ground. A body without one
// gets a free link to the ground, as in OpenSim.
std::vector<std::size_t> match_links(Osim& osim, std::vector<Link>& links) {
  std::vector<std::size_t> own(osim.body_elements.size(), kNone);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    const std::string& name = osim.body_elements[link.child].body;
    if (link.child == link.parent) {
      link.element.fail(
          fmt::format("{} joins the body \"{}\" to itself", link.element.label(), printable(name)));
    }
    if (own[link.child] != kNone) {
      link.element.fail(fmt::format(
          "the body \"{}\" is the child of two joints ({} and {}); closed "
          "loops are not supported; replace one by a PointConstraint",
          printable(name), links[own[link.child]].element.label(), link.element.label()));
    }
    own[link.child] = i;
  }
  for (std::size_t b = 1; b < own.size(); ++b) {
    if (own[b] != kNone) continue;
    const BodyElement& body = osim.body_elements[b];
    osim.note("Body", body.body,
              "it has no joint; a FreeJoint to the ground is taken, as OpenSim does");
    own[b] = links.size();
    links.push_back({body.element, kGround, b, kIdentityFrame, kIdentityFrame, false, true});
  }
  return own;
}

// Parents before children, otherwise as in the file.
std::vector<std::size_t> order_bodies(const Osim& osim, const std::vector<Link>& links,
                                      const std::vector<std::size_t>& own) {
  std::vector<std::vector<std::size_t>> children(own.size());
  for (std::size_t b = 1; b < own.size(); ++b) children[links[own[b]].parent].push_back(b);
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  ready.push(kGround);
  std::vector<std::size_t> order;
  std::vector<bool> is_placed(own.size(), false);
  order.reserve(own.size());
  while (!ready.empty()) {
    const std::size_t b = ready.top();
    ready.pop();
    order.push_back(b);
    is_placed[b] = true;
    for (const std::size_t child : children[b]) ready.push(child);
  }
  for (std::size_t b = 0; b < own.size(); ++b) {
    if (is_placed[b]) continue;
    links[own[b]].element.fail(fmt::format(
        "the body \"{}\" hangs on itself: its parents form a cycle that does not reach the ground",
        printable(osim.body_elements[b].body)));
  }
  return order;
}

Mat3d read_inertia(Osim& osim, const XmlElement& body) {
  std::vector<double> i(6, 0);  // xx yy zz xy xz yz
  if (body.has("inertia")) {
    i = body.numbers("inertia", 6);
  } else {
    constexpr std::string_view kNames[] = {"inertia_xx", "inertia_yy", "inertia_zz",
                                           "inertia_xy", "inertia_xz", "inertia_yz"};
    for (std::size_t k = 0; k < 6; ++k) i[k] = body.number(kNames[k], 0);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    if (i[k] >= 0) continue;
    osim.note("inertia", body.name(),
              fmt::format("the moment of inertia {} is negative; its size is taken", i[k]));
    i[k] = -i[k];
  }
  return {{{{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}}}};
}

Body read_body(Osim& osim, const BodyElement& source) {
  Body body;
  body.name = source.body;
  const XmlElement& element = source.element;
  if (element.tag() != "Body") return body;  // the ground of version 4, or of a file without one
  body.mass = element.number("mass", 0);
  if (body.mass < 0) {
    element.fail(
        fmt::format("{} has the mass {}; 0 or more is allowed", element.label(), body.mass));
  }
  body.mass_center = element.vector("mass_center", {0, 0, 0});
  body.inertia = read_inertia(osim, element);
  return body;
}

}  // namespace

std::optional<XmlElement> find_inner_joint(const XmlElement& body) {
  const auto wrapper = body.find("Joint");
  if (!wrapper || wrapper->children().empty()) return std::nullopt;
  return wrapper->children().front();
}

void collect_bodies(Osim& osim) {
  const std::vector<XmlElement> all = list_members(osim, "BodySet");
  const auto ground = osim.model.find("Ground");
  const auto inner = std::ranges::find_if(all, is_ground);
  add_body_element(osim, "ground", ground ? *ground : inner != all.end() ? *inner : osim.model);
  for (const XmlElement& body : all) {
    if (body.tag() != "Body") {
      osim.note(body.tag(), body.name(), "not read; nothing may be attached to it");
    } else if (ground || !is_ground(body) || &body != &*inner) {
      add_body_element(osim, body.name(), body);
    }
  }
}

void read_bodies(Osim& osim) {
  std::vector<Link> links =
      list_members(osim, "JointSet").empty() ? list_inner_links(osim) : list_set_links(osim);
  const std::vector<std::size_t> own = match_links(osim, links);
  const std::vector<std::size_t> order = order_bodies(osim, links, own);
  for (std::size_t b = 0; b < order.size(); ++b) {
    osim.bodies[osim.body_elements[order[b]].body] = b;
  }
  osim.skeleton.bodies.reserve(order.size());
  for (std::size_t b = 0; b < order.size(); ++b) {
    osim.skeleton.bodies.push_back(read_body(osim, osim.body_elements[order[b]]));
    if (b == kGround) continue;
    const Link& link = links[own[order[b]]];
    Joint joint =
        link.is_free ? make_free_joint(osim, link.element, b) : read_joint(osim, link.element, b);
    joint.parent_frame = link.parent_frame;
    joint.child_frame = link.child_frame;
    if (link.reversed) reverse_joint(joint, link.element);
    Body& body = osim.skeleton.bodies[b];
    body.parent = osim.bodies.at(osim.body_elements[link.parent].body);
    body.joint = joint;
  }
}

}  // namespace sinew::skeleton
