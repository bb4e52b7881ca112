// A simulation that is steered, a frame at a time: it obeys commands between frames and records
// when asked to. No threads and no clock: the session around it has them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/engine/controls.h"
#include "sinew/engine/tissue_engine.h"
#include "sinew/live/commands.h"
#include "sinew/record/folder_lock.h"
#include "sinew/record/recording.h"

namespace sinew::live {

struct LiveSettings {
  double frame_rate = 60;        // frames a simulated second, > 0
  record::RecordingInfo info;    // name, text, version, limits and up; the rest is filled in
  std::string recording_folder;  // recordings go to take-001, take-002, ... in it
};

struct LiveStatus {
  bool paused = false;
  std::string recording;  // folder of the recording that is being written; empty: none
  std::size_t recorded_frames = 0;
  std::string trouble;  // why it stopped, or what could not be done; empty: nothing
};

class LiveRun {
 public:
  // Throws std::invalid_argument where the engine cannot be steered.
  LiveRun(std::unique_ptr<engine::TissueEngine> engine, LiveSettings settings);

  // From any thread. Throws std::invalid_argument, in words for a person, for a command that makes
  // no sense.
  void check(const Command& command) const;

  // Precondition of the command: checked. What fails nevertheless is said in the status.
  void apply(const Command& command);
  // All that came between two frames, in order. Of a control's values only the newest acts: some,
  // such as the number of modes, build the engine's model anew.
  void apply_all(std::span<const Command> commands);

  // Whether there is a frame to make: it runs, or steps are left.
  bool is_due() const { return !status_.paused || steps_left_ > 0; }
  // Makes the next frame. An engine that cannot go on pauses it and is said in the status.
  void advance();

  const record::RecordingInfo& info() const { return info_; }
  // Names, units, ranges; values are those at the start.
  const std::vector<engine::Control>& first_controls() const { return controls_; }
  // Of all surfaces at the start, m: least and largest coordinates.
  const std::array<Vec3f, 2>& first_bounds() const { return bounds_; }
  const engine::Frame& frame() const { return frame_; }  // the newest
  double frame_rate() const { return settings_.frame_rate; }
  std::vector<engine::Control> controls() const { return steering_->controls(); }
  const std::map<std::uint64_t, engine::Pull>& pulls() const { return pulls_; }  // by page
  const LiveStatus& status() const { return status_; }

 private:
  void obey(const SetControl& command);
  void obey(const SetPull& command);
  void obey(const ReleasePull& command);
  void obey(const Pause& command);
  void obey(const Resume& command);
  void obey(const StepFrames& command);
  void obey(const Restart& command);
  void obey(const StartRecording& command);
  void obey(const StopRecording& command);
  void hand_over_pulls();
  void record();

  std::unique_ptr<engine::TissueEngine> engine_;
  engine::Steerable* steering_;
  LiveSettings settings_;
  record::RecordingInfo info_;
  std::vector<engine::Control> controls_;
  std::vector<std::byte> start_;  // state that Restart goes back to
  engine::Frame frame_;
  std::array<Vec3f, 2> bounds_;
  std::uint64_t frames_made_ = 0;  // since the start or the last Restart
  std::map<std::uint64_t, engine::Pull> pulls_;
  int steps_left_ = 0;
  LiveStatus status_;
  std::unique_ptr<record::FolderLock> lock_;  // of the take's folder
  std::unique_ptr<record::RecordingWriter> writer_;
};

}  // namespace sinew::live
