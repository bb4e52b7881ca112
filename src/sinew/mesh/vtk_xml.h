// The tags of a VTK XML file with one piece, and its arrays by section and name. For the readers of
// .vtu and .vtp files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/mesh/file_bytes.h"
#include "sinew/mesh/vtu_array.h"
#include "sinew/mesh/xml_scanner.h"

namespace sinew::mesh {

// Arrays are decoded when they are asked for, since appended data stand at the file's end. All
// functions throw InputError with the file and the place.
class VtkXml {
 public:
  // `file` must outlive this object; `type` is what the file must be, such as "PolyData".
  VtkXml(const FileBytes& file, std::string_view type);

  bool has(std::string_view section, std::string_view name) const;
  // The array of a section such as "Polys" by its name; "Points" has one of any name.
  VtuArray locate(std::string_view section, std::string_view name) const;
  bool piece_says(std::string_view attribute) const {
    return piece_->attributes.contains(attribute);
  }
  // Points, cells or polygons of the piece; never more than the file can hold.
  std::size_t piece_count(std::string_view attribute) const;
  std::uint64_t most_numbers() const;         // that the file has room for
  std::vector<Vec3d> read_positions() const;  // scaled to m
  // The last offset of a section's cells, and so the length of its connectivity.
  std::size_t connectivity_size(const std::vector<std::int64_t>& offsets) const;

 private:
  struct ArrayTag {
    XmlTag tag;
    std::string_view content;
  };

  void scan(std::string_view type);
  void scan_head(const XmlTag& tag, std::string_view type);
  void scan_array(const XmlTag& tag, std::string_view section);
  void scan_appended(const XmlTag& tag);
  std::string_view attribute(const XmlTag& tag, std::string_view name) const;
  std::uint64_t number(const XmlTag& tag, std::string_view name) const;

  const FileBytes& file_;
  XmlScanner scanner_;
  bool wide_header_ = false, compressed_ = false;
  std::optional<XmlTag> piece_;
  std::map<std::pair<std::string_view, std::string_view>, ArrayTag> arrays_;
  std::string_view appended_;  // after the underscore
  bool appended_raw_ = false;
};

}  // namespace sinew::mesh
