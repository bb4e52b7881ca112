#include <iterator>

#include <fmt/format.h>

#include "sinew/core/temporary_file.h"
#include "sinew/record/export_files.h"

namespace sinew::record {
namespace {

// Nine digits bring a float back bit for bit.
std::string make_obj(const engine::BodyTopology& body, const std::vector<Vec3f>& surface) {
  std::string text = fmt::format("o {}\n", body.name);
  auto out = std::back_inserter(text);
  for (const Vec3f& p : surface) fmt::format_to(out, "v {:.9g} {:.9g} {:.9g}\n", p.x, p.y, p.z);
  for (const auto& t : body.triangles)
    fmt::format_to(out, "f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return text;
}

}  // namespace

std::vector<std::string> export_obj(const RecordingReader& recording, const FrameRange& range,
                                    const std::string& folder) {
  make_folder(folder);
  std::vector<std::string> files;
  const auto& bodies = recording.info().bodies;
  for (const std::size_t k : list_frames(recording, range)) {
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      files.push_back(folder + "/" + numbered_name(recording, bodies[b].name, k, "obj"));
      write_file(files.back(), make_obj(bodies[b], recording.read_body(k, b).surface));
    }
  }
  return files;
}

}  // namespace sinew::record
