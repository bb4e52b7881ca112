// What an experiment measured as text for other programs: a table of the rows, one of each plot.
#pragma once

#include <string>

#include "sinew/lab/experiment.h"

namespace sinew::lab {

// name,value,unit,limit,pass
std::string make_rows_csv(const Result& result);

// Two columns a series, "LABEL x [unit]" and "LABEL y [unit]"; shorter series leave cells empty.
std::string make_plot_csv(const Plot& plot);

}  // namespace sinew::lab
