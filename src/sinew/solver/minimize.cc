#include "sinew/solver/minimize.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sinew/solver/field_algebra.h"
#include "sinew/solver/mixed_algebra.h"

namespace sinew::solver {
namespace {

constexpr double kDecrease = 1e-4;  // part of the linear decrease that a step must bring
constexpr int kMaxBacktracks = 25;
constexpr int kMaxCgIterations = 300;
// Newton iterations within which the size must halve: near a minimum each does far better, and
// without any gain the step is too long, or the energy has no minimum that floats can tell. Where
// L-BFGS ran out of iterations, that is known already unless Newton's method is quick at once, as
// where only the preconditioner is poor.
constexpr int kNewtonPatience = 8, kShortPatience = 2;
constexpr double kLeastCurvature = 1e-10;  // of s . y against |s| |y|: less is rounding

class Minimizer {
 public:
  Minimizer(const Objective& objective, const MinimizeSettings& settings, Field3d& x,
            MinimizeWorkspace& ws)
      : objective_(objective), settings_(settings), x_(x), ws_(ws) {}

  MinimizeReport run() {
    prepare();
    energy_ = objective_.evaluate(x_, ws_.gradient);
    report_.evaluations = 1;
    if (!std::isfinite(energy_)) return stop("the energy is not finite at the start");
    report_.first_gradient = std::sqrt(dot(ws_.gradient, ws_.gradient));
    if (run_lbfgs() && settings_.newton_below > 0) {
      const bool exhausted = report_.iterations == settings_.max_iterations;
      run_newton(exhausted ? kShortPatience : kNewtonPatience);
    }
    report_.gradient = std::sqrt(dot(ws_.gradient, ws_.gradient));
    report_.residual = compute_residual();
    return report_;
  }

 private:
  void prepare() {
    const std::size_t n = x_.size();
    for (Field3d* f : {&ws_.gradient, &ws_.trial, &ws_.trial_gradient}) {
      if (f->size() != n) *f = Field3d(n);
    }
    for (Field3f* f : {&ws_.g, &ws_.direction, &ws_.change}) {
      if (f->size() != n) *f = Field3f(n);
    }
    num_pairs_ = 0;
  }

  MinimizeReport& stop(const std::string& reason) {
    report_.reason = reason;
    return report_;
  }

  bool small_enough(double part) const {
    return report_.size <= std::max(part * report_.first_size, settings_.least_size);
  }

  // Against what small_enough(tolerance) counts from: a start that is good enough is no residual
  // of 1.
  double compute_residual() const {
    const double all = std::max(report_.first_size, settings_.least_size / settings_.tolerance);
    return all > 0 ? report_.size / all : 0;
  }

  // Returns whether its own goal was reached; then the report says converged unless Newton follows.
  bool run_lbfgs() {
    const bool newton = settings_.newton_below > settings_.tolerance;
    const double goal = newton ? settings_.newton_below : settings_.tolerance;
    for (;; ++report_.iterations) {
      refresh_when_slow();
      double slope = compute_lbfgs_direction();
      if (!(slope < 0) && num_pairs_ > 0) {  // rounding spoilt the pairs
        num_pairs_ = 0;
        slope = compute_lbfgs_direction();
      }
      if (!(slope <= 0)) return stop("the preconditioner is not positive"), false;
      report_.size = std::sqrt(-slope);
      if (report_.iterations == 0)
        report_.first_size = std::max(report_.size, settings_.usual_size);
      if (small_enough(goal)) break;
      if (report_.iterations == settings_.max_iterations) {
        if (newton) break;  // Newton may still get there
        return stop("the limit of L-BFGS iterations is reached"), false;
      }
      // Where the last step had to be shorter this one will, too: longer ones are tried step by
      // step.
      if (line_search(slope, std::min(1.0, 2 * step_))) {
        remember_pair();
        accept();
        continue;
      }
      step_ = 1;
      if (num_pairs_ == 0) {
        if (newton) break;  // Newton may still get on
        return stop("no step along the gradient lowers the energy"), false;
      }
      num_pairs_ = 0;
    }
    report_.converged = small_enough(settings_.tolerance);
    return !report_.converged;
  }

  // Many iterations say that the approximate inverse does not fit: the shape has moved away from
  // the one that it was made for.
  void refresh_when_slow() {
    if (!objective_.refresh || report_.iterations < next_refresh_) return;
    objective_.refresh(x_);
    num_pairs_ = 0;
    step_ = 1;
    ++report_.refreshes;
    next_refresh_ = report_.iterations + settings_.refresh_every;
  }

  // Two loops over the pairs with H0 between them (Nocedal 1980). Returns the slope g . d.
  double compute_lbfgs_direction() {
    copy(ws_.gradient, ws_.g);
    copy(ws_.g, ws_.change);
    std::vector<double> a(static_cast<std::size_t>(num_pairs_));
    for (int i = 0; i < num_pairs_; ++i) {  // newest first
      const auto& p = pair(i);
      a[static_cast<std::size_t>(i)] = p.rho * dot(p.s, ws_.change);
      add_scaled(static_cast<float>(-a[static_cast<std::size_t>(i)]), p.y, ws_.change);
    }
    objective_.precondition(ws_.change, ws_.direction);
    for (int i = num_pairs_ - 1; i >= 0; --i) {
      const auto& p = pair(i);
      const double b = a[static_cast<std::size_t>(i)] - p.rho * dot(p.y, ws_.direction);
      add_scaled(static_cast<float>(b), p.s, ws_.direction);
    }
    scale(-1.0F, ws_.direction);
    return dot(ws_.gradient, ws_.direction);
  }

  // The i-th newest pair.
  MinimizeWorkspace::Pair& pair(int i) {
    const int size = MinimizeWorkspace::kMemory;
    return ws_.pairs[static_cast<std::size_t>(((newest_ - i) % size + size) % size)];
  }

  // Backtracks along ws_.direction until the energy has decreased, or, where rounding hides that,
  // the slope has. The trial point and its gradient are then in the workspace.
  bool line_search(double slope, double first_step) {
    step_ = first_step;
    const double rounding =
        settings_.energy_rounding * (std::abs(energy_) - slope) + settings_.energy_noise;
    for (int n = 0; n < kMaxBacktracks; ++n) {
      copy(x_, ws_.trial);
      add_scaled(step_, ws_.direction, ws_.trial);
      trial_energy_ = objective_.evaluate(ws_.trial, ws_.trial_gradient);
      ++report_.evaluations;
      double shrink = 0.1;
      if (std::isfinite(trial_energy_)) {
        const double trial_slope = dot(ws_.trial_gradient, ws_.direction);
        if (trial_energy_ <= energy_ + kDecrease * step_ * slope) return true;
        const bool flatter = trial_slope <= (2 * kDecrease - 1) * slope;
        if (trial_energy_ <= energy_ + rounding && flatter) return true;
        const double secant = trial_slope > slope ? slope / (slope - trial_slope) : 0.5;
        shrink = std::clamp(secant, 0.1, 0.6);
      }
      step_ *= shrink;
      ++report_.backtracks;
    }
    return false;
  }

  void remember_pair() {
    if (ws_.pairs.empty()) ws_.pairs.resize(MinimizeWorkspace::kMemory);
    newest_ = (newest_ + 1) % MinimizeWorkspace::kMemory;
    MinimizeWorkspace::Pair& p = ws_.pairs[static_cast<std::size_t>(newest_)];
    if (p.s.size() != x_.size()) p = {Field3f(x_.size()), Field3f(x_.size()), 0};
    copy(ws_.direction, p.s);
    scale(static_cast<float>(step_), p.s);
    subtract(ws_.trial_gradient, ws_.gradient, p.y);
    const double curvature = dot(p.s, p.y);
    const double size = std::sqrt(dot(p.s, p.s) * dot(p.y, p.y));
    if (curvature > kLeastCurvature * size) {
      p.rho = 1 / curvature;
      num_pairs_ = std::min(num_pairs_ + 1, MinimizeWorkspace::kMemory);
    } else {
      newest_ = (newest_ + MinimizeWorkspace::kMemory - 1) % MinimizeWorkspace::kMemory;
      // The overwritten pair was the oldest, if all were in use.
      num_pairs_ = std::min(num_pairs_, MinimizeWorkspace::kMemory - 1);
    }
  }

  void accept() {
    std::swap(x_, ws_.trial);
    std::swap(ws_.gradient, ws_.trial_gradient);
    energy_ = trial_energy_;
  }

  void run_newton(int patience) {
    double wanted = std::numeric_limits<double>::infinity();  // size that is progress, sqrt(J)
    int since = 0;                                            // iterations without it
    for (;; ++report_.newton_iterations) {
      copy(ws_.gradient, ws_.g);
      objective_.precondition(ws_.g, ws_.direction);
      report_.size = std::sqrt(std::max(0.0, dot(ws_.gradient, ws_.direction)));
      report_.converged = small_enough(settings_.tolerance);
      if (report_.converged) return;
      if (report_.newton_iterations == settings_.max_newton_iterations) {
        stop("the limit of Newton iterations is reached");
        return;
      }
      since = report_.size <= wanted ? 0 : since + 1;
      if (since == patience) {
        stop("Newton's method does not come nearer");
        return;
      }
      if (since == 0) wanted = 0.5 * report_.size;
      const double slope = compute_newton_direction();
      if (!(slope < 0) || !line_search(slope, 1)) {
        stop("no step of Newton's method lowers the energy");
        return;
      }
      accept();
    }
  }

  // Solves tangent d = -g, tighter as the solution comes near. Returns the slope g . d.
  double compute_newton_direction() {
    const double part = report_.size / std::max(report_.first_size, 1e-300);
    PcgSettings limits;
    limits.tolerance = std::clamp(std::sqrt(part), 1e-3, 0.1);
    limits.max_iterations = kMaxCgIterations;
    scale(-1.0F, ws_.g);
    for (const bool projected : {false, true}) {
      const PcgReport cg =
          preconditioned_cg([&](const Field3f& in,
                                Field3f& out) { objective_.apply_tangent(x_, in, projected, out); },
                            objective_.precondition, ws_.g, limits, ws_.direction, ws_.cg);
      report_.cg_iterations += cg.iterations;
      if (!cg.negative_curvature) break;
      report_.projections += projected ? 0 : 1;
    }
    return dot(ws_.gradient, ws_.direction);
  }

  const Objective& objective_;
  const MinimizeSettings& settings_;
  Field3d& x_;
  MinimizeWorkspace& ws_;
  MinimizeReport report_;
  double energy_ = 0, trial_energy_ = 0, step_ = 1;
  int num_pairs_ = 0, newest_ = 0;
  int next_refresh_ = settings_.refresh_every;  // iteration
};

}  // namespace

MinimizeReport minimize(const Objective& objective, const MinimizeSettings& settings, Field3d& x,
                        MinimizeWorkspace& workspace) {
  return Minimizer(objective, settings, x, workspace).run();
}

}  // namespace sinew::solver
