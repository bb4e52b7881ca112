// A table of words in a report, such as which muscle pulls by which law. For people as columns, for
// machines as a list of objects (report.cc).
#pragma once

#include <string>
#include <vector>

namespace sinew::app {

struct TextTable {
  std::string name;                            // its key in JSON
  std::vector<std::string> columns;            // one or more: keys of the rows' words
  std::vector<std::vector<std::string>> rows;  // a word for each column
};

// The columns' names and the rows as lines of equally wide columns.
std::vector<std::string> make_lines(const TextTable& table);

}  // namespace sinew::app
