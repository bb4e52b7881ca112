// Models on disk: one HDF5 file that engines, the viewer and scripts read. docs/model.md tells its
// layout.
#pragma once

#include <string>
#include <vector>

#include "sinew/anatomy/model.h"

namespace sinew::record {

inline constexpr const char* kModelFile = "model.h5";

// Writes a file beside `path` and puts it in place as a whole. Throws InputError where it cannot.
void write_model(const std::string& path, const anatomy::Model& model);

// `path` is the file or the folder that holds it. Throws InputError where it is missing, cut off,
// or not a model: sizes, indices and numbers are checked.
anatomy::Model read_model(const std::string& path);

// Names of the muscles and of all other parts of a model, in the order of its file.
struct PartNames {
  std::vector<std::string> muscles, tissues;
};
PartNames read_part_names(const std::string& path);

// The surface alone of one of them, m; of a part that is not there as of a damaged file.
mesh::Surface read_part_surface(const std::string& path, const std::string& part);

// The file, where `path` is it or the folder that holds it. Throws InputError where there is none.
std::string find_model(const std::string& path);

// Whether the path is a model's file or a folder with one in it.
bool is_model(const std::string& path);

}  // namespace sinew::record
