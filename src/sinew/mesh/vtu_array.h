// The numbers of one DataArray of a VTK XML file, however they are written: text, base64, appended
// raw or base64, compressed by zlib. For vtk_xml.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::mesh {

enum class VtkEncoding { kText, kBase64, kRaw };

struct VtuArray {
  std::string path, place;  // for messages
  std::string_view type;    // such as "Float32", "Int64"
  VtkEncoding encoding;
  std::string_view data;  // text: all of it; else from the array's header on
  bool wide_header;       // header numbers have 8 bytes, not 4
  bool compressed;        // by zlib
};

// The `count` numbers of the array. Throws InputError where there are fewer or more, or a number is
// not finite, not whole (whole numbers) or too large for the type.
std::vector<double> read_reals(const VtuArray& array, std::size_t count);
std::vector<std::int64_t> read_integers(const VtuArray& array, std::size_t count);

}  // namespace sinew::mesh
