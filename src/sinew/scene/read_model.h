// Model files: what `sinew build` makes a model from. docs/model.md lists every key.
#pragma once

#include <string>

#include "sinew/anatomy/model_settings.h"

namespace sinew::scene {

// Reads and validates a model file. Paths in it are relative to its key `data`, which is relative
// to the file; `data` replaces that folder where it is not empty. Throws InputError with file and
// line, the value found, what is allowed and the nearest right word.
anatomy::ModelSettings read_model_settings(const std::string& path, const std::string& data);
// The same from text; `path` is for messages and for relative paths.
anatomy::ModelSettings parse_model_settings(const std::string& text, const std::string& path,
                                            const std::string& data);

// Whether a file is a model file rather than a scene, by its keys. Throws InputError as reading
// does.
bool is_model_file(const std::string& path);

}  // namespace sinew::scene
