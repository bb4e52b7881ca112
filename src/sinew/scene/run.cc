#include "sinew/scene/run.h"

#include <cmath>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/kept_inputs.h"
#include "sinew/core/version.h"
#include "sinew/record/checkpoint.h"
#include "sinew/record/folder_lock.h"
#include "sinew/record/recording.h"
#include "sinew/record/up_axis.h"
#include "sinew/scene/same_scene.h"

namespace sinew::scene {
namespace {

namespace fs = std::filesystem;

record::RecordingInfo describe(const Scene& scene, const engine::TissueEngine& engine,
                               const engine::Certificate& certificate) {
  record::RecordingInfo info;
  info.version = kVersion;
  info.scene_name = scene.name;
  info.scene_text = scene.text;
  info.up = record::find_up_axis(scene.tet.world.gravity);
  info.frame_rate = scene.output.frame_rate;
  info.planned_frames = last_frame(scene) + 1;
  info.limits = scene.limits;
  info.bodies = engine.topology();
  for (const engine::Measure& m : certificate) info.certificate.push_back({m.name, m.unit});
  return info;
}

double frame_time(const Scene& scene, std::size_t frame) {
  return static_cast<double>(frame) / scene.output.frame_rate;
}

class Run {
 public:
  Run(const Scene& scene, const RunOptions& options)
      : scene_(scene),
        options_(options),
        scene_hash_(hash_without_duration(scene.text, scene.path)),
        last_(last_frame(scene)),
        engine_(make_engine(scene)),
        lock_(options.folder) {}

  RunResult operator()() {
    result_.resumed_from = options_.resume ? resume() : begin();
    if (writer_ == nullptr) return result_;  // it was finished before
    for (std::size_t k = result_.resumed_from + 1; k <= last_; ++k) {
      engine_->advance(frame_time(scene_, k));
      keep(k, engine_->observe());
      const bool due = k % static_cast<std::size_t>(scene_.output.checkpoint_every) == 0;
      const bool stopped = k < last_ && options_.is_stopped && options_.is_stopped();
      if (due || k == last_ || stopped) write_checkpoint(k);
      if (stopped) return result_;
    }
    writer_->finish();
    result_.finished = true;
    return result_;
  }

 private:
  std::string file(const char* name) const { return (fs::path(options_.folder) / name).string(); }
  bool is_there(const char* name) const {
    std::error_code error;  // what cannot be asked for is left to those who read it
    return fs::exists(file(name), error) || error;
  }
  void note(const std::string& message) const {
    if (options_.on_note) options_.on_note(message);
  }

  void start() const {
    if (options_.on_start) options_.on_start();
  }

  std::size_t begin() {
    start();
    // Nothing of an older run may be taken for a part of this one.
    std::error_code ignored;
    fs::remove(file(record::kCheckpointFile), ignored);
    const engine::Frame first = engine_->observe();
    writer_ = std::make_unique<record::RecordingWriter>(
        file(record::kRecordingFile), describe(scene_, *engine_, first.certificate));
    keep(0, first);
    write_checkpoint(0);
    return 0;
  }

  // A run that was killed before its first checkpoint has a frame at most. More are of a live
  // session, or have lost their checkpoint.
  std::size_t begin_anew() {
    if (is_there(record::kRecordingFile)) {
      const record::RecordingReader old(file(record::kRecordingFile));
      check_scene(old.path(), hash_of(old));
      if (old.num_frames() > 1) {
        throw InputError(file(record::kCheckpointFile), "",
                         fmt::format("is missing, and without it the {} frames of {} cannot be "
                                     "gone on from; run without --resume to replace them",
                                     old.num_frames(), old.path()));
      }
      give_up_input(old.path());
    }
    note(options_.folder + " has no checkpoint yet: the run starts anew");
    return begin();
  }

  std::uint64_t hash_of(const record::RecordingReader& recording) const {
    return hash_without_duration(recording.info().scene_text, recording.path());
  }
  void check_scene(const std::string& path, std::uint64_t hash) const {
    if (hash == scene_hash_) return;
    throw InputError(path, "",
                     "belongs to another scene than " + scene_.path +
                         "; run the scene that made it, or run without --resume");
  }

  // Loads the checkpoint and copies the frames up to it; later ones are simulated again.
  std::size_t resume() {
    if (!is_there(record::kCheckpointFile)) return begin_anew();
    const std::string path = file(record::kCheckpointFile);
    const record::Checkpoint checkpoint = record::read_checkpoint(path);
    check_scene(path, checkpoint.scene_hash);
    const record::RecordingReader old(file(record::kRecordingFile));
    check_recording(checkpoint, old);
    try {
      engine_->load(checkpoint.state);
    } catch (const std::invalid_argument& e) {
      throw InputError(path, "", e.what());
    }
    const engine::Frame frame = engine_->observe();
    if (old.read_state_hash(checkpoint.frame) != frame.state_hash) {
      throw InputError(
          old.path(), fmt::format("frame {}", checkpoint.frame),
          "is not the state that " + path + " holds: they are of two runs; run without --resume");
    }
    result_.frames = checkpoint.frame + 1;
    result_.state_hash = frame.state_hash;
    if (old.finished() && checkpoint.frame == last_) {
      note(options_.folder + " holds the finished run: there is nothing to do");
      result_.finished = true;
      return checkpoint.frame;
    }
    give_up_input(old.path());
    writer_ = std::make_unique<record::RecordingWriter>(
        old.path(), describe(scene_, *engine_, frame.certificate), old, checkpoint.frame + 1);
    start();
    return checkpoint.frame;
  }

  void check_recording(const record::Checkpoint& checkpoint,
                       const record::RecordingReader& old) const {
    check_scene(old.path(), hash_of(old));
    if (old.num_frames() <= checkpoint.frame) {
      throw InputError(old.path(), "/frames",
                       fmt::format("holds {} frames, but the checkpoint is of frame {}; run "
                                   "without --resume",
                                   old.num_frames(), checkpoint.frame));
    }
    if (old.info().version != kVersion || old.info().bodies != engine_->topology()) {
      throw InputError(old.path(), "/bodies",
                       "was made by another version of sinew or from other mesh files; run without "
                       "--resume");
    }
    if (checkpoint.frame > last_) {
      throw InputError(scene_.path, "duration",
                       fmt::format("ends at frame {}, but {} has gone on to frame {}, {:.6g} s, "
                                   "already; run without --resume, or let it last longer",
                                   last_, options_.folder, checkpoint.frame,
                                   frame_time(scene_, checkpoint.frame)));
    }
    const std::size_t planned = old.info().planned_frames;
    if (planned == 0 || planned == last_ + 1) return;
    note(
        fmt::format("the scene's duration was changed: the run ends at frame {}, {:.6g} s, "
                    "instead of frame {}",
                    last_, frame_time(scene_, last_), planned - 1));
  }

  void keep(std::size_t k, const engine::Frame& frame) {
    writer_->append(frame);
    result_.frames = k + 1;
    result_.state_hash = frame.state_hash;
    if (!options_.on_frame) return;
    options_.on_frame({k, last_ + 1, frame.time, frame_time(scene_, last_), &frame});
  }

  void write_checkpoint(std::size_t k) {
    record::write_checkpoint(file(record::kCheckpointFile), {k, scene_hash_, engine_->save()});
  }

  const Scene& scene_;
  const RunOptions& options_;
  std::uint64_t scene_hash_;
  std::size_t last_;
  std::unique_ptr<engine::TissueEngine> engine_;
  record::FolderLock lock_;
  std::unique_ptr<record::RecordingWriter> writer_;
  RunResult result_;
};

}  // namespace

std::size_t last_frame(const Scene& scene) {
  // The last frame is the first one at or after the end; a little less than a whole frame counts.
  return static_cast<std::size_t>(std::ceil(scene.duration * scene.output.frame_rate - 1e-9));
}

RunResult run(const Scene& scene, const RunOptions& options) {
  return Run(scene, options)();
}

}  // namespace sinew::scene
