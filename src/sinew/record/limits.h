// What a run may do and still count as right. A scene sets it (the table [limits]), its recording
// keeps it, `run` and `check` hold the whole run to it.
#pragma once

#include <array>

namespace sinew::record {

struct Limits {
  double from = 0;               // s: frames before this time are not held to them
  double inverted = 0;           // elements or cells that are inside out, in any frame
  double volume = 0.2;           // part of its volume at rest that a body may lose or gain
  double unconverged_steps = 0;  // kept although a solve did not reach its tolerance
  double tamed_steps = 0;        // kept although they were too wild at any length
  // Failures for each step that was taken. Where all steps are at the edge of what is stable, one
  // in three fails (a semi-explicit limit grows by half after each success, and is halved again);
  // where all implicit steps are too long, one in two does.
  double halved_steps = 0.25;
  friend bool operator==(const Limits&, const Limits&) = default;
};

// The names of the limits in scenes and recordings, and the largest value each may have.
struct LimitKey {
  const char* name;
  double Limits::*value;
  double high;
};
inline constexpr std::array<LimitKey, 6> kLimitKeys = {{
    {"from", &Limits::from, 1e6},
    {"inverted", &Limits::inverted, 1e9},
    {"volume", &Limits::volume, 1e9},
    {"unconverged_steps", &Limits::unconverged_steps, 1e9},
    {"tamed_steps", &Limits::tamed_steps, 1e9},
    {"halved_steps", &Limits::halved_steps, 1e9},
}};

}  // namespace sinew::record
