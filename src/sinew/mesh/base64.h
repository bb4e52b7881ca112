// Bytes as base64 text, for the writers of VTK's XML files.
#pragma once

#include <span>
#include <string>

namespace sinew::mesh {

// With padding, without line breaks.
std::string encode_base64(std::span<const unsigned char> bytes);

}  // namespace sinew::mesh
