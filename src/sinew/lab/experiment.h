// An experiment of the lab: a named function that measures something on several models of muscle
// and says whether the published behaviour is there. What it returns is plain data; page.h and
// tables.h write it, catalog.h lists all experiments.
//
// To add one: a function of this shape in a file of its own and a line in the table of catalog.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/check_row.h"
#include "sinew/lab/solid_case.h"

namespace sinew::lab {

enum class Stroke { kLine, kDashed, kDotted, kPoints };

// One curve of a plot. x and y are of one length; a value that is not finite is a gap.
struct Series {
  std::string label;
  std::vector<double> x, y;
  Stroke stroke = Stroke::kLine;
  // A curve or figure of the literature: drawn behind the others, in grey where it has no colour of
  // its own, points as rings.
  bool published = false;
  int color = -1;  // of the palette, 0..6, where curves belong together; -1: the next one
};

struct Axis {
  std::string label;  // such as "length"
  std::string unit;   // such as "mm"; "1" where there is none
};

struct Plot {
  std::string name;  // of its CSV file, [a-z0-9-]+, unique in a result
  std::string title;
  Axis x, y;
  std::vector<Series> series;
  std::string caption = {};  // what to see, and what of the literature it is compared with
};

struct TextFile {
  std::string name;  // in the folder of the result
  std::string text;
};

struct Result {
  std::vector<CheckRow> rows;
  std::vector<Plot> plots;
  std::vector<TextFile> files = {};
};

// Which models take part; an experiment leaves out those that it does not have.
struct Options {
  bool line = true;
  bool tets = true;
  bool bricks = true;
  bool grids = true;
};

struct Experiment {
  std::string_view name;    // [a-z0-9-]+
  std::string_view title;   // one line
  std::string_view source;  // what was published, such as "chen1992 Fig. 2.26"
  std::string_view models;  // such as "line, tets"
  Result (*run)(const Options& options);
  // What `--emit` writes; null where no solid takes part.
  std::vector<SolidCase> (*cases)() = nullptr;
};

// A row that must lie within low..high, both included; a value that is not finite fails.
CheckRow within(std::string name, double value, std::string unit, double low, double high);
// A row of what must be so.
CheckRow holds(std::string name, bool value);
// A row that only informs.
CheckRow informs(std::string name, double value, std::string unit);

bool passes(const Result& result);

}  // namespace sinew::lab
