// Gmsh .msh, versions 2.2 and 4.1, text and binary. Read: $MeshFormat, $PhysicalNames, $Entities
// (4.1: which volume is in which physical group), $Nodes, $Elements; other sections are passed
// over.
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "sinew/core/text.h"
#include "sinew/mesh/gmsh_cursor.h"
#include "sinew/mesh/tet_mesh_parsers.h"

namespace sinew::mesh {
namespace {

constexpr int kTet = 4;  // Gmsh's number of the linear tetrahedron
constexpr int kVolume = 3;

struct ElementType {
  std::uint32_t num_nodes;
  bool skipped;  // points, lines and faces: no volume is lost with them
};

// Of the types that are read or passed over; others are refused.
std::optional<ElementType> find_element_type(std::int32_t type) {
  switch (type) {
    case kTet:
      return ElementType{4, false};
    case 15:
      return ElementType{1, true};
    case 1:
      return ElementType{2, true};
    case 2:
    case 8:
      return ElementType{3, true};
    case 3:
      return ElementType{4, true};
    case 9:
      return ElementType{6, true};
    case 16:
      return ElementType{8, true};
    case 10:
      return ElementType{9, true};
    default:
      return std::nullopt;
  }
}

class GmshParser {
 public:
  explicit GmshParser(const FileBytes& file) : cursor_(file) {}
  RawTetMesh parse();

 private:
  void parse_format();
  bool parse_section(std::string_view name);
  void parse_physical_names();
  void parse_entities();
  void parse_entity(int dimension);
  void parse_nodes2();
  void parse_nodes4();
  void parse_elements2();
  void parse_elements2_binary(std::uint64_t count);
  void parse_elements4();
  void add_node(std::int64_t tag);
  ElementType element_type(std::int32_t type) const;
  void add_element(const ElementType& type, std::int64_t tag, std::int32_t region);

  GmshCursor cursor_;
  bool version4_ = false;
  bool has_nodes_ = false, has_elements_ = false;
  std::unordered_map<std::int64_t, std::uint32_t> node_of_tag_;
  std::unordered_map<std::int32_t, std::int32_t> region_of_volume_;
  bool has_regions_ = false;
  RawTetMesh raw_;
};

void GmshParser::parse_format() {
  if (cursor_.at_end() || cursor_.word() != "$MeshFormat") {
    cursor_.fail("the file does not begin with $MeshFormat; is it a Gmsh file?");
  }
  const std::string version(cursor_.word());
  if (version != "2.2" && version != "2" && version != "4.1") {
    cursor_.fail(
        fmt::format("version \"{}\" of the format is not read; allowed: 2.2, 4.1 (gmsh "
                    "-format msh41)",
                    printable(version)));
  }
  version4_ = version == "4.1";
  const std::int64_t mode = cursor_.text_integer();
  const std::int64_t data_size = cursor_.text_integer();
  if (mode < 0 || mode > 1 || data_size != 8) {
    cursor_.fail(
        fmt::format("file type {} and data size {}; allowed: 0 or 1, and 8", mode, data_size));
  }
  if (mode == 1) {
    cursor_.end_line();
    cursor_.set_binary(true);
    if (cursor_.int32() != 1) cursor_.fail("the file has the other byte order; save it as text");
  }
  cursor_.skip_past("$EndMeshFormat");
}

void GmshParser::parse_physical_names() {
  const std::uint64_t count = cursor_.text_count(3);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::int64_t dimension = cursor_.text_integer();
    const std::int64_t tag = cursor_.text_integer();
    if (tag < INT32_MIN || tag > INT32_MAX) {
      cursor_.fail(fmt::format("the tag {} is too large; allowed: numbers of 32 bits", tag));
    }
    std::string name = cursor_.quoted();
    if (dimension == kVolume) raw_.region_names[static_cast<std::int32_t>(tag)] = std::move(name);
  }
}

void GmshParser::parse_entity(int dimension) {
  const std::int32_t tag = cursor_.int32();
  cursor_.skip_reals(dimension == 0 ? 3 : 6);  // its place or its box
  const std::uint64_t num_groups = cursor_.count(1);
  for (std::uint64_t g = 0; g < num_groups; ++g) {
    const std::int32_t group = cursor_.int32();
    if (dimension == kVolume) region_of_volume_.try_emplace(tag, group);
  }
  if (dimension > 0) cursor_.skip_ints(cursor_.count(1));  // what bounds it
}

void GmshParser::parse_entities() {
  std::uint64_t counts[4];
  for (std::uint64_t& count : counts) count = cursor_.count(5);
  for (int dimension = 0; dimension < 4; ++dimension) {
    for (std::uint64_t i = 0; i < counts[dimension]; ++i) parse_entity(dimension);
  }
}

void GmshParser::add_node(std::int64_t tag) {
  const auto index = static_cast<std::uint32_t>(node_of_tag_.size());
  if (index == UINT32_MAX) cursor_.fail("the mesh has too many nodes; allowed: fewer than 2^32");
  if (!node_of_tag_.try_emplace(tag, index).second) {
    cursor_.fail(fmt::format("node {} is given twice", tag));
  }
}

void GmshParser::parse_nodes2() {
  const std::uint64_t count = cursor_.text_count(4);
  if (cursor_.binary()) cursor_.end_line();
  raw_.positions.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    add_node(cursor_.int32());
    raw_.positions.push_back(cursor_.position());
  }
}

void GmshParser::parse_nodes4() {
  const std::uint64_t num_blocks = cursor_.count(4);
  raw_.positions.reserve(cursor_.count(4));
  cursor_.size(), cursor_.size();  // lowest and highest tag
  for (std::uint64_t b = 0; b < num_blocks; ++b) {
    const std::int32_t dimension = cursor_.int32();
    cursor_.int32();  // tag of the entity
    const std::int32_t parametric = cursor_.int32();
    const std::uint64_t count = cursor_.count(4);
    if (dimension < 0 || dimension > 3 || parametric < 0 || parametric > 1) {
      cursor_.fail(
          fmt::format("a block of nodes of dimension {} and parametric {}; allowed: 0 to "
                      "3, and 0 or 1",
                      dimension, parametric));
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      add_node(static_cast<std::int64_t>(cursor_.size()));
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      raw_.positions.push_back(cursor_.position());
      if (parametric == 1) cursor_.skip_reals(static_cast<std::uint64_t>(dimension));
    }
  }
}

ElementType GmshParser::element_type(std::int32_t type) const {
  const auto found = find_element_type(type);
  if (!found) {
    cursor_.fail(
        fmt::format("elements of type {}{} are not read; allowed: linear tetrahedra (type "
                    "4), and points, lines and faces, which are passed over",
                    type, type == 11 ? " (10-node tetrahedra: set Mesh.ElementOrder = 1)" : ""));
  }
  return *found;
}

void GmshParser::add_element(const ElementType& type, std::int64_t tag, std::int32_t region) {
  std::array<std::uint32_t, 4> nodes{};
  for (std::uint32_t c = 0; c < type.num_nodes; ++c) {
    const std::int64_t node =
        version4_ ? static_cast<std::int64_t>(cursor_.size()) : std::int64_t{cursor_.int32()};
    if (type.skipped) continue;
    const auto found = node_of_tag_.find(node);
    if (found == node_of_tag_.end()) {
      cursor_.fail(fmt::format("element {} names node {}, which is not among the {} of $Nodes", tag,
                               node, node_of_tag_.size()));
    }
    nodes[c] = found->second;
  }
  if (type.skipped) {
    ++raw_.num_skipped_elements;
    return;
  }
  raw_.tets.push_back(nodes);
  raw_.labels.push_back(tag);
  raw_.regions.push_back(region);
  has_regions_ = has_regions_ || region != 0;
}

void GmshParser::parse_elements2_binary(std::uint64_t count) {
  for (std::uint64_t done = 0; done < count;) {
    const ElementType type = element_type(cursor_.int32());
    const std::int32_t in_block = cursor_.int32();
    const std::int32_t num_tags = cursor_.int32();
    if (in_block < 1 || static_cast<std::uint64_t>(in_block) > count - done || num_tags < 0) {
      cursor_.fail(fmt::format("a block of {} elements with {} tags, where {} elements are left",
                               in_block, num_tags, count - done));
    }
    for (std::int32_t i = 0; i < in_block; ++i) {
      const std::int32_t tag = cursor_.int32();
      const std::int32_t region = num_tags > 0 ? cursor_.int32() : 0;
      if (num_tags > 1) cursor_.skip_ints(static_cast<std::uint64_t>(num_tags) - 1);
      add_element(type, tag, region);
    }
    done += static_cast<std::uint64_t>(in_block);
  }
}

void GmshParser::parse_elements2() {
  const std::uint64_t count = cursor_.text_count(4);
  if (cursor_.binary()) {
    cursor_.end_line();
    parse_elements2_binary(count);
    return;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::int32_t tag = cursor_.int32();
    const ElementType type = element_type(cursor_.int32());
    const std::uint64_t num_tags = cursor_.count(1);
    const std::int32_t region = num_tags > 0 ? cursor_.int32() : 0;
    if (num_tags > 1) cursor_.skip_ints(num_tags - 1);
    add_element(type, tag, region);
  }
}

void GmshParser::parse_elements4() {
  const std::uint64_t num_blocks = cursor_.count(4);
  cursor_.size(), cursor_.size(), cursor_.size();  // elements, lowest and highest tag
  for (std::uint64_t b = 0; b < num_blocks; ++b) {
    cursor_.int32();  // dimension of the entity
    const std::int32_t volume = cursor_.int32();
    const ElementType type = element_type(cursor_.int32());
    const std::uint64_t count = cursor_.count(1 + type.num_nodes);
    const auto found = region_of_volume_.find(volume);
    const std::int32_t region = found == region_of_volume_.end() ? 0 : found->second;
    for (std::uint64_t i = 0; i < count; ++i) {
      add_element(type, static_cast<std::int64_t>(cursor_.size()), region);
    }
  }
}

// False where the section is none that is read.
bool GmshParser::parse_section(std::string_view name) {
  const auto once = [&](bool& seen) {
    if (seen) cursor_.fail("the file has two sections " + std::string(name));
    seen = true;
    // Binary values begin right after the line; counts of 2.2 are text and find it themselves.
    if (cursor_.binary() && version4_) cursor_.end_line();
  };
  if (name == "$PhysicalNames") {
    parse_physical_names();
  } else if (name == "$Entities" && version4_) {
    bool seen = false;
    once(seen);
    parse_entities();
  } else if (name == "$Nodes") {
    once(has_nodes_);
    version4_ ? parse_nodes4() : parse_nodes2();
  } else if (name == "$Elements") {
    if (!has_nodes_) cursor_.fail("$Elements stands before $Nodes");
    once(has_elements_);
    version4_ ? parse_elements4() : parse_elements2();
  } else {
    return false;
  }
  return true;
}

RawTetMesh GmshParser::parse() {
  parse_format();
  while (!cursor_.at_end()) {
    const std::string_view name = cursor_.word();
    if (!name.starts_with('$') || name.starts_with("$End")) {
      cursor_.fail(fmt::format("\"{}\" stands where a section such as $Nodes should begin",
                               printable(name)));
    }
    const std::string end = "$End" + std::string(name.substr(1));
    if (!parse_section(name)) {
      cursor_.skip_past(end);
    } else if (cursor_.word() != end) {
      cursor_.fail(end + " should stand here, after as many items as the section promises");
    }
  }
  if (!has_nodes_ || !has_elements_) {
    cursor_.fail(fmt::format("the file ends without {}; it may be truncated",
                             has_nodes_ ? "$Elements" : "$Nodes"));
  }
  if (!has_regions_) raw_.regions.clear();
  return std::move(raw_);
}

}  // namespace

RawTetMesh parse_gmsh(const FileBytes& file) {
  return GmshParser(file).parse();
}

}  // namespace sinew::mesh
