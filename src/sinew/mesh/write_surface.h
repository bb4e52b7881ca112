// Triangle surfaces as files that other programs and read_surface read: binary STL and OBJ.
#pragma once

#include <string>

#include "sinew/mesh/surface.h"

namespace sinew::mesh {

// The ending of the path, .stl or .obj, chooses the format. Positions in m; STL keeps single
// precision and no shared vertices. Throws InputError for another ending or where the file cannot
// be written.
void write_surface(const std::string& path, const Surface& surface);

}  // namespace sinew::mesh
