// Whether recorded markers and a skeleton belong together: sizes, frames of reference, errors that
// are too large to be noise. For `sinew ik`, which warns of what does not fit.
//
// Source: docs/theory/skeleton.md, equations (68)-(70).
#pragma once

#include <string>
#include <vector>

#include "sinew/skeleton/inverse_kinematics.h"

namespace sinew::skeleton {

// Of the size: what a body's marker may be off. A segment is about a quarter of a body long: a
// marker that is off by a twentieth of the body turns it by 11 degrees, one by a tenth by 22.
inline constexpr double kLargeError = 0.05;   // root mean square over all markers and frames
inline constexpr double kLargestError = 0.1;  // of one marker in one frame
// Lengths in the recording over those of the model: people of one model differ by less than
// this, units by ten or more.
inline constexpr double kMostSpread = 3;

struct MarkerFit {
  double size = 0;  // m, of the model: the diagonal of the box around joints and markers at rest
  double spread =
      1;  // of recorded markers about their middle, over that of the model's in the pose
  std::size_t worst = 0;              // of the used markers: that with the largest error
  std::vector<std::string> warnings;  // each names the file and what is wrong
};

// `result`: of solve_markers with this table and these settings.
MarkerFit judge_markers(const Skeleton& skeleton, const MarkerTable& table,
                        const IkSettings& settings, const IkResult& result);

}  // namespace sinew::skeleton
