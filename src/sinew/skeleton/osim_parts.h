// What the readers of the parts of an .osim file share: the file, what is known so far and the
// skeleton that grows. For read_osim.cc alone; a function a part.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/skeleton/skeleton.h"
#include "sinew/skeleton/xml_file.h"

namespace sinew::skeleton {

// A frame that is fixed to a body.
struct FixedFrame {
  std::string body;
  Frame frame = kIdentityFrame;  // in the body
};

// An offset frame as the file gives it: named within its owner, a joint or a frame. Names of frames
// of different owners may be equal (arm26 has two).
struct OffsetFrame {
  std::string owner, name;
  std::string parent;  // path of the frame that it is in
  Frame frame;
  XmlElement element;
};

struct BodyElement {
  std::string body;
  XmlElement element;
};

struct Osim {
  XmlElement model;
  Skeleton skeleton;
  std::map<std::string, std::size_t> bodies, coordinates, wrap_objects;  // indices by name
  std::vector<BodyElement> body_elements;                                // the ground's among them
  std::vector<XmlElement> components;  // what stands in <components>, of whatever it is
  std::vector<OffsetFrame> frames;     // in the file's order
  std::map<std::pair<std::string, std::string>, std::size_t> frames_by_name;  // and by owner
  // Muscles that have a curve or an option of their own which our laws do not take: by its name.
  std::map<std::string, std::vector<std::string>> muscle_options;

  void note(const std::string& type, const std::string& name, const std::string& consequence) {
    skeleton.unsupported.push_back({type, name, consequence});
  }
};

// Fills Osim::components: version 4 lets everything hold components of every kind, and paths in
// the file say what they belong to.
void collect_components(Osim& osim);
// The members of the model's set of this name, and after them those components that OpenSim would
// put there: sets are "BodySet", "JointSet", "ForceSet", "ConstraintSet", "MarkerSet". Forces of
// versions before 2 stand in an ActuatorSet.
std::vector<XmlElement> list_members(const Osim& osim, std::string_view set);
// Notes components that no set would take, and bodies, joints, forces, constraints and markers
// that stand where none is read: in a second set or model, in a set within a set.
void note_strays(Osim& osim, const XmlElement& document);

// The element's name, or one that is not among `names` yet: NAME_0, NAME_1, ..., with a note, as
// OpenSim renames. Adds it to `names`: each with the number that its next namesake may get.
using NameCounts = std::map<std::string, std::size_t>;
std::string make_unique(Osim& osim, const XmlElement& element, NameCounts& names);

// Frames. Every function refuses names that do not exist, with the line of `element`.
// Collects the offset frames of bodies, joints and the model.
void collect_frames(Osim& osim);
// The frame a path such as "/bodyset/ulna", "ulna_offset", "../../ground" or ".." means for
// `owner`, the name of the component that asks.
FixedFrame find_frame(const Osim& osim, const std::string& path, const std::string& owner,
                      const XmlElement& element);
// The text of a socket or of the older property: socket_parent_frame,
// socket_parent_frame_connectee_name, Connector of that name, or `older`.
std::string find_socket(const XmlElement& element, std::string_view socket, std::string_view older);
// Translation and orientation (body-fixed x-y-z, rad) of two properties.
Frame read_frame(const XmlElement& element, std::string_view translation,
                 std::string_view orientation);
// find_frame of the socket, or of the older property, with the body's index.
struct BodyFrame {
  std::size_t body;
  Frame frame;
};
BodyFrame find_body_frame(const Osim& osim, const XmlElement& element, std::string_view socket,
                          std::string_view older, const std::string& owner);
std::size_t find_coordinate_index(const Osim& osim, const std::string& path,
                                  const XmlElement& element);

// The function of a property: the child <property> that holds one, or the child that is one and has
// the property's name. `where` is for notes.
Function read_function(Osim& osim, const XmlElement& element, std::string_view property,
                       const std::string& where);
bool has_function(const XmlElement& element, std::string_view property);

// Fills body_elements and the names of bodies, the ground first.
void collect_bodies(Osim& osim);
// The joint in a body of files before version 4.
std::optional<XmlElement> find_inner_joint(const XmlElement& body);
// Bodies, parents before children, with their joints and coordinates.
void read_bodies(Osim& osim);
// The joint that `element` describes, without frames; adds its coordinates to the skeleton.
// `body` is the index of the child.
Joint read_joint(Osim& osim, const XmlElement& element, std::size_t body);
// The joint that OpenSim gives a body without one: free, "free_NAME", to the ground.
Joint make_free_joint(Osim& osim, const XmlElement& body_element, std::size_t body);
// The joint as seen from its child: what `reverse` means. Refuses joints that both turn and shift.
void reverse_joint(Joint& joint, const XmlElement& element);

// What stands in a frame: its element, and where it is on which body.
struct FrameElement {
  XmlElement element;
  BodyFrame place;
};
std::vector<FrameElement> list_frames(const Osim& osim);  // bodies, then offset frames

void read_wrap_objects(Osim& osim);
void read_geometry(Osim& osim);
void read_markers(Osim& osim);
void read_constraints(Osim& osim);
void read_forces(Osim& osim);
// A force that is no muscle: a joint force of the skeleton, or a note.
void read_joint_force(Osim& osim, const XmlElement& element);
bool is_disabled(const XmlElement& force);
// The <GeometryPath> of a muscle, ligament or spring. Since OpenSim 4.5 it may stand in <path>, and
// be of another kind; in version 1.9 the muscle itself has the points.
std::optional<XmlElement> find_path(const XmlElement& force);
Path read_path(Osim& osim, const XmlElement& muscle, const XmlElement& geometry_path);

}  // namespace sinew::skeleton
