// The validator of recordings: for `sinew check`, and for the tests.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/check_row.h"
#include "sinew/record/recording.h"

namespace sinew::record {

// Reads every frame: times increase and fit the frame rate, values are finite, indices are in
// range; reports frames, bodies, and the figures of the whole run (summary.h), held to its limits.
// Throws InputError where the file cannot be read at all.
std::vector<CheckRow> check_recording(const RecordingReader& recording);

}  // namespace sinew::record
