// Recordings for other programs. Each writes into `folder` (created if missing) and returns the
// paths written; throws InputError where it cannot write.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/record/recording.h"

namespace sinew::record {

struct FrameRange {
  std::size_t first = 0;
  std::size_t last = 0;    // inclusive
  std::size_t stride = 1;  // >= 1
};

// ParaView: BODY-surface-NNNN.vtu and BODY-volume-NNNN.vtu a frame with inline base64 data, and
// surface.pvd, volume.pvd with the times.
std::vector<std::string> export_vtu(const RecordingReader& recording, const FrameRange& range,
                                    const std::string& folder);
// One .obj a body and frame.
std::vector<std::string> export_obj(const RecordingReader& recording, const FrameRange& range,
                                    const std::string& folder);
// certificate.csv: a row a frame, a column a measure with its unit in the header.
std::vector<std::string> export_csv(const RecordingReader& recording, const FrameRange& range,
                                    const std::string& folder);
// A picture: frames of the range side by side, shaded, on the floor plane; one PNG.
std::vector<std::string> export_png(const RecordingReader& recording, const FrameRange& range,
                                    const std::string& folder);

}  // namespace sinew::record
