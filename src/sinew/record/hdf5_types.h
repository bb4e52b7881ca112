// Between our element types and HDF5's: for the units that include HDF5's headers.
#pragma once

#include <type_traits>
#include <vector>

#include <hdf5.h>

#include "sinew/record/hdf5_file.h"

namespace sinew::record::hdf5 {

static_assert(std::is_same_v<hid_t, Id> && std::is_same_v<herr_t, int>);

// How values lie in memory, and in the file (little-endian everywhere).
hid_t memory_type(Type type);
hid_t file_type(Type type);
// kOther where it is none of ours.
Type type_of(hid_t type);

inline std::vector<hsize_t> as_hsize(const Dims& dims) {
  return {dims.begin(), dims.end()};
}

}  // namespace sinew::record::hdf5
