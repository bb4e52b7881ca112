#include <fmt/format.h>

#include "sinew/core/temporary_file.h"
#include "sinew/record/export_files.h"

namespace sinew::record {
namespace {

// In quotes where the text would otherwise break the table (RFC 4180).
std::string make_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

}  // namespace

std::vector<std::string> export_csv(const RecordingReader& recording, const FrameRange& range,
                                    const std::string& folder) {
  const std::vector<std::size_t> frames = list_frames(recording, range);
  const auto& columns = recording.info().certificate;
  std::string text = "frame,time [s],state_hash";
  for (const auto& column : columns)
    text += "," + make_cell(fmt::format("{} [{}]", column.name, column.unit));
  text += "\n";
  std::vector<std::vector<double>> values;
  for (std::size_t c = 0; c < columns.size(); ++c)
    values.push_back(recording.read_measure(c, range.first));
  for (const std::size_t k : frames) {
    text += fmt::format("{},{},{:016x}", k, recording.read_time(k), recording.read_state_hash(k));
    // The shortest digits that bring the number back bit for bit.
    for (const auto& column : values) text += fmt::format(",{}", column[k - range.first]);
    text += "\n";
  }
  make_folder(folder);
  std::string path = folder + "/certificate.csv";
  write_file(path, text);
  return {path};
}

}  // namespace sinew::record
