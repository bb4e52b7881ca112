// The page of an experiment: what was measured and whether it passed, plots, what was published.
// And the folder that holds the page, its tables and the experiment's files.
#pragma once

#include <string>
#include <vector>

#include "sinew/lab/experiment.h"

namespace sinew::lab {

// The text of one HTML file that needs no other file and no network.
std::string make_page(const Experiment& experiment, const Result& result);

// Writes index.html, rows.csv, PLOT.csv for each plot and the result's files; returns their paths.
// Throws InputError where that fails.
std::vector<std::string> write_result(const std::string& folder, const Experiment& experiment,
                                      const Result& result);

}  // namespace sinew::lab
