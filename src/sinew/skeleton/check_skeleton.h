// What a skeleton or a motion file holds, and whether it can be used. For `sinew check` and tests.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/check_row.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::skeleton {

// Counts, masses, rest values outside their ranges, gaps of point constraints at rest; for each
// muscle its length at rest and its moment arms, mm, about the coordinates that it acts on; then
// one row for each surface file that is not there or damaged, and for each thing of the file that
// is not acted upon, by name with what that means.
std::vector<CheckRow> check_skeleton(const Skeleton& skeleton);

// By which law each muscle pulls, for models whose muscles have kinds.
struct MuscleLaw {
  std::string muscle;
  std::string kind;  // in the file
  std::string law;   // here; says so where it stands in for the kind's own curves
};
std::vector<MuscleLaw> list_muscle_laws(const Skeleton& skeleton);

// A .mot, .sto, .trc or .bvh file: its size, its time, and how much is missing. Throws InputError
// where it cannot be read.
std::vector<CheckRow> check_motion_file(const std::string& path);

}  // namespace sinew::skeleton
