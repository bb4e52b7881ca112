#include "sinew/live/live_run.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/temporary_file.h"

namespace sinew::live {
namespace {

namespace fs = std::filesystem;

engine::Steerable* find_steering(engine::TissueEngine& engine) {
  auto* steering = dynamic_cast<engine::Steerable*>(&engine);
  if (steering == nullptr) throw std::invalid_argument("this scene's engine cannot be steered");
  return steering;
}

// The first take-NNN that is not there yet.
std::string make_take_folder(const std::string& folder) {
  make_folder(folder);
  for (int take = 1; take < 1000; ++take) {
    const fs::path path = fs::path(folder) / fmt::format("take-{:03}", take);
    std::error_code error;
    if (fs::exists(path, error)) continue;
    // Not another process' either, which may make it now. The lock tells what else is wrong.
    if (fs::create_directory(path, error) || error) return path.string();
  }
  throw InputError(folder, "", "holds a thousand takes; move some elsewhere");
}

// A small box around the origin where there is nothing.
std::array<Vec3f, 2> find_bounds(const engine::Frame& frame) {
  constexpr float kFar = std::numeric_limits<float>::max();
  std::array<Vec3f, 2> bounds{{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}}};
  for (const engine::BodyFrame& body : frame.bodies) {
    for (const Vec3f& x : body.surface) {
      bounds[0] = {std::min(bounds[0].x, x.x), std::min(bounds[0].y, x.y),
                   std::min(bounds[0].z, x.z)};
      bounds[1] = {std::max(bounds[1].x, x.x), std::max(bounds[1].y, x.y),
                   std::max(bounds[1].z, x.z)};
    }
  }
  if (bounds[0].x > bounds[1].x) return {{{-0.1F, -0.1F, -0.1F}, {0.1F, 0.1F, 0.1F}}};
  return bounds;
}

}  // namespace

LiveRun::LiveRun(std::unique_ptr<engine::TissueEngine> engine, LiveSettings settings)
    : engine_(std::move(engine)),
      steering_(find_steering(*engine_)),
      settings_(std::move(settings)),
      info_(settings_.info),
      controls_(steering_->controls()),
      start_(engine_->save()),
      frame_(engine_->observe()),
      bounds_(find_bounds(frame_)) {
  info_.frame_rate = settings_.frame_rate;
  info_.planned_frames = 0;
  info_.bodies = engine_->topology();
  info_.certificate.clear();
  for (const engine::Measure& m : frame_.certificate) info_.certificate.push_back({m.name, m.unit});
}

void LiveRun::check(const Command& command) const {
  if (const auto* set = std::get_if<SetControl>(&command)) {
    if (set->control >= controls_.size()) throw std::invalid_argument("no such control");
    engine::check_value(controls_[set->control], set->value);
  } else if (const auto* pull = std::get_if<SetPull>(&command)) {
    const engine::Pull& p = pull->pull;
    if (p.body >= info_.bodies.size()) throw std::invalid_argument("no such body");
    if (p.vertex >= info_.bodies[p.body].rest_surface.size()) {
      throw std::invalid_argument("no such vertex");
    }
    if (!std::isfinite(dot(p.target, p.target))) {
      throw std::invalid_argument("the target of a pull must be finite");
    }
  } else if (const auto* step = std::get_if<StepFrames>(&command)) {
    if (step->frames < 1 || step->frames > StepFrames::kMaxFrames) {
      throw std::invalid_argument(fmt::format("frames = {} is not allowed; 1 to {} are",
                                              step->frames, StepFrames::kMaxFrames));
    }
  }
}

void LiveRun::apply(const Command& command) {
  try {
    std::visit([this](const auto& c) { obey(c); }, command);
  } catch (const std::exception& e) {
    status_.trouble = e.what();
  }
}

void LiveRun::apply_all(std::span<const Command> commands) {
  std::map<std::size_t, const Command*> newest;  // by control
  for (const Command& command : commands) {
    if (const auto* set = std::get_if<SetControl>(&command)) newest[set->control] = &command;
  }
  for (const Command& command : commands) {
    const auto* set = std::get_if<SetControl>(&command);
    if (set == nullptr || newest[set->control] == &command) apply(command);
  }
}

void LiveRun::advance() {
  if (steps_left_ > 0) --steps_left_;
  try {
    // Counted rather than summed: frame k is at k / rate to the last bit.
    engine_->advance(static_cast<double>(frames_made_ + 1) / settings_.frame_rate);
    ++frames_made_;
    frame_ = engine_->observe();
    record();
  } catch (const engine::StepFailure& e) {
    status_.trouble = fmt::format("{}; \"Restart\" begins anew", e.what());
    obey(Pause{});
  } catch (const std::exception& e) {
    status_.trouble = e.what();
    obey(Pause{});
  }
}

void LiveRun::obey(const SetControl& command) {
  steering_->set_control(command.control, command.value);
}

void LiveRun::obey(const SetPull& command) {
  const auto before = pulls_;
  pulls_[command.page] = command.pull;
  try {
    hand_over_pulls();
  } catch (...) {  // a body that cannot be pulled at, such as a bone
    pulls_ = before;
    throw;
  }
}

void LiveRun::obey(const ReleasePull& command) {
  pulls_.erase(command.page);
  hand_over_pulls();
}

// Two hands at one vertex are one for the engine: the later page's.
void LiveRun::hand_over_pulls() {
  std::map<std::pair<std::size_t, std::size_t>, engine::Pull> by_vertex;
  for (const auto& [page, pull] : pulls_) by_vertex[{pull.body, pull.vertex}] = pull;
  std::vector<engine::Pull> pulls;
  pulls.reserve(by_vertex.size());
  for (const auto& [place, pull] : by_vertex) pulls.push_back(pull);
  steering_->set_pulls(pulls);
}

void LiveRun::obey(const Pause&) {
  status_.paused = true;
  steps_left_ = 0;
}

void LiveRun::obey(const Resume&) {
  status_.paused = false;
  status_.trouble.clear();
}

void LiveRun::obey(const StepFrames& command) {
  if (status_.paused) steps_left_ += command.frames;
}

void LiveRun::obey(const Restart&) {
  obey(StopRecording{});  // its times would run backwards
  pulls_.clear();
  steering_->release_controls();
  engine_->load(start_);
  frames_made_ = 0;
  frame_ = engine_->observe();
  status_.trouble.clear();
}

void LiveRun::obey(const StartRecording&) {
  if (writer_) return;
  const std::string folder = make_take_folder(settings_.recording_folder);
  auto lock = std::make_unique<record::FolderLock>(folder);
  writer_ = std::make_unique<record::RecordingWriter>(
      (fs::path(folder) / record::kRecordingFile).string(), info_);
  lock_ = std::move(lock);
  status_.recording = folder;
  status_.recorded_frames = 0;
  record();
}

void LiveRun::obey(const StopRecording&) {
  if (!writer_) return;
  const std::unique_ptr<record::FolderLock> lock = std::move(lock_);
  const std::unique_ptr<record::RecordingWriter> writer = std::move(writer_);
  status_.recording.clear();
  writer->finish();
}

// The take's own time begins with its first frame.
void LiveRun::record() {
  if (!writer_) return;
  engine::Frame frame = frame_;
  frame.time = static_cast<double>(status_.recorded_frames) / settings_.frame_rate;
  try {
    writer_->append(frame);
    ++status_.recorded_frames;
  } catch (const std::exception& e) {
    status_.trouble = fmt::format("the recording ended: {}", e.what());
    status_.recording.clear();
    writer_.reset();
    lock_.reset();
  }
}

}  // namespace sinew::live
