// A formula in a few named variables, as parts of .osim files have them ("-2*q^3-0.1*qdot"): parsed
// once, evaluated in every pose. For the forces whose law stands in the file.
//
// The grammar is that of Lepton, which OpenSim uses: + - * / ^ (to the right, and before a sign, so
// that -q^2 is -(q^2)), parentheses, numbers, and functions of one or two arguments. Departure:
// definitions after a semicolon are refused.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace sinew::skeleton {

struct Expression {
  struct Operation {
    enum class Kind { kNumber, kVariable, kNegate, kBinary, kFunction };
    Kind kind = Kind::kNumber;
    double number = 0;
    std::size_t index = 0;  // of the variable, the sign in "+-*/^", or the function
  };
  std::vector<Operation> program;  // operands before what is done to them; empty: zero
};

// Throws std::invalid_argument, with the place, where the text is no formula in these variables.
Expression parse_expression(std::string_view text, std::span<const std::string_view> variables);

// `values`: of the variables, in their order. What has no value (1/0, sqrt(-1)) is not finite.
double evaluate(const Expression& expression, std::span<const double> values);

}  // namespace sinew::skeleton
