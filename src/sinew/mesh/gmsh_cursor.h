// Walks through a Gmsh file, text or binary: the sections of both hold the same values in the same
// order, so that one parser serves both. For read_gmsh.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sinew/core/vec.h"
#include "sinew/mesh/file_bytes.h"

namespace sinew::mesh {

// Every function refuses bad content with an InputError that names file and line (byte).
class GmshCursor {
 public:
  explicit GmshCursor(const FileBytes& file) : file_(file), text_(file.bytes) {}

  void set_binary(bool binary) { binary_ = binary; }
  bool binary() const { return binary_; }

  // Values of a section's body, in the file's mode.
  std::int32_t int32();
  std::uint64_t size();  // Gmsh's size_t
  double real();
  // A number of items to come, of at least `words` values each: refused where the rest of the file
  // has no room for them.
  std::uint64_t count(std::uint64_t words);
  Vec3d position();
  void skip_reals(std::uint64_t n);
  void skip_ints(std::uint64_t n);

  // Always text.
  bool at_end();            // nothing but blanks is left
  std::string_view word();  // the next word
  std::int64_t text_integer();
  std::uint64_t text_count(std::uint64_t words);
  std::string quoted();  // "between quotes" on the current line
  void end_line();       // passes the rest of a line
  void skip_past(std::string_view text);

  std::string place() const;
  [[noreturn]] void fail(const std::string& message) const;

 private:
  template <class T>
  T binary_value();
  void check_room(std::uint64_t count, std::uint64_t least_bytes) const;

  const FileBytes& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  bool binary_ = false;
};

}  // namespace sinew::mesh
