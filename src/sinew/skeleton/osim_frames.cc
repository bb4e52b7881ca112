// Frames of .osim files: which body a path means, and where on it.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "sinew/core/text.h"
#include "sinew/skeleton/osim_parts.h"

namespace sinew::skeleton {
namespace {

constexpr int kMaxChain = 32;  // frames in frames

struct PathEnd {
  std::string owner, leaf;  // the last two parts; empty where there are none
};

// Steps up (".") and ("..") are passed over: what a path ends in says which component is meant.
PathEnd split_path(const std::string& path) {
  PathEnd end;
  std::size_t at = 0;
  while (at <= path.size()) {
    const std::size_t stop = std::min(path.find('/', at), path.size());
    const std::string part = path.substr(at, stop - at);
    if (!part.empty() && part != "." && part != "..") {
      end.owner = end.leaf;
      end.leaf = part;
    }
    at = stop + 1;
  }
  return end;
}

const OffsetFrame* find_offset(const Osim& osim, const std::string& name,
                               const std::string& owner) {
  const auto found = osim.frames_by_name.find({name, owner});
  return found == osim.frames_by_name.end() ? nullptr : &osim.frames[found->second];
}

[[noreturn]] void fail_unknown(const Osim& osim, const std::string& path,
                               const XmlElement& element) {
  std::vector<std::string_view> known;
  known.reserve(osim.bodies.size());
  for (const auto& body : osim.bodies) known.emplace_back(body.first);
  element.fail(fmt::format("{} refers to the body or frame \"{}\", which does not exist{}",
                           element.label(), printable(path),
                           did_you_mean(split_path(path).leaf, known)));
}

// The offset frame that a path means; null where it means a body.
const OffsetFrame* pick_offset(const Osim& osim, const std::string& path, const std::string& owner,
                               const XmlElement& element) {
  const PathEnd end = split_path(path);
  const bool is_body = osim.bodies.contains(end.leaf);
  if (is_body && end.owner == "bodyset") return nullptr;
  const bool is_owned = !end.owner.empty() && end.owner != "bodyset" && end.owner != "components";
  const OffsetFrame* own = find_offset(osim, end.leaf, is_owned ? end.owner : owner);
  if (own != nullptr) return own;
  if (is_body) return nullptr;
  // Of any owner, if only one has it.
  const auto first = osim.frames_by_name.lower_bound({end.leaf, ""});
  const auto is_meant = [&](auto it) {
    return it != osim.frames_by_name.end() && it->first.first == end.leaf;
  };
  if (!is_meant(first)) fail_unknown(osim, path, element);
  if (is_meant(std::next(first))) {
    element.fail(
        fmt::format("{} refers to the frame \"{}\", of which there are several; write the "
                    "path with its owner's name",
                    element.label(), printable(path)));
  }
  return &osim.frames[first->second];
}

FixedFrame follow(const Osim& osim, const std::string& path, const std::string& owner,
                  const XmlElement& element, int depth) {
  if (depth > kMaxChain) {
    element.fail(fmt::format("{}: its frame hangs on itself, or on more than {} others",
                             element.label(), kMaxChain));
  }
  // Files before version 4 have names, not paths, and these may hold slashes.
  if (path.find('/') != std::string::npos && osim.bodies.contains(path)) {
    return {path, kIdentityFrame};
  }
  const std::string leaf = split_path(path).leaf;
  if (leaf.empty() && owner.empty()) fail_unknown(osim, path, element);
  if (leaf.empty()) return follow(osim, owner, "", element, depth + 1);
  const OffsetFrame* offset = pick_offset(osim, path, owner, element);
  if (offset == nullptr) return {leaf, kIdentityFrame};
  const FixedFrame outer = follow(osim, offset->parent, offset->owner, offset->element, depth + 1);
  return {outer.body, compose(outer.frame, offset->frame)};
}

// The offset frames among the children of `list`, and those within them.
void collect(Osim& osim, const std::optional<XmlElement>& list, const std::string& owner) {
  if (!list) return;
  for (const XmlElement& child : list->children()) {
    if (child.tag() != "PhysicalOffsetFrame") continue;
    const std::string name = child.name();
    if (find_offset(osim, name, owner) != nullptr) {
      child.fail(fmt::format("{} is there twice in \"{}\"", child.label(), printable(owner)));
    }
    std::string parent = find_socket(child, "parent", "");
    if (parent.empty()) parent = "..";
    osim.frames_by_name.emplace(std::pair(name, owner), osim.frames.size());
    osim.frames.push_back(
        {owner, name, parent, read_frame(child, "translation", "orientation"), child});
    collect(osim, child.find("components"), name);
  }
}

}  // namespace

Frame read_frame(const XmlElement& element, std::string_view translation,
                 std::string_view orientation) {
  return {make_body_xyz(element.vector(orientation, {0, 0, 0})),
          element.vector(translation, {0, 0, 0})};
}

std::string find_socket(const XmlElement& element, std::string_view socket,
                        std::string_view older) {
  std::string newest = element.word(fmt::format("socket_{}", socket));
  if (!newest.empty()) return newest;
  std::string newer = element.word(fmt::format("socket_{}_connectee_name", socket));
  if (!newer.empty()) return newer;
  if (const auto connectors = element.find("connectors")) {
    for (const XmlElement& connector : connectors->children()) {
      if (connector.name() == socket) return connector.word("connectee_name");
    }
  }
  return older.empty() ? std::string() : element.word(older);
}

void collect_frames(Osim& osim) {
  const std::vector<BodyElement> bodies = osim.body_elements;
  for (const BodyElement& body : bodies) collect(osim, body.element.find("components"), body.body);
  for (const XmlElement& joint : list_members(osim, "JointSet")) {
    collect(osim, joint.find("frames"), joint.name());
  }
  for (const XmlElement& force : list_members(osim, "ForceSet")) {
    if (!force.name().empty()) collect(osim, force.find("frames"), force.name());
  }
  collect(osim, osim.model.find("components"), "");
  // Version 3.1 has frames in a set of their own, version 4 may have them in the ComponentSet.
  for (const std::string_view tag : {"ComponentSet", "FrameSet"}) {
    if (const auto set = osim.model.find(tag)) collect(osim, set->find("objects"), "");
  }
}

FixedFrame find_frame(const Osim& osim, const std::string& path, const std::string& owner,
                      const XmlElement& element) {
  return follow(osim, path, owner, element, 0);
}

BodyFrame find_body_frame(const Osim& osim, const XmlElement& element, std::string_view socket,
                          std::string_view older, const std::string& owner) {
  const std::string path = find_socket(element, socket, older);
  if (path.empty()) {
    element.fail(fmt::format("{} does not say which body it is on; <socket_{}> or <{}> is needed",
                             element.label(), socket, older));
  }
  const FixedFrame found = find_frame(osim, path, owner, element);
  return {osim.bodies.at(found.body), found.frame};
}

std::size_t find_coordinate_index(const Osim& osim, const std::string& path,
                                  const XmlElement& element) {
  const std::string name = osim.coordinates.contains(path) ? path : split_path(path).leaf;
  const auto found = osim.coordinates.find(name);
  if (found != osim.coordinates.end()) return found->second;
  std::vector<std::string_view> known;
  known.reserve(osim.coordinates.size());
  for (const auto& coordinate : osim.coordinates) known.emplace_back(coordinate.first);
  element.fail(fmt::format("{} refers to the coordinate \"{}\", which does not exist{}",
                           element.label(), printable(path), did_you_mean(name, known)));
}

std::vector<FrameElement> list_frames(const Osim& osim) {
  std::vector<FrameElement> out;
  out.reserve(osim.body_elements.size() + osim.frames.size());
  for (const BodyElement& body : osim.body_elements) {
    out.push_back({body.element, {osim.bodies.at(body.body), kIdentityFrame}});
  }
  for (const OffsetFrame& offset : osim.frames) {
    const FixedFrame found = find_frame(osim, offset.parent, offset.owner, offset.element);
    const Frame frame = compose(found.frame, offset.frame);
    out.push_back({offset.element, {osim.bodies.at(found.body), frame}});
  }
  return out;
}

}  // namespace sinew::skeleton
