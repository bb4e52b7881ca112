#include "sinew/skeleton/marker_gaps.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "sinew/core/text.h"

namespace sinew::skeleton {
namespace {

constexpr double kHidden = std::numeric_limits<double>::quiet_NaN();

// Such as "heel (3 of 20 frames)".
std::vector<std::string> describe_zeros(const MarkerTable& table) {
  std::vector<std::string> out;
  for (std::size_t m = 0; m < table.zeros.size(); ++m) {
    if (table.zeros[m] == 0) continue;
    out.push_back(
        fmt::format("{} ({} of {} frames)", table.names[m], table.zeros[m], table.rows.size()));
  }
  return out;
}

std::string join_some_of(const std::vector<std::string>& words) {
  return join_some(std::vector<std::string_view>(words.begin(), words.end()));
}

}  // namespace

void take_zeros_as_hidden(MarkerTable& table) {
  table.zeros.assign(table.names.size(), 0);
  for (std::vector<Vec3d>& row : table.rows) {
    for (std::size_t m = 0; m < row.size(); ++m) {
      if (row[m] != Vec3d{0, 0, 0}) continue;
      row[m] = {kHidden, kHidden, kHidden};
      ++table.zeros[m];
    }
  }
  const std::vector<std::string> markers = describe_zeros(table);
  if (markers.empty()) return;
  table.notes.push_back(
      fmt::format("{}: 0 0 0 is taken as not seen: {}", table.file, join_some_of(markers)));
}

void note_what_is_missing(std::optional<std::size_t> promised_frames, MarkerTable& table) {
  std::vector<std::string> never;
  for (std::size_t m = 0; m < table.names.size(); ++m) {
    const auto is_seen = [&](const std::vector<Vec3d>& row) { return is_finite(row[m]); };
    if (std::ranges::none_of(table.rows, is_seen)) never.push_back(table.names[m]);
  }
  if (!never.empty()) {
    table.notes.push_back(fmt::format("{}: seen in no frame: {}", table.file, join_some_of(never)));
  }
  table.promised_frames = promised_frames;
  if (!promised_frames || *promised_frames == table.rows.size()) return;
  table.notes.push_back(fmt::format(
      "{}: there are {} frames, though the header says NumFrames={}; all that are there are "
      "read{}",
      table.file, table.rows.size(), *promised_frames,
      *promised_frames > table.rows.size() ? "; is the file cut off?" : ""));
}

}  // namespace sinew::skeleton
