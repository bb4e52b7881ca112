// The functions of .osim files.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/core/text.h"
#include "sinew/skeleton/osim_parts.h"

namespace sinew::skeleton {
namespace {

constexpr int kMaxNested = 8;  // multipliers of multipliers
constexpr std::string_view kFunctions[] = {"Constant",
                                           "LinearFunction",
                                           "SimmSpline",
                                           "NaturalCubicSpline",
                                           "natCubicSpline",
                                           "GCVSpline",
                                           "PiecewiseLinearFunction",
                                           "PolynomialFunction",
                                           "MultiplierFunction",
                                           "Sine",
                                           "StepFunction"};

bool is_function(const XmlElement& element) {
  return std::ranges::find(kFunctions, element.tag()) != std::end(kFunctions);
}

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

Function read_knots(const XmlElement& element) {
  const std::vector<double> x = element.numbers("x"), y = element.numbers("y");
  if (x.size() != y.size()) {
    element.fail(
        fmt::format("{} has {} numbers in <x> and {} in <y>", element.label(), x.size(), y.size()));
  }
  try {
    // OpenSim reads the two older names of SimmSpline as that, whose ends are not natural.
    Function out = element.tag() == "PiecewiseLinearFunction" ? make_piecewise_line(x, y)
                   : element.tag() == "GCVSpline" ? make_spline(x, y, SplineEnds::kNatural)
                                                  : make_spline(x, y, SplineEnds::kThirdDerivative);
    if (!all_finite(out.b) || !all_finite(out.c) || !all_finite(out.d)) {
      throw std::invalid_argument("its points lie too close together");
    }
    return out;
  } catch (const std::invalid_argument& error) {
    element.fail(fmt::format("{}: {}", element.label(), error.what()));
  }
}

// Natural splines that interpolate are what a generalised cross-validation of half order 2 gives.
Function read_gcv(Osim& osim, const XmlElement& element, const std::string& where) {
  if (element.number("half_order", 3) != 2 || element.number("error_variance", 0) != 0) {
    osim.note("GCVSpline", where, "a natural cubic spline through its points is used instead");
  }
  return read_knots(element);
}

// y = start + (end - start) (10 t^3 - 15 t^4 + 6 t^5), by cubics that have its values and slopes at
// 65 points: within 6e-8 of the step's height.
Function make_step(double start, double end, double low, double high) {
  constexpr std::size_t kPieces = 64;
  Function out;
  out.kind = Function::Kind::kSpline;
  const std::size_t n = kPieces + 1;
  out.x.resize(n), out.y.resize(n), out.b.resize(n), out.c.assign(n, 0), out.d.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(kPieces);
    out.x[i] = start + t * (end - start);
    out.y[i] = low + (high - low) * t * t * t * (10 + t * (6 * t - 15));
    out.b[i] = (high - low) / (end - start) * 30 * t * t * (1 - t) * (1 - t);
  }
  for (std::size_t i = 0; i + 1 < n; ++i) {  // Hermite's cubic
    const double h = out.x[i + 1] - out.x[i];
    const double slope = (out.y[i + 1] - out.y[i]) / h;
    out.c[i] = (3 * slope - 2 * out.b[i] - out.b[i + 1]) / h;
    out.d[i] = (out.b[i] + out.b[i + 1] - 2 * slope) / (h * h);
  }
  return out;
}

Function read_step(const XmlElement& element) {
  const double start = element.number("start_time", 0), end = element.number("end_time", 1);
  // Closer steps would divide by nothing.
  if (!(end - start > 1e-9 * std::max(1.0, std::max(std::abs(start), std::abs(end))))) {
    element.fail(fmt::format("{} ends at {} and begins at {}; it must end later", element.label(),
                             end, start));
  }
  return make_step(start, end, element.number("start_value", 0), element.number("end_value", 1));
}

Function read_polynomial(const XmlElement& element) {
  Function out;
  out.kind = Function::Kind::kPolynomial;
  out.coefficients = element.numbers("coefficients");
  if (out.coefficients.empty() || out.coefficients.size() > 32) {
    element.fail(fmt::format("{} has {} coefficients; allowed: 1 to 32", element.label(),
                             out.coefficients.size()));
  }
  std::ranges::reverse(out.coefficients);  // files begin with the highest power
  return out;
}

Function parse(Osim& osim, const XmlElement& element, const std::string& where, int depth) {
  const std::string& tag = element.tag();
  if (tag == "Constant") return make_constant(element.number("value", 0));
  if (tag == "LinearFunction") {
    const std::vector<double> line = element.numbers("coefficients", 2);
    return make_line(line[0], line[1]);
  }
  if (tag == "SimmSpline" || tag == "NaturalCubicSpline" || tag == "natCubicSpline" ||
      tag == "PiecewiseLinearFunction") {
    return read_knots(element);
  }
  if (tag == "GCVSpline") return read_gcv(osim, element, where);
  if (tag == "PolynomialFunction") return read_polynomial(element);
  if (tag == "StepFunction") return read_step(element);
  if (tag == "Sine") {
    Function out;
    out.kind = Function::Kind::kSine;
    out.coefficients = {element.number("amplitude", 1), element.number("omega", 1),
                        element.number("phase", 0), element.number("offset", 0)};
    return out;
  }
  if (tag == "MultiplierFunction") {
    if (depth >= kMaxNested) element.fail("multipliers are nested too deep");
    const auto inner = element.find("function");
    std::vector<XmlElement> choices = inner ? inner->children() : element.children();
    const auto found = std::ranges::find_if(choices, is_function);
    if (found == choices.end()) element.fail("the MultiplierFunction has no function to multiply");
    Function out = parse(osim, *found, where, depth + 1);
    out.scale *= element.number("scale", 1);
    return out;
  }
  element.fail(fmt::format("the function {} of {} is not known{}; allowed: {}", printable(tag),
                           printable(where), did_you_mean(tag, kFunctions), join(kFunctions)));
}

// The element of the property's function: the wrapper's only child, or a child by its name.
std::optional<XmlElement> find_function(const XmlElement& element, std::string_view property) {
  if (const auto wrapper = element.find(property)) {
    const std::vector<XmlElement> inside = wrapper->children();
    if (!inside.empty()) return inside.front();
  }
  for (const XmlElement& child : element.children()) {
    if (child.name() == property || (property == "function" && is_function(child))) return child;
  }
  return std::nullopt;
}

}  // namespace

bool has_function(const XmlElement& element, std::string_view property) {
  return find_function(element, property).has_value();
}

Function read_function(Osim& osim, const XmlElement& element, std::string_view property,
                       const std::string& where) {
  const auto found = find_function(element, property);
  if (!found) element.fail(fmt::format("{} has no function <{}>", element.label(), property));
  return parse(osim, *found, where, 0);
}

}  // namespace sinew::skeleton
