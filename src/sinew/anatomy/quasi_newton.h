// Minimisation of a smooth function of many numbers by L-BFGS with a diagonal to start from and
// backtracking; a value that is not finite is a barrier. For fitting maps to shapes.
//
// Source: Nocedal and Wright 2006, algorithms 7.4 and 3.1.
#pragma once

#include <functional>
#include <vector>

namespace sinew::anatomy {

// f(x), and its gradient into `gradient` (of x's size); an infinite value marks what is forbidden.
using SmoothFunction =
    std::function<double(const std::vector<double>& x, std::vector<double>& gradient)>;

struct DescentReport {
  int iterations = 0;
  double value = 0;        // f at the end
  bool converged = false;  // no step of any length helped, or the gradient fell by `tolerance`
};

// From x, where f is finite, downhill. `diagonal` is an estimate of the second derivatives,
// positive. Never leaves x with a larger value. Stops after `max_iterations` or where
// sqrt(g . g / diagonal) is `tolerance` of its first value.
DescentReport descend(const SmoothFunction& function, const std::vector<double>& diagonal,
                      int max_iterations, double tolerance, std::vector<double>& x);

}  // namespace sinew::anatomy
