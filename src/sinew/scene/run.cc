#include "sinew/scene/run.h"

#include <cmath>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/hash.h"
#include "sinew/core/temporary_file.h"
#include "sinew/core/version.h"
#include "sinew/record/checkpoint.h"
#include "sinew/record/recording.h"
#include "sinew/record/up_axis.h"

namespace sinew::scene {
namespace {

namespace fs = std::filesystem;

std::uint64_t hash_of(const Scene& scene) {
  Hash hash;
  hash.add(scene.text);
  return hash.value();
}

record::RecordingInfo describe(const Scene& scene, const engine::TissueEngine& engine,
                               const engine::Certificate& certificate) {
  record::RecordingInfo info;
  info.version = kVersion;
  info.scene_name = scene.name;
  info.scene_text = scene.text;
  info.up = record::find_up_axis(scene.tet.world.gravity);
  info.frame_rate = scene.output.frame_rate;
  info.planned_frames = last_frame(scene) + 1;
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
      : scene_(scene), options_(options), engine_(make_engine(scene)) {}

  RunResult operator()() {
    make_folder(options_.folder);
    const std::size_t start = options_.resume ? resume() : begin();
    result_.resumed_from = start;
    for (std::size_t k = start + 1; k <= last_frame(scene_); ++k) {
      engine_->advance(frame_time(scene_, k));
      keep(k, engine_->observe());
      const bool due = k % static_cast<std::size_t>(scene_.output.checkpoint_every) == 0;
      if (due || k == last_frame(scene_)) write_checkpoint(k);
    }
    writer_->finish();
    return result_;
  }

 private:
  std::string file(const char* name) const { return (fs::path(options_.folder) / name).string(); }

  std::size_t begin() {
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

  // Loads the checkpoint and copies the frames up to it; later ones are simulated again.
  std::size_t resume() {
    const std::string path = file(record::kCheckpointFile);
    const record::Checkpoint checkpoint = record::read_checkpoint(path);
    if (checkpoint.scene_hash != hash_of(scene_)) {
      throw InputError(path, "",
                       "belongs to another scene than " + scene_.path +
                           "; run the scene that made it, or run without --resume");
    }
    try {
      engine_->load(checkpoint.state);
    } catch (const std::invalid_argument& e) {
      throw InputError(path, "", e.what());
    }
    const record::RecordingReader old(file(record::kRecordingFile));
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
    writer_ = std::make_unique<record::RecordingWriter>(old.path(), old.info(), old,
                                                        checkpoint.frame + 1);
    result_.frames = checkpoint.frame + 1;
    const engine::Frame frame = engine_->observe();
    result_.state_hash = frame.state_hash;
    result_.certificate = frame.certificate;
    return checkpoint.frame;
  }

  void keep(std::size_t k, const engine::Frame& frame) {
    writer_->append(frame);
    result_.frames = k + 1;
    result_.state_hash = frame.state_hash;
    result_.certificate = frame.certificate;
    if (!options_.on_frame) return;
    const std::size_t last = last_frame(scene_);
    options_.on_frame({k, last + 1, frame.time, frame_time(scene_, last), &frame});
  }

  void write_checkpoint(std::size_t k) {
    record::write_checkpoint(file(record::kCheckpointFile), {k, hash_of(scene_), engine_->save()});
  }

  const Scene& scene_;
  const RunOptions& options_;
  std::unique_ptr<engine::TissueEngine> engine_;
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
