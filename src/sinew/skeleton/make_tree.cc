#include "sinew/skeleton/make_tree.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace sinew::skeleton {
namespace {

void check_body(const Body& body) {
  const bool finite = std::isfinite(body.mass) && is_finite(body.mass_center) &&
                      is_finite(body.inertia.col(0)) && is_finite(body.inertia.col(1)) &&
                      is_finite(body.inertia.col(2));
  const bool negative =
      body.mass < 0 || body.inertia(0, 0) < 0 || body.inertia(1, 1) < 0 || body.inertia(2, 2) < 0;
  if (!finite || negative)
    throw std::invalid_argument(fmt::format(
        "body '{}' has a mass of {} kg and moments of inertia of {}, {}, {} kg m^2; "
        "none may be negative or undefined",
        body.name, body.mass, body.inertia(0, 0), body.inertia(1, 1), body.inertia(2, 2)));
}

// Moments about the mass centre: each at most the sum of the others, products at most half the
// opposite moment. Simbody refuses anything else; the slack is for rounding and below its own.
bool is_of_a_solid(const Mat3d& inertia) {
  const double slack = 1e-14 * trace(inertia);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    if (inertia(i, i) > inertia(j, j) + inertia(k, k) + slack) return false;
    if (2 * std::abs(inertia(j, k)) > inertia(i, i) + slack) return false;
  }
  return true;
}

Mat3d make_ball(const Mat3d& inertia) {
  const Vec3d moments{inertia(0, 0), inertia(1, 1), inertia(2, 2)};
  return Mat3d::identity() * (norm(moments) / std::sqrt(3.0));
}

void set_mass(const Body& body, TreeBody& out) {
  out.mass = body.mass;
  out.mass_center = to_tree(body.mass_center);
  // Steiner: from the mass centre to the origin.
  const Vec3d& c = body.mass_center;
  const Mat3d about_center = is_of_a_solid(body.inertia) ? body.inertia : make_ball(body.inertia);
  const Mat3d at_origin =
      about_center + (Mat3d::identity() * dot(c, c) - Mat3d::outer(c, c)) * body.mass;
  out.inertia = {at_origin(0, 0), at_origin(1, 1), at_origin(2, 2),
                 at_origin(0, 1), at_origin(0, 2), at_origin(1, 2)};
}

// Appends bodies and numbers their mobilities.
struct TreeMaker {
  Tree tree;

  // The joint's own number of a coordinate, a new one where it is the first use.
  int mobility_of(TreeBody& body, std::size_t coordinate) {
    const auto first = tree.coordinate_of.end() - body.num_mobilities;
    const auto found = std::find(first, tree.coordinate_of.end(), coordinate);
    if (found != tree.coordinate_of.end()) return static_cast<int>(found - first);
    tree.coordinate_of.push_back(coordinate);
    return body.num_mobilities++;
  }

  void set_axis(TreeBody& body, std::size_t k, const TransformAxis& axis) {
    const bool moves = axis.coordinate != kNone && axis.function.kind != Function::Kind::kConstant;
    body.axes[k] = {to_tree(normalized(axis.axis)), moves ? mobility_of(body, axis.coordinate) : -1,
                    axis.function};
  }

  void add_ellipsoid(const Joint& joint, std::size_t parent, const Vec3d& radii,
                     const Frame& parent_frame, TreeBody& out) {
    out.parent = parent;
    out.parent_frame = to_tree(parent_frame);
    const std::array<Vec3d, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (std::size_t k = 0; k < 3; ++k)
      set_axis(out, k, {axes[k], joint.coordinates[k], make_line(1, 0)});
    out.on_ellipsoid = true;
    out.radii = to_tree(radii);
  }

  // A massless body on the ellipsoid, in axes turned by a quarter about z, carries the winging pin.
  void add_scapulothoracic(const Joint& joint, std::size_t parent, TreeBody& out) {
    const Frame quarter{{{{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}}}, {0, 0, 0}};
    const Vec3d pin{joint.winging_origin[0], joint.winging_origin[1], 0};
    TreeBody carrier;
    add_ellipsoid(joint, parent, {joint.radii.y, joint.radii.x, joint.radii.z},
                  compose(joint.parent_frame, quarter), carrier);
    tree.bodies.push_back(carrier);
    out.parent = tree.bodies.size() - 1;
    out.parent_frame = to_tree(compose(inverse(quarter), {Mat3d::identity(), pin}));
    out.child_frame = to_tree(compose(joint.child_frame, {Mat3d::identity(), pin}));
    const double turn = joint.winging_direction;
    set_axis(out, 0, {{-std::sin(turn), std::cos(turn), 0}, joint.coordinates[3], make_line(1, 0)});
  }

  void add(const Body& body) {
    check_body(body);
    const Joint& joint = body.joint;
    const std::size_t parent = tree.body_of[body.parent];
    const std::size_t needed = joint.kind == Joint::Kind::kScapulothoracic ? 4
                               : joint.kind == Joint::Kind::kEllipsoid     ? 3
                                                                           : 0;
    if (joint.coordinates.size() < needed)
      throw std::invalid_argument(fmt::format("the joint of body '{}' has {} coordinates, not {}",
                                              body.name, joint.coordinates.size(), needed));
    TreeBody out;
    out.parent = parent;
    out.parent_frame = to_tree(joint.parent_frame);
    out.child_frame = to_tree(joint.child_frame);
    if (joint.kind == Joint::Kind::kScapulothoracic)
      add_scapulothoracic(joint, parent, out);
    else if (joint.kind == Joint::Kind::kEllipsoid)
      add_ellipsoid(joint, parent, joint.radii, joint.parent_frame, out);
    else
      for (std::size_t k = 0; k < 6; ++k) set_axis(out, k, joint.axes[k]);
    set_mass(body, out);
    if (!is_of_a_solid(body.inertia)) tree.adjusted.push_back(body.name);
    tree.body_of.push_back(tree.bodies.size());
    tree.bodies.push_back(out);
  }
};

}  // namespace

TreeFrame to_tree(const Frame& frame) {
  TreeFrame out;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) out.rotation[3 * i + j] = frame.rotation(i, j);
  out.translation = to_tree(frame.translation);
  return out;
}

Frame from_tree(const TreeFrame& frame) {
  Frame out = kIdentityFrame;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) out.rotation(i, j) = frame.rotation[3 * i + j];
  out.translation = from_tree(frame.translation);
  return out;
}

Tree make_tree(const Skeleton& skeleton) {
  TreeMaker maker;
  maker.tree.bodies.emplace_back();
  maker.tree.body_of.push_back(kGround);
  for (std::size_t i = 1; i < skeleton.bodies.size(); ++i) maker.add(skeleton.bodies[i]);
  return std::move(maker.tree);
}

}  // namespace sinew::skeleton
