// Names inside a model's file, as docs/model.md tells them: for its writer and its reader.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/record/fixed_dataset.h"
#include "sinew/record/model_file.h"

namespace sinew::record::model_layout {

inline constexpr FileKind kKind{kModelFile, "model", "sinew build",
                                "`sinew build MODEL.toml -o FOLDER` makes it; the built-in "
                                "anatomies' MODEL.toml are written by "
                                "`sinew phantom arm -o scan` (also: eye, calf)"};
inline constexpr std::string_view kFormat = "sinew-model";
inline constexpr std::uint64_t kFormatVersion = 1;
inline constexpr const char* kMuscles = "/muscles";
inline constexpr const char* kTissues = "/tissues";
inline constexpr const char* kJoints = "/joints";
// Of a muscle, where it has bricks: an attribute and a group.
inline constexpr const char* kNumBricks = "num_bricks";
inline constexpr const char* kBricks = "bricks";

// Lines of points as one array of points and where each line begins, with the end of the last.
struct FlatLines {
  std::vector<Vec3f> points;
  std::vector<std::uint32_t> starts;  // (num_lines + 1)
};

}  // namespace sinew::record::model_layout
