// What is fixed to the bodies of .osim files: wrap objects, surfaces to show, markers.
#include <fmt/format.h>

#include "sinew/core/text.h"
#include "sinew/skeleton/osim_parts.h"
#include "sinew/volume/text_header.h"

namespace sinew::skeleton {
namespace {

int read_quadrant(const XmlElement& wrap) {
  const std::string word = to_lower(wrap.word("quadrant"));
  if (word.empty() || word == "all" || word == "unassigned") return 0;
  const bool is_signed = word.starts_with('-') || word.starts_with('+');
  const std::string axis = word.substr(is_signed ? 1 : 0);
  if (axis != "x" && axis != "y" && axis != "z") {
    wrap.fail(fmt::format("the quadrant of {} is \"{}\"; allowed: all, x, -x, y, -y, z, -z",
                          wrap.label(), printable(word)));
  }
  return (axis[0] - 'x' + 1) * (word.starts_with('-') ? -1 : 1);
}

double read_length(const XmlElement& wrap, std::string_view property) {
  const double value = wrap.number(property);
  if (!(value > 0)) {
    wrap.fail(fmt::format("<{}> of {} is {}; it must be above 0", property, wrap.label(), value));
  }
  return value;
}

// False where the shape is not known.
bool read_wrap_shape(const XmlElement& wrap, WrapObject& out) {
  if (wrap.tag() == "WrapCylinder") {
    const double radius = read_length(wrap, "radius");
    out.shape = WrapObject::Shape::kCylinder;
    out.size = {radius, radius, read_length(wrap, "length")};
  } else if (wrap.tag() == "WrapSphere") {
    const double radius = read_length(wrap, "radius");
    out.shape = WrapObject::Shape::kSphere;
    out.size = {radius, radius, radius};
  } else if (wrap.tag() == "WrapEllipsoid") {
    out.shape = WrapObject::Shape::kEllipsoid;
    out.size = wrap.vector("dimensions", {0, 0, 0});
    if (!(out.size.x > 0 && out.size.y > 0 && out.size.z > 0)) {
      wrap.fail(fmt::format("<dimensions> of {} must hold three numbers above 0", wrap.label()));
    }
  } else if (wrap.tag() == "WrapTorus") {
    out.shape = WrapObject::Shape::kTorus;
    out.size = {read_length(wrap, "outer_radius"), read_length(wrap, "inner_radius"), 0};
  } else {
    return false;
  }
  return true;
}

void add_wrap_object(Osim& osim, const XmlElement& wrap, const BodyFrame& place) {
  WrapObject out;
  out.name = wrap.name();
  out.body = place.body;
  if (!read_wrap_shape(wrap, out)) {
    osim.note(wrap.tag(), out.name, "paths run as if it were not there");
    osim.wrap_objects.emplace(out.name, kNone);
    return;
  }
  out.frame = compose(place.frame, read_frame(wrap, "translation", "xyz_body_rotation"));
  out.quadrant = read_quadrant(wrap);
  out.active = wrap.flag("active", true);
  // Names may repeat, on a body and on others; OpenSim takes the first.
  if (!osim.wrap_objects.emplace(out.name, osim.skeleton.wrap_objects.size()).second) {
    osim.note(wrap.tag(), out.name, "another wrap object has this name; paths use the first");
  }
  osim.skeleton.wrap_objects.push_back(out);
}

Vec3d times(const Vec3d& a, const Vec3d& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

// <attached_geometry> of version 4.
void add_attached(Osim& osim, const XmlElement& list, const BodyFrame& place) {
  for (const XmlElement& item : list.children()) {
    const std::string file = item.word("mesh_file");
    if (item.tag() == "Mesh" && !file.empty()) {
      osim.skeleton.geometry.push_back(
          {place.body, file, place.frame, item.vector("scale_factors", {1, 1, 1})});
    } else if (item.tag() != "FrameGeometry") {
      osim.note(item.tag(), item.name(), "not shown");
    }
  }
}

// x-y-z angles and a shift in one property, as older files have it.
Frame read_transform(const XmlElement& element) {
  if (!element.has("transform")) return kIdentityFrame;
  const std::vector<double> t = element.numbers("transform", 6);
  return {make_body_xyz({t[0], t[1], t[2]}), {t[3], t[4], t[5]}};
}

// <VisibleObject> of versions 1 to 3.
void add_visible(Osim& osim, const XmlElement& visible, const BodyFrame& place) {
  const Frame outer = compose(place.frame, read_transform(visible));
  const Vec3d scale = visible.vector("scale_factors", {1, 1, 1});
  for (const XmlElement& item : visible.objects("GeometrySet")) {
    const std::string file = item.word("geometry_file");
    if (file.empty()) continue;
    osim.skeleton.geometry.push_back({place.body, file, compose(outer, read_transform(item)),
                                      times(scale, item.vector("scale_factors", {1, 1, 1}))});
  }
  const std::string names = visible.word("geometry_files");
  for (const std::string_view file : volume::split_words(names)) {
    osim.skeleton.geometry.push_back({place.body, std::string(file), outer, scale});
  }
}

}  // namespace

void read_wrap_objects(Osim& osim) {
  for (const FrameElement& frame : list_frames(osim)) {
    for (const XmlElement& wrap : frame.element.objects("WrapObjectSet")) {
      add_wrap_object(osim, wrap, frame.place);
    }
  }
}

void read_geometry(Osim& osim) {
  for (const FrameElement& frame : list_frames(osim)) {
    if (const auto list = frame.element.find("attached_geometry")) {
      add_attached(osim, *list, frame.place);
    }
    if (const auto visible = frame.element.find("VisibleObject")) {
      add_visible(osim, *visible, frame.place);
    }
  }
}

void read_markers(Osim& osim) {
  NameCounts names;
  for (const XmlElement& element : list_members(osim, "MarkerSet")) {
    if (element.tag() != "Marker") {
      osim.note(element.tag(), element.name(), "not read; it is no marker");
      continue;
    }
    const std::string name = make_unique(osim, element, names);
    const BodyFrame place = find_body_frame(osim, element, "parent_frame", "body", "");
    osim.skeleton.markers.push_back(
        {name, place.body, apply(place.frame, element.vector("location", {0, 0, 0}))});
  }
}

}  // namespace sinew::skeleton
