// OpenVDB's grids, for the few sources here that hold one: everyone else sees level_set.h.
#pragma once

// Half floats are not used: without their table nothing of Imath needs to be linked.
#define IMATH_HALF_NO_LOOKUP_TABLE

#include <openvdb/openvdb.h>
#include <openvdb/tools/Dense.h>

#include "sinew/levelset/level_set.h"

namespace sinew::levelset {

// A view of values in memory, x fastest, as in volume::Image.
using DenseView = openvdb::tools::Dense<float, openvdb::tools::LayoutXYZ>;

inline openvdb::CoordBBox to_openvdb(const IndexBox& box) {
  return {{box.low[0], box.low[1], box.low[2]}, {box.high[0], box.high[1], box.high[2]}};
}

}  // namespace sinew::levelset
