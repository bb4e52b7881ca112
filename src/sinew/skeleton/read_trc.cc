#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parse_number.h"
#include "sinew/core/text.h"
#include "sinew/skeleton/marker_gaps.h"
#include "sinew/skeleton/read_table.h"
#include "sinew/skeleton/table_lines.h"

namespace sinew::skeleton {
namespace {

constexpr double kNotSeen = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kLead = 2;  // columns before the markers: frame and time

struct TrcHeader {
  std::size_t num_markers = 0;
  std::string_view unit;
  double scale = 1;  // from the file's unit to m
  std::optional<std::size_t> num_frames;
};

double unit_scale(const TableLines& lines, std::string_view unit) {
  const std::string word = to_lower(unit);
  if (word == "mm") return 1e-3;
  if (word == "cm") return 1e-2;
  if (word == "m" || word == "meters") return 1;
  lines.fail(fmt::format("the unit is \"{}\"; allowed: mm, cm, m", printable(unit)));
}

// The first three lines: the kind of file, names of properties, their values.
TrcHeader parse_head(TableLines& lines) {
  if (!lines.next() || !lines.line().starts_with("PathFileType")) {
    lines.fail("the file must begin with \"PathFileType\"; is it a .trc file?");
  }
  if (!lines.next_filled()) lines.fail("the file ends within its header");
  const std::string_view names = lines.line();
  if (!lines.next_filled()) lines.fail("the file ends within its header");
  std::vector<std::string_view> keys = split_filled_cells(names);
  std::vector<std::string_view> values = split_filled_cells(lines.line());
  if (keys.size() != values.size()) {  // some values are left out: tabs say which
    keys = split_cells(names);
    values = split_cells(lines.line());
  }
  const auto get = [&](std::string_view key) {
    const auto at = static_cast<std::size_t>(std::ranges::find(keys, key) - keys.begin());
    if (at >= keys.size() || at >= values.size()) {
      lines.fail(fmt::format("the header does not say {}", key));
    }
    return values[at];
  };
  const std::string_view unit = get("Units");
  TrcHeader header{lines.count(get("NumMarkers"), "NumMarkers"), unit, unit_scale(lines, unit), {}};
  const auto place = static_cast<std::size_t>(std::ranges::find(keys, "NumFrames") - keys.begin());
  std::size_t frames = 0;  // what is left out or does not read promises nothing
  if (place < std::min(keys.size(), values.size()) && parse_whole(values[place], frames))
    header.num_frames = frames;
  return header;
}

// (num_markers of the file) which are kept.
std::vector<bool> parse_names(TableLines& lines, const TrcHeader& header, MarkerTable& table) {
  if (!lines.next_filled()) lines.fail("the file ends before the names of the markers");
  const std::vector<std::string_view> cells = split_filled_cells(lines.line());
  if (cells.size() < kLead || !to_lower(cells[1]).starts_with("time")) {
    lines.fail("the columns must begin with \"Frame#\" and \"Time\"");
  }
  const std::vector<std::string> names(cells.begin() + kLead, cells.end());
  std::vector<bool> is_kept = lines.find_first_names(names, "markers", table.notes);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_kept[i]) table.names.push_back(names[i]);
  }
  if (names.size() != header.num_markers) {
    lines.fail(fmt::format("there are {} markers; the header promises NumMarkers={}", names.size(),
                           header.num_markers));
  }
  if (!lines.next_filled() || to_lower(volume::trim(lines.line()).substr(0, 1)) != "x") {
    lines.fail("the line \"X1 Y1 Z1 ...\" must follow the names of the markers");
  }
  return is_kept;
}

Vec3d parse_marker(const TableLines& lines, const std::vector<std::string_view>& cells,
                   std::size_t first, double scale, const std::string& name) {
  const auto is_missing = [](std::string_view cell) {
    return cell.empty() || to_lower(cell) == "nan";
  };
  Vec3d out{kNotSeen, kNotSeen, kNotSeen};
  std::size_t num_missing = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const bool missing = first + k >= cells.size() || is_missing(cells[first + k]);
    num_missing += missing ? 1 : 0;
    if (!missing) out[k] = lines.number(cells[first + k]) * scale;
  }
  if (num_missing != 0 && num_missing != 3) {
    lines.fail(fmt::format("the marker \"{}\" has {} of 3 numbers; the line may be cut off",
                           printable(name), 3 - num_missing));
  }
  return out;
}

void parse_frame(const TableLines& lines, double scale, const std::vector<bool>& is_kept,
                 MarkerTable& table) {
  std::vector<std::string_view> cells = split_cells(lines.line());
  const std::size_t needed = kLead + 3 * is_kept.size();
  if (cells.size() > needed) {
    // Every number is there, and between them more tabs than one.
    std::vector<std::string_view> filled = split_filled_cells(lines.line());
    if (filled.size() == needed) cells = std::move(filled);
  }
  // A marker that is not seen leaves its cells empty, but its tabs stand; without tabs nothing
  // tells whose numbers are missing.
  const auto tabs = static_cast<std::size_t>(std::ranges::count(lines.line(), '\t'));
  const std::size_t there = tabs > 0 ? tabs + 1 : cells.size();
  if (cells.size() < kLead || cells.size() > needed || there < needed) {
    lines.fail(
        fmt::format("the line has {} columns; {} are needed: frame, time and 3 a marker, "
                    "empty between tabs where it is not seen",
                    std::min(there, cells.size()), needed));
  }
  lines.check_size(table.rows.size() + 1, needed);
  const double time = lines.number(cells[1]);
  lines.check_time(time, table.times);
  std::vector<Vec3d> row;
  row.reserve(table.names.size());
  for (std::size_t m = 0; m < is_kept.size(); ++m) {
    if (!is_kept[m]) continue;
    row.push_back(parse_marker(lines, cells, kLead + 3 * m, scale, table.names[row.size()]));
  }
  table.times.push_back(time);
  table.rows.push_back(std::move(row));
}

}  // namespace

MarkerTable parse_trc(const std::string& text, const std::string& path) {
  TableLines lines(path, text);
  const TrcHeader header = parse_head(lines);
  MarkerTable table;
  table.file = path;
  table.unit = to_lower(header.unit);
  table.unit_size = header.scale;
  const std::vector<bool> is_kept = parse_names(lines, header, table);
  while (lines.next_filled()) parse_frame(lines, header.scale, is_kept, table);
  if (table.times.empty()) lines.fail("the file has no frames");
  take_zeros_as_hidden(table);
  note_what_is_missing(header.num_frames, table);
  return table;
}

MarkerTable read_trc(const std::string& path) {
  return parse_trc(read_table_bytes(path), path);
}

}  // namespace sinew::skeleton
