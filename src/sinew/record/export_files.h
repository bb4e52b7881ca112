// What the exporters share: their list of frames, and numbered file names.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/record/exporters.h"

namespace sinew::record {

// The frames of the range. Throws InputError where the recording does not have them.
std::vector<std::size_t> list_frames(const RecordingReader& recording, const FrameRange& range);

// "name-0042.ext", with as many digits as the recording's last frame needs, at least four.
std::string numbered_name(const RecordingReader& recording, const std::string& name, std::size_t k,
                          const std::string& extension);

}  // namespace sinew::record
