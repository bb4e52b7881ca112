#include "sinew/record/export_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::record {

std::vector<std::size_t> list_frames(const RecordingReader& recording, const FrameRange& range) {
  const std::size_t n = recording.num_frames();
  if (range.first > range.last || range.last >= n || range.stride == 0)
    throw InputError(
        recording.path(), "frames",
        fmt::format("{} to {} by {} was asked for; the recording has {} frames, counted from 0",
                    range.first, range.last, range.stride, n));
  std::vector<std::size_t> frames;
  for (std::size_t k = range.first; k <= range.last; k += range.stride) frames.push_back(k);
  return frames;
}

std::string numbered_name(const RecordingReader& recording, const std::string& name, std::size_t k,
                          const std::string& extension) {
  const std::size_t digits =
      std::max<std::size_t>(4, fmt::formatted_size("{}", recording.num_frames()));
  return fmt::format("{}-{:0{}}.{}", name, k, digits, extension);
}

}  // namespace sinew::record
