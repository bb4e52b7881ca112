#include "sinew/skeleton/smooth_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>

#include "sinew/skeleton/quintic_spline.h"

namespace sinew::skeleton {
namespace {

struct Signal {
  std::vector<double> times, values;
};

// Half as many samples again at each end, mirrored in the end point, so that the filter has run in
// before the data begins.
std::vector<double> pad(const std::vector<double>& a) {
  const std::size_t count = a.size(), more = count / 2;
  std::vector<double> out;
  out.reserve(count + 2 * more);
  for (std::size_t i = more; i > 0; --i) out.push_back(2 * a.front() - a[i]);
  out.insert(out.end(), a.begin(), a.end());
  for (std::size_t i = 1; i <= more; ++i) out.push_back(2 * a.back() - a[count - 1 - i]);
  return out;
}

// The filter needs equal steps: the smallest one of the data, unless that is out of proportion.
Signal resample(Signal signal) {
  constexpr double kSmallestPart = 0.1;
  const std::size_t count = signal.times.size();
  const double span = signal.times.back() - signal.times.front();
  const double average = span / static_cast<double>(count - 1);
  double least = average;
  for (std::size_t i = 1; i < count; ++i)
    least = std::min(least, signal.times[i] - signal.times[i - 1]);
  if (average - least < 1e-12 * average) return signal;
  const double step = std::max(least, kSmallestPart * average);
  const QuinticSpline spline = make_quintic_spline(signal.times, signal.values);
  const auto steps = static_cast<std::size_t>(std::floor(span / step * (1 + 1e-12)));
  Signal out{std::vector<double>(steps + 1), std::vector<double>(steps + 1)};
  for (std::size_t i = 0; i <= steps; ++i) {
    out.times[i] = signal.times.front() + static_cast<double>(i) * step;
    out.values[i] = evaluate(spline, out.times[i]).value;
  }
  return out;
}

// Equation (45), once forward; the first three samples stay.
struct Butterworth {
  std::array<double, 4> in, out;

  Butterworth(double cutoff_hz, double step) {
    const double w = std::tan(std::numbers::pi * cutoff_hz * step), w2 = w * w, w3 = w2 * w;
    const double scale = (w + 1) * (w2 + w + 1);
    in = {w3 / scale, 3 * w3 / scale, 3 * w3 / scale, w3 / scale};
    out = {1, (3 * w3 + 2 * w2 - 2 * w - 3) / scale, (3 * w3 - 2 * w2 - 2 * w + 3) / scale,
           (w - 1) * (w2 - w + 1) / scale};
  }

  std::vector<double> run(const std::vector<double>& x) const {
    std::vector<double> y = x;
    for (std::size_t i = 3; i < x.size(); ++i) {
      y[i] = in[0] * x[i];
      for (std::size_t k = 1; k < 4; ++k) y[i] += in[k] * x[i - k] - out[k] * y[i - k];
    }
    return y;
  }
};

Signal filter(const std::vector<double>& times, const std::vector<double>& values,
              double cutoff_hz) {
  Signal signal = resample({pad(times), pad(values)});
  const double step = signal.times[1] - signal.times[0];
  if (cutoff_hz * step >= 0.5) return {times, values};
  const Butterworth low_pass(cutoff_hz, step);
  for (int pass = 0; pass < 2; ++pass) {
    signal.values = low_pass.run(signal.values);
    std::reverse(signal.values.begin(), signal.values.end());
  }
  return signal;
}

}  // namespace

SmoothMotion smooth_motion(const Motion& motion, double cutoff_hz,
                           const std::vector<double>& times) {
  if (!(cutoff_hz >= 0))
    throw std::invalid_argument("a cutoff frequency is positive, or 0 for none");
  if (motion.times.empty() || motion.q.size() != motion.times.size())
    throw std::invalid_argument("a motion needs as many poses as times, at least one");
  const std::size_t count = motion.q.front().size();
  const std::vector<std::vector<double>> empty(times.size(), std::vector<double>(count, 0));
  SmoothMotion out{times, empty, empty, empty};
  std::vector<double> values(motion.times.size());
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = motion.q[i].at(k);
    // One spline through the samples as they are checks them before anything else.
    QuinticSpline spline = make_quintic_spline(motion.times, values);
    if (cutoff_hz > 0 && values.size() > 3) {
      const Signal signal = filter(motion.times, values, cutoff_hz);
      spline = make_quintic_spline(signal.times, signal.values);
    }
    for (std::size_t i = 0; i < times.size(); ++i) {
      const FunctionValue at = evaluate(spline, times[i]);
      out.q[i][k] = at.value, out.u[i][k] = at.first, out.udot[i][k] = at.second;
    }
  }
  return out;
}

SmoothMotion smooth_motion(const Motion& motion, double cutoff_hz) {
  return smooth_motion(motion, cutoff_hz, motion.times);
}

}  // namespace sinew::skeleton
