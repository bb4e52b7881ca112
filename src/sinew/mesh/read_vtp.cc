// VTK's XML files of PolyData with one piece: polygons and triangle strips are read, points and
// lines passed over. OpenSim's bones come as such files.
#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/mesh/surface_parsers.h"
#include "sinew/mesh/vtk_xml.h"

namespace sinew::mesh {
namespace {

constexpr std::int64_t kMaxCorners = 1024;  // of a polygon

struct Cells {
  std::vector<std::int64_t> offsets, connectivity;
};

Cells read_cells(const VtkXml& xml, std::string_view section, std::string_view count_attribute) {
  const std::size_t count = xml.piece_says(count_attribute) ? xml.piece_count(count_attribute) : 0;
  if (count == 0) return {};
  Cells cells;
  cells.offsets = read_integers(xml.locate(section, "offsets"), count);
  cells.connectivity =
      read_integers(xml.locate(section, "connectivity"), xml.connectivity_size(cells.offsets));
  return cells;
}

class VtpParser {
 public:
  explicit VtpParser(const FileBytes& file) : file_(file), xml_(file, "PolyData") {
    surface_.positions = xml_.read_positions();
  }

  Surface parse() {
    visit("Polys", "NumberOfPolys", kMaxCorners, [&] { add_polygon(surface_, corners_); });
    const auto longest = static_cast<std::int64_t>(xml_.most_numbers());
    visit("Strips", "NumberOfStrips", longest, [&] { add_strip(); });
    return std::move(surface_);
  }

 private:
  // Calls `add` with the corners of each cell in corners_.
  template <class Add>
  void visit(std::string_view section, std::string_view count, std::int64_t most, const Add& add) {
    const Cells cells = read_cells(xml_, section, count);
    std::int64_t first = 0;
    for (std::size_t c = 0; c < cells.offsets.size(); ++c) {
      const std::int64_t last = cells.offsets[c];
      const auto size = static_cast<std::int64_t>(cells.connectivity.size());
      if (last < first || last > size || last - first > most) {
        fail(section, c,
             fmt::format("its offset is {}; allowed: {} to {}, at most {} corners", last, first,
                         size, most));
      }
      corners_.clear();
      for (; first < last; ++first) {
        corners_.push_back(corner(cells.connectivity[static_cast<std::size_t>(first)], section, c));
      }
      add();
    }
  }

  std::uint32_t corner(std::int64_t n, std::string_view section, std::size_t cell) const {
    if (n < 0 || n >= static_cast<std::int64_t>(surface_.positions.size())) {
      fail(section, cell,
           fmt::format("point {} does not exist; there are {}, counted from 0", n,
                       surface_.positions.size()));
    }
    return static_cast<std::uint32_t>(n);
  }

  // Every second triangle of a strip runs the other way round.
  void add_strip() {
    for (std::size_t i = 2; i < corners_.size(); ++i) {
      const bool is_even = i % 2 == 0;
      add_polygon(surface_, {corners_[is_even ? i - 2 : i - 1], corners_[is_even ? i - 1 : i - 2],
                             corners_[i]});
    }
  }

  [[noreturn]] void fail(std::string_view section, std::size_t cell,
                         const std::string& message) const {
    throw InputError(file_.path, fmt::format("{}, element {}", section, cell), message);
  }

  const FileBytes& file_;
  VtkXml xml_;
  Surface surface_;
  std::vector<std::uint32_t> corners_;
};

}  // namespace

Surface parse_vtp(const FileBytes& file) {
  return VtpParser(file).parse();
}

}  // namespace sinew::mesh
