// Values of a volume from the bytes that a file stores them in: any scalar type and byte order,
// packed, raw or text. For read_volume.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/volume/volume_header.h"

namespace sinew::volume {

// The voxels of header.grid from `data`, which begins where header.data_begin says; T is
// std::uint16_t (labels) or float (fields). Throws InputError with `path` where the data are too
// short, damaged, or a value is no label (a whole number from 0 to 65535) or not finite.
template <class T>
std::vector<T> decode_voxels(const VolumeHeader& header, const std::string& path,
                             std::string_view data);

}  // namespace sinew::volume
