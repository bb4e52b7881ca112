// What is missing of recorded markers: frames where a camera did not see one, however the file says
// it, and frames that its header promises. For the reader of .trc files.
#pragma once

#include <cstddef>
#include <optional>

#include "sinew/skeleton/motion.h"

namespace sinew::skeleton {

// Many systems write 0 0 0 where a marker was hidden: such places become NaN, with a note that
// names the markers.
void take_zeros_as_hidden(MarkerTable& table);

// A note for each marker that no frame has, and one where the header promises another number of
// frames than there are.
void note_what_is_missing(std::optional<std::size_t> promised_frames, MarkerTable& table);

}  // namespace sinew::skeleton
