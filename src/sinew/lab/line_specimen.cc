#include <algorithm>

#include "sinew/lab/frog.h"
#include "sinew/lab/specimen.h"
#include "sinew/material/bracketed_newton.h"

namespace sinew::lab {
namespace {

class LineSpecimen : public Specimen {
 public:
  explicit LineSpecimen(const material::MusculotendonParameters& muscle) : muscle_(muscle) {}

  double hold(double length, double activation) override {
    state_ = material::compute_isometric_state(muscle_, length, activation);
    return state_.tendon_force;
  }
  double advance(double length, double activation, double dt) override {
    state_ = material::advance_fiber(muscle_, state_, length, activation, dt);
    return state_.tendon_force;
  }
  // The tendon has the length that its load asks for; the fibres find theirs by backward Euler.
  double load(double weight, double activation, double dt) override {
    const double force = weight / muscle_.max_force;
    const double tendon = find_path_length(muscle_, 0, force);
    const auto excess = [&](double w) {
      const double step = 1e-7 * muscle_.optimal_length;
      const double at = pull(w, activation, dt), ahead = pull(w + step, activation, dt);
      return material::CurveValue{at - weight, (ahead - at) / step};
    };
    const double shortest = 0.05 * muscle_.optimal_length, longest = 2 * muscle_.optimal_length;
    const double w = excess(shortest).value >= 0
                         ? shortest
                         : material::find_bracketed_zero(excess, shortest, longest);
    state_ = {w, w, 1, weight};
    return tendon + w;
  }
  double fiber_length() const override { return state_.fiber_length; }

 private:
  // What fibres without pennation pull with when they get the length w within dt.
  double pull(double w, double activation, double dt) const {
    const double relative = w / muscle_.optimal_length;
    const double velocity =
        (w - state_.fiber_length) / (dt * muscle_.max_velocity * muscle_.optimal_length);
    return muscle_.max_force *
           (activation * compute_active_force(muscle_.shape, relative).value *
                compute_velocity_factor(muscle_.shape, velocity).value +
            compute_passive_force(muscle_.shape, relative).value + muscle_.damping * velocity);
  }

  material::MusculotendonParameters muscle_;
  material::FiberState state_;
};

}  // namespace

std::unique_ptr<Specimen> make_line_specimen(const material::MusculotendonParameters& muscle) {
  return std::make_unique<LineSpecimen>(muscle);
}

}  // namespace sinew::lab
