// A plot as an SVG picture: axes with round ticks, curves, a legend. For the lab's page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/lab/experiment.h"

namespace sinew::lab {

// `text` with <, >, & and quotes as HTML and SVG want them.
std::string escape_markup(std::string_view text);

// Round numbers (1, 2 or 5 times a power of ten apart), four to ten of them, that lie within
// low..high, both included. Precondition: low < high.
std::vector<double> make_ticks(double low, double high);

// An <svg> element that needs nothing else. Values that are not finite are left out; curves keep
// within the frame. A plot without any point has only its axes, 0..1.
std::string make_svg(const Plot& plot);

}  // namespace sinew::lab
