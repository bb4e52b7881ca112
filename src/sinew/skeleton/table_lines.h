// The lines of a table in a text file, with the checks that .mot, .sto, .trc and .bvh files share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/volume/text_header.h"

namespace sinew::skeleton {

// How many numbers a table may hold: 400 MB.
inline constexpr std::size_t kMostNumbers = 50000000;

// All functions refuse bad content with an InputError of the current line.
class TableLines {
 public:
  // `text` must outlive this object; `path` is for messages.
  TableLines(std::string path, std::string_view text) : path_(std::move(path)), lines_(text) {}

  bool next();         // false at the end; lines are of at most 4 MiB
  bool next_filled();  // passes over blank lines
  std::string_view line() const { return lines_.line(); }
  double number(std::string_view word) const;  // finite, at most 1e12 in size
  // A count of things of which a file of this size can hold so many.
  std::size_t count(std::string_view word, std::string_view what) const;
  // Refuses more numbers than kMostNumbers; what a row needs besides counts as eight.
  void check_size(std::size_t num_rows, std::size_t num_columns) const;
  // Refuses a time that is not above the last of `times`.
  void check_time(double time, const std::vector<double>& times) const;
  // Refuses names that are empty or there twice.
  void check_names(const std::vector<std::string>& names, std::string_view what) const;
  // Keeps the first of names that are there more than once: which of `names` to keep, with a note
  // about the others. `what` they are, in the plural.
  std::vector<bool> find_first_names(const std::vector<std::string>& names, std::string_view what,
                                     std::vector<std::string>& notes) const;
  std::size_t number_of_line() const { return lines_.number(); }
  [[noreturn]] void fail(const std::string& message) const;

 private:
  std::string path_;
  volume::LineCursor lines_;
};

// The cells of a line between tabs, without blanks at their ends; words where it has no tab. Empty
// cells at the end are left out.
std::vector<std::string_view> split_cells(std::string_view line);
// Those of them that are not empty: what tabs in a row mean in a line of names.
std::vector<std::string_view> split_filled_cells(std::string_view line);

// A file of at most 512 MiB.
std::string read_table_bytes(const std::string& path);

}  // namespace sinew::skeleton
