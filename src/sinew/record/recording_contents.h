// Opens the parts of a recording and believes none of them: names, types, shapes and indices are
// checked against each other and against the size of the file. For the reader; each throws
// InputError with the file and the part's path.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sinew/record/fixed_dataset.h"
#include "sinew/record/hdf5_file.h"
#include "sinew/record/recording.h"

namespace sinew::record {

inline constexpr FileKind kRecordingKind{kRecordingFile, "recording", "sinew run",
                                         "`sinew run SCENE -o FOLDER` makes it"};

// What a body has for every frame.
struct BodyDatasets {
  hdf5::Dataset surface;  // or the pose, where the body is rigid
  hdf5::Dataset nodes;
  std::vector<hdf5::Dataset> fields;
};

// A pose as it is stored: three rows of the rotation, each with its part of the translation.
using PoseRow = std::array<double, 12>;
PoseRow to_row(const engine::RigidPose& pose);
engine::RigidPose to_pose(const PoseRow& row);

// All that does not change.
RecordingInfo read_info(const hdf5::File& file);

// Datasets with a chunk a frame; `row` is the shape of a frame. The number of frames is not
// checked.
hdf5::Dataset open_growing(const hdf5::File& file, const std::string& path, hdf5::Type type,
                           const hdf5::Dims& row);
std::vector<hdf5::Dataset> open_columns(const hdf5::File& file, const std::string& group,
                                        hdf5::Type type, const hdf5::Dims& row,
                                        const std::vector<engine::FieldInfo>& columns);
std::vector<BodyDatasets> open_bodies(const hdf5::File& file,
                                      const std::vector<engine::BodyTopology>& bodies);

}  // namespace sinew::record
