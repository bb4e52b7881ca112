// The figures of a whole run: each column of the certificate over all frames, those that tell of
// explosions against the limits of the recording. For `sinew run`, `sinew check` and tests.
#pragma once

#include <vector>

#include "sinew/core/check_row.h"
#include "sinew/record/recording.h"

namespace sinew::record {

// Rows in the order of the columns:
//   what is counted since the frame before (steps, iterations, times): its sum;
//   what is best or worst by its meaning (inverted, min_volume_ratio): the worst of all frames;
//   all else: as it is at the end, and as "NAME, least" and "NAME, most".
// A row with a limit is of the frames that the limit holds in, limits.from and later. A column with
// a number that is not finite fails.
std::vector<CheckRow> summarize(const RecordingReader& recording);

}  // namespace sinew::record
