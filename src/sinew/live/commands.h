// What pages ask of a live session, as plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "sinew/engine/controls.h"

namespace sinew::live {

struct SetControl {
  std::size_t control;
  double value;
};
// Each page has one hand.
struct SetPull {
  std::uint64_t page;
  engine::Pull pull;
};
struct ReleasePull {
  std::uint64_t page;
};
struct Pause {};
struct Resume {};
struct StepFrames {  // while paused
  int frames;        // 1..kMaxFrames
  static constexpr int kMaxFrames = 1000;
};
struct Restart {};  // from the beginning, as the scene says
struct StartRecording {};
struct StopRecording {};

using Command = std::variant<SetControl, SetPull, ReleasePull, Pause, Resume, StepFrames, Restart,
                             StartRecording, StopRecording>;

}  // namespace sinew::live
