// The run loop: fills the folder of a run with a recording and checkpoints, frame by frame. A run
// that is resumed has the bits of one that was never stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "sinew/engine/frame.h"
#include "sinew/scene/scene.h"

namespace sinew::scene {

struct RunProgress {
  std::size_t frame;           // index of the frame just recorded
  std::size_t planned_frames;  // of the whole run, the one at time 0 included
  double time, duration;       // s
  const engine::Frame* state;  // the frame itself
};

struct RunOptions {
  std::string folder;                                     // of the run: created if missing
  bool resume = false;                                    // go on from the folder's checkpoint
  std::function<void(const RunProgress&)> on_frame = {};  // called after each recorded frame
  // Called when frames begin to be made: all before can be cut off without a loss.
  std::function<void()> on_start = {};
  // What of a resumed run is not as expected, in words for a person.
  std::function<void(const std::string&)> on_note = {};
  // Asked after each frame: true ends the run there, with a checkpoint.
  std::function<bool()> is_stopped = {};
};

struct RunResult {
  std::size_t frames = 0;        // recorded in all
  std::size_t resumed_from = 0;  // frame of the checkpoint, 0 for a run from the start
  bool finished = false;         // not stopped before its last frame
  std::uint64_t state_hash = 0;  // of the last frame
};

// The frame that the scene's duration ends on, counted from 0.
std::size_t last_frame(const Scene& scene);

// Throws InputError (bad checkpoint, folder cannot be written or is being written by another
// process) or engine::StepFailure; what was recorded until then stays.
RunResult run(const Scene& scene, const RunOptions& options);

}  // namespace sinew::scene
