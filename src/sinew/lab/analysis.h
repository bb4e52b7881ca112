// What experiments ask of their curves: summit, crossing, exponential, hyperbola.
#pragma once

#include <cstddef>
#include <span>

namespace sinew::lab {

struct Summit {
  double x = 0, y = 0;
};
// Of the parabola through the largest y and its neighbours; that point itself at an end.
// Precondition: as many x (rising) as y, at least one.
Summit find_summit(std::span<const double> x, std::span<const double> y);

// The first x, by straight pieces, where y passes `level` upwards at or after index `from`; NaN
// where it never does.
double find_rise(std::span<const double> x, std::span<const double> y, double level,
                 std::size_t from = 0);

// y as a straight line between points; that of the nearer end outside.
double interpolate(std::span<const double> x, std::span<const double> y, double at);

// scale (exp(rate x) - 1), the one with the least sum of squares.
struct ExponentialFit {
  double scale = 0, rate = 0;
  double misfit = 0;  // largest difference, in the largest |y|
};
// Precondition: x >= 0, at least three points, y not all zero.
ExponentialFit fit_exponential(std::span<const double> x, std::span<const double> y);

// Largest |difference| of two curves, the second read at the x of the first where it has values.
double largest_difference(std::span<const double> x, std::span<const double> y,
                          std::span<const double> other_x, std::span<const double> other_y);

}  // namespace sinew::lab
