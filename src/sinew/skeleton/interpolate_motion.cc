#include "sinew/skeleton/interpolate_motion.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sinew::skeleton {
namespace {

void check_motion(const Skeleton& skeleton, const Motion& motion) {
  const bool even = !motion.times.empty() && motion.times.size() == motion.q.size();
  if (!even) throw std::invalid_argument("a motion needs a pose at each of one or more times");
  for (std::size_t i = 0; i < motion.times.size(); ++i) {
    const bool rises = i == 0 || motion.times[i] > motion.times[i - 1];
    const bool finite = std::all_of(motion.q[i].begin(), motion.q[i].end(),
                                    [](double v) { return std::isfinite(v); });
    if (!rises || !std::isfinite(motion.times[i]))
      throw std::invalid_argument("the times of a motion must be finite and increase");
    if (!finite || motion.q[i].size() != skeleton.coordinates.size())
      throw std::invalid_argument("a pose must have a finite value for every coordinate");
  }
}

// Equations (60) and (61): the rows of the tridiagonal system for the moments, one for all
// coordinates; eliminated downwards, then solved upwards.
void solve_moments(MotionEnds ends, MotionSpline& spline) {
  const std::size_t n = spline.times.size(), width = spline.num_coordinates;
  spline.moments.assign(n * width, 0);
  if (n < 2) return;
  const auto gap = [&](std::size_t i) { return spline.times[i + 1] - spline.times[i]; };
  const auto slope = [&](std::size_t i, std::size_t k) {
    return (spline.values[(i + 1) * width + k] - spline.values[i * width + k]) / gap(i);
  };
  const bool at_rest = ends == MotionEnds::kAtRest;
  std::vector<double> above(n, 0);  // of the eliminated rows, whose diagonal is 1
  for (std::size_t i = 0; i < n; ++i) {
    const bool first = i == 0, last = i + 1 == n;
    const double before = first ? 0 : gap(i - 1), after = last ? 0 : gap(i);
    const bool natural_end = (first || last) && !at_rest;
    const double below = natural_end ? 0 : before;
    const double pivot =
        natural_end ? 1 : 2 * (before + after) - (first ? 0 : below * above[i - 1]);
    above[i] = natural_end ? 0 : after / pivot;
    for (std::size_t k = 0; k < width; ++k) {
      const double rise =
          natural_end ? 0 : (last ? 0 : slope(i, k)) - (first ? 0 : slope(i - 1, k));
      const double carried = first ? 0 : below * spline.moments[(i - 1) * width + k];
      spline.moments[i * width + k] = (6 * rise - carried) / pivot;
    }
  }
  for (std::size_t i = n - 1; i-- > 0;)
    for (std::size_t k = 0; k < width; ++k)
      spline.moments[i * width + k] -= above[i] * spline.moments[(i + 1) * width + k];
}

// Those that others follow first: one pass over the list then settles chains. A ring of couplers
// has no order; what is left of it is dropped.
std::vector<std::pair<std::size_t, Coupler>> order_couplers(const Skeleton& skeleton) {
  std::vector<std::pair<std::size_t, Coupler>> out;
  std::vector<bool> settled(skeleton.coordinates.size());
  for (std::size_t c = 0; c < settled.size(); ++c)
    settled[c] = !skeleton.coordinates[c].coupler.has_value();
  for (std::size_t round = 0; round < settled.size(); ++round) {
    for (std::size_t c = 0; c < settled.size(); ++c) {
      const auto& coupler = skeleton.coordinates[c].coupler;
      if (settled[c] || !coupler || !settled[coupler->independent]) continue;
      out.emplace_back(c, *coupler);
      settled[c] = true;
    }
  }
  return out;
}

// Equation (62).
void follow_couplers(const MotionSpline& spline, MotionPose& pose) {
  for (const auto& [c, coupler] : spline.couplers) {
    const std::size_t i = coupler.independent;
    const FunctionValue f = evaluate(coupler.function, pose.q[i]);
    pose.q[c] = f.value;
    pose.u[c] = f.first * pose.u[i];
    pose.udot[c] = f.second * pose.u[i] * pose.u[i] + f.first * pose.udot[i];
  }
}

void hold(const MotionSpline& spline, std::size_t sample, MotionPose& pose) {
  const std::size_t width = spline.num_coordinates;
  for (std::size_t k = 0; k < width; ++k) {
    pose.q[k] = spline.values[sample * width + k];
    pose.u[k] = pose.udot[k] = 0;
  }
}

}  // namespace

MotionSpline make_motion_spline(const Skeleton& skeleton, const Motion& motion, MotionEnds ends) {
  check_motion(skeleton, motion);
  MotionSpline spline;
  spline.times = motion.times;
  spline.num_coordinates = skeleton.coordinates.size();
  spline.values.reserve(motion.times.size() * spline.num_coordinates);
  for (const std::vector<double>& q : motion.q)
    spline.values.insert(spline.values.end(), q.begin(), q.end());
  spline.couplers = order_couplers(skeleton);
  solve_moments(ends, spline);
  return spline;
}

void evaluate(const MotionSpline& spline, double time, MotionPose& pose) {
  const std::size_t width = spline.num_coordinates;
  for (std::vector<double>* part : {&pose.q, &pose.u, &pose.udot}) part->resize(width);
  const std::vector<double>& times = spline.times;
  if (!(time >= times.front())) {
    hold(spline, 0, pose);
  } else if (time > times.back() || times.size() == 1) {
    hold(spline, times.size() - 1, pose);
  } else {
    const auto next = std::upper_bound(times.begin() + 1, times.end() - 1, time);
    const auto i = static_cast<std::size_t>(next - times.begin()) - 1;
    const double h = times[i + 1] - times[i], right = time - times[i], left = times[i + 1] - time;
    const double* a = &spline.values[i * width];
    const double* m = &spline.moments[i * width];
    for (std::size_t k = 0; k < width; ++k) {  // equation (60)
      const double m0 = m[k], m1 = m[width + k], y0 = a[k], y1 = a[width + k];
      const double c0 = y0 / h - m0 * h / 6, c1 = y1 / h - m1 * h / 6;
      pose.q[k] =
          (m0 * left * left * left + m1 * right * right * right) / (6 * h) + c0 * left + c1 * right;
      pose.u[k] = (m1 * right * right - m0 * left * left) / (2 * h) + c1 - c0;
      pose.udot[k] = (m0 * left + m1 * right) / h;
    }
  }
  follow_couplers(spline, pose);
}

Motion sample_motion(const MotionSpline& spline, const std::vector<double>& times) {
  Motion out;
  out.times = times;
  out.q.reserve(times.size());
  MotionPose pose;
  for (const double time : times) {
    evaluate(spline, time, pose);
    out.q.push_back(pose.q);
  }
  return out;
}

}  // namespace sinew::skeleton
