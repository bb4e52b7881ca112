#include "sinew/material/line_curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sinew/material/corner_curve.h"
#include "sinew/material/fiber_curves.h"

namespace sinew::material {
namespace {

constexpr double kStraightFrom = 1.5;  // in strains, of Thelen's and De Groote's passive curves

CurveValue read(const Curve& curve, double x) {
  const auto at = find_place(curve, x);
  return {evaluate(curve, at), evaluate_slope(curve, at)};
}

// Default parameters of OpenSim's curves for Millard et al. 2013.
const Curve& millard_active() {
  // Shortest, steep and shallow ascent, plateau, descent, longest.
  constexpr std::array<CurveKnot, 6> kKnots = {{{0.4441, 0, 0, 1},
                                                {0.58705, 0.405224, 3.657, 1},
                                                {0.84, 0.905224, 0.8616, 1},
                                                {1, 1, 0, 1},
                                                {1.43115, 0.5, -1.4039, 1},
                                                {1.8123, 0, 0, 0}}};
  static const Curve curve = make_corner_curve(kKnots);
  return curve;
}
const Curve& millard_passive() {
  // Over strain / passive_strain: a foot with a slope of 0.2, and 2 at maximal isometric force.
  constexpr std::array<CurveKnot, 3> kKnots = {
      {{0, 0, 0, 0.75}, {0.05, 0.0035, 0.14, 0.75}, {1, 1, 2, 0}}};
  static const Curve curve = make_corner_curve(kKnots);
  return curve;
}
const Curve& millard_tendon() {
  // Over strain / tendon_strain: a toe up to two thirds of the force, then a slope of 1.375.
  constexpr double kSlope = 1.375, kToe = 1 - (1.0 / 3) / kSlope, kFoot = kToe / 10;
  constexpr double kMiddle = 1 - (2.0 / 3) / kSlope, kRise = (1.0 / 3) / (kMiddle - kFoot);
  constexpr double kHalf = 0.5 * (kFoot + kMiddle);
  constexpr std::array<CurveKnot, 3> kKnots = {
      {{0, 0, 0, 0.5}, {kHalf, kRise * (kHalf - kFoot), kRise, 0.5}, {kToe, 2.0 / 3, kSlope, 0}}};
  static const Curve curve = make_corner_curve(kKnots);
  return curve;
}
const Curve& millard_velocity() {
  constexpr std::array<CurveKnot, 5> kKnots = {{{-1, 0, 0, 0.6},
                                                {-0.9, 0.0125, 0.25, 0.6},
                                                {0, 1, 5, 0.9},
                                                {0.9, 1.3925, 0.15, 0.9},
                                                {1, 1.4, 0, 0}}};
  static const Curve curve = make_corner_curve(kKnots);
  return curve;
}

CurveValue thelen_active(double width, double length) {
  const double value = std::exp(-(length - 1) * (length - 1) / width);
  return {value, -2 * (length - 1) / width * value};
}

// An exponential of `shape` e-folds from 0 to `height` over `width`, then straight with its end
// slope.
CurveValue exponential_toe(double x, double width, double shape, double height) {
  if (x <= 0) return {0, 0};
  const double u = x / width, scale = height / std::expm1(shape);
  if (u <= 1) return {scale * std::expm1(shape * u), scale * shape / width * std::exp(shape * u)};
  const double slope = scale * shape / width * std::exp(shape);
  return {height + slope * (x - width), slope};
}

// Thelen's tendon: a third of the force at the toe's end, three e-folds; the straight part has the
// toe's end slope and reaches 1 at the tendon's strain, which gives the toe's width.
CurveValue thelen_tendon(double tendon_strain, double strain) {
  constexpr double kToeForce = 0.33, kToeShape = 3;
  const double steepness = kToeForce * kToeShape / -std::expm1(-kToeShape);
  const double width = tendon_strain * steepness / (1 - kToeForce + steepness);
  return exponential_toe(strain, width, kToeShape, kToeForce);
}

CurveValue thelen_velocity(const LineShape& shape, double v) {
  const double Af = shape.force_velocity_shape, Flen = shape.lengthening_force;
  if (v < 0) {
    const double from = std::max(v, -1.0), lower = 1 - from / Af;
    const double slope = (1 + 1 / Af) / (lower * lower);
    return {(1 + from) / lower + slope * (v - from), slope};
  }
  const double k = (2 + 2 / Af) / (Flen - 1);
  const double straight_from = (0.95 * Flen - 1) / (k * 0.05 * Flen);  // where it is 0.95 Flen
  const double from = std::min(v, std::max(straight_from, 0.0)), lower = 1 + k * from;
  const double slope = k * (Flen - 1) / (lower * lower);
  return {(1 + k * Flen * from) / lower + slope * (v - from), slope};
}

// chen1992's fit to Zajac's curve: Hill's hyperbola turned on its side.
CurveValue hill_velocity(double v) {
  constexpr double kScale = 1.65 / std::numbers::pi, kSteepness = 3.1, kShift = 0.32774;
  const double u = kSteepness * (v + kShift);
  return {kScale * (std::atan(u) - std::atan(kSteepness * kShift)) + 1,
          kScale * kSteepness / (1 + u * u)};
}

// De Groote et al. 2016: three bells whose width changes with the length.
CurveValue degroote_active(double width, double length) {
  struct Bell {
    double height, middle, width, widening;
  };
  constexpr std::array<Bell, 3> kBells = {
      {{0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465},
       {0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188},
       {0.1, 1, 0.353553390593274, 0}}};
  constexpr double kNarrowest = 1e-3;  // a bell is zero long before
  const double x = (length - 1) / width + 1;
  CurveValue sum;
  for (const Bell& bell : kBells) {
    const double d = bell.width + bell.widening * x, off = x - bell.middle;
    if (std::abs(d) < kNarrowest) continue;
    const double value = bell.height * std::exp(-0.5 * off * off / (d * d));
    sum.value += value;
    sum.slope -= value * off * (bell.width + bell.widening * bell.middle) / (d * d * d * width);
  }
  return sum;
}

// An exponential of four e-folds a passive strain, from zero at the shortest length.
CurveValue degroote_passive(double passive_strain, double length) {
  constexpr double kShape = 4, kShortest = 0.2;
  const double folds = kShape / passive_strain;
  const double width = 1 - kShortest + kStraightFrom * passive_strain;
  const double height =
      std::expm1(folds * width) / std::expm1(folds * (1 - kShortest + passive_strain));
  return exponential_toe(length - kShortest, width, folds * width, height);
}

// 0.2 (e^(k strain) - 1) with k so that it is 1 at the tendon's strain.
CurveValue degroote_tendon(double tendon_strain, double strain) {
  constexpr double kScale = 0.2, kLargest = 5;
  const double shape = std::log1p(kLargest / kScale);
  const double width = tendon_strain * shape / std::log1p(1 / kScale);
  return exponential_toe(strain, width, shape, kLargest);
}

CurveValue degroote_velocity(double v) {
  constexpr double d1 = -0.3211346127989808, d2 = -8.149, d3 = -0.374, d4 = 0.8825327733249912;
  const double u = d2 * v + d3;
  return {d1 * std::asinh(u) + d4, d1 * d2 / std::sqrt(u * u + 1)};
}

}  // namespace

CurveValue compute_active_force(const LineShape& shape, double length) {
  static const Curve zajac = make_active_curve();
  if (shape.law == LineLaw::kThelen) return thelen_active(shape.force_length_width, length);
  if (shape.law == LineLaw::kDeGroote) return degroote_active(shape.active_width, length);
  const CurveValue at = read(shape.law == LineLaw::kMillard ? millard_active() : zajac, length);
  return at.value > 0 ? at : CurveValue{};  // splines dip below zero by 1e-5 at their ends
}

CurveValue compute_passive_force(const LineShape& shape, double length) {
  if (!shape.has_passive) return {0, 0};
  if (shape.law == LineLaw::kDeGroote) return degroote_passive(shape.passive_strain, length);
  const double strain = length - 1;
  if (strain <= 0) return {0, 0};
  const double u = strain / shape.passive_strain;
  if (shape.law == LineLaw::kThelen) {
    const double k = shape.passive_shape;
    return exponential_toe(strain, kStraightFrom * shape.passive_strain, kStraightFrom * k,
                           std::expm1(kStraightFrom * k) / std::expm1(k));
  }
  if (shape.law == LineLaw::kHill) return {u * u, 2 * u / shape.passive_strain};
  const CurveValue at = read(millard_passive(), u);
  return at.value > 0 ? CurveValue{at.value, at.slope / shape.passive_strain} : CurveValue{};
}

CurveValue compute_tendon_force(const LineShape& shape, double stretch) {
  const double strain = stretch - 1;
  if (strain <= 0) return {0, 0};
  if (shape.law == LineLaw::kDeGroote) return degroote_tendon(shape.tendon_strain, strain);
  if (shape.law != LineLaw::kMillard) return thelen_tendon(shape.tendon_strain, strain);
  const CurveValue at = read(millard_tendon(), strain / shape.tendon_strain);
  return {at.value, at.slope / shape.tendon_strain};
}

CurveValue compute_velocity_factor(const LineShape& shape, double velocity) {
  if (shape.law == LineLaw::kThelen) return thelen_velocity(shape, velocity);
  if (shape.law == LineLaw::kDeGroote) return degroote_velocity(velocity);
  return shape.law == LineLaw::kHill ? hill_velocity(velocity) : read(millard_velocity(), velocity);
}

double compute_velocity_of_factor(const LineShape& shape, double factor) {
  constexpr double kLargest = 2;
  const auto excess = [&](double v) {
    const CurveValue at = compute_velocity_factor(shape, v);
    return CurveValue{at.value - factor, at.slope};
  };
  if (excess(-kLargest).value >= 0) return -kLargest;
  if (excess(kLargest).value <= 0) return kLargest;
  return find_bracketed_zero(excess, -kLargest, kLargest);
}

}  // namespace sinew::material
