// What a person can do to an engine while it runs: named controls, and pulls at points of the
// surfaces. For live sessions; an engine that can be steered implements Steerable beside
// TissueEngine.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/engine/key_frames.h"

namespace sinew::engine {

enum class ControlScale { kLinear, kLogarithmic };

struct Control {
  std::string name;  // such as "activation.muscle.belly"; unique in an engine
  std::string unit;  // such as "m/s^2"; "1" where there is none
  double low, high;  // what set_control takes; > 0 where the scale is logarithmic
  double value;      // at present
  ControlScale scale = ControlScale::kLinear;  // how a slider should run
  bool whole = false;                          // takes whole numbers only
};

// A hand at a vertex of a body's surface (indices as in topology()) that draws it to a point.
struct Pull {
  std::size_t body = 0;
  std::size_t vertex = 0;
  Vec3d target{0, 0, 0};  // m
  friend bool operator==(const Pull&, const Pull&) = default;
};

class Steerable {
 public:
  virtual ~Steerable() = default;

  // Names, order and ranges are the same as long as the engine lives; values are the present ones.
  virtual std::vector<Control> controls() const = 0;

  // From the present time on, instead of what the scene says. Throws std::invalid_argument, and
  // changes nothing, where there is no such control or it does not take the value.
  virtual void set_control(std::size_t control, double value) = 0;

  // The pulls from now on, instead of those before. One at the same vertex as before goes on with
  // its grip. Throws std::invalid_argument, and changes nothing, where a vertex cannot be pulled at
  // or a target is not finite.
  virtual void set_pulls(std::span<const Pull> pulls) = 0;

  // Everything as the scene says again; no pulls.
  virtual void release_controls() = 0;
};

// All throw std::invalid_argument, in words for the person whose hand it was: where `value` is not
// for this control,
void check_value(const Control& control, double value);
// where there are only `count` controls,
void check_control(std::size_t control, std::size_t count);
// where there is no such body or vertex (`num_vertices`: of each body), or the target is not
// finite.
void check_pull(const Pull& pull, std::span<const std::size_t> num_vertices);

// Controls that engines share. Of an activation that follows `excitation`: what a hand asked for (a
// single key frame), else where it is at present.
Control make_activation_control(const std::string& name, const std::optional<KeyFrames>& excitation,
                                double activation);
KeyFrames make_constant(double value);
// Factors on a body's moduli and on the stiffness of hands, up and down by ten.
Control make_stiffness_control(const std::string& body, double value);
Control make_pull_control(double value);

// Gravity along the scene's own, else downwards.
class GravityControl {
 public:
  explicit GravityControl(const Vec3d& scene);
  const Vec3d& scene() const { return scene_; }
  Control describe(const Vec3d& gravity) const;
  Vec3d make(double value) const { return down_ * value; }  // m/s^2

 private:
  Vec3d scene_, down_;
};

}  // namespace sinew::engine
