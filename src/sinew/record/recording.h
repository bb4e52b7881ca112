// The recording of a run: one HDF5 file in SWMR mode, flushed a frame at a time, so that a run
// that is being written, or was killed, opens with every finished frame. docs/recording.md has the
// layout of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sinew/engine/frame.h"
#include "sinew/record/limits.h"

namespace sinew::record {

// What stays the same over a run.
struct RecordingInfo {
  std::string version;  // of the program that wrote it
  std::string scene_name;
  std::string scene_text;  // the scene file as it was read
  std::string up = "y";    // the axis that points up, as up_axis.h names it
  double frame_rate = 24;  // frames a second
  // That a finished run has, the one at time 0 included; 0: nobody knew, as in a live session.
  std::size_t planned_frames = 0;
  Limits limits;
  std::vector<engine::BodyTopology> bodies;
  std::vector<engine::FieldInfo> certificate;  // names and units of its columns, in order
};

class RecordingReader;

class RecordingWriter {
 public:
  // Creates the file (replacing an older one at once, or not at all). Throws InputError where the
  // place cannot be written.
  RecordingWriter(const std::string& path, const RecordingInfo& info);
  // The same, beginning with the first `num_frames` of `earlier`, which may be the very file that
  // is replaced: a kill leaves it as it was, or the new one with all of these frames.
  // Precondition: `earlier` has them, and the bodies and certificate columns of `info`.
  RecordingWriter(const std::string& path, const RecordingInfo& info,
                  const RecordingReader& earlier, std::size_t num_frames);
  ~RecordingWriter();

  // When it returns, a reader (also after a kill) sees the frame whole. Throws InputError where it
  // cannot be written, or the file was deleted or replaced.
  // Precondition: shapes and certificate columns are those of `info`.
  void append(const engine::Frame& frame);
  // Marks the run as finished. Without it the recording counts as interrupted.
  void finish();

 private:
  struct Impl;
  void write(const std::function<void()>& task);
  void check_in_place() const;
  std::unique_ptr<Impl> impl_;
};

class RecordingReader {
 public:
  // Opens a recording file, or the folder of a run that holds one. Throws InputError where it is
  // missing, damaged, of another format, or contradicts itself.
  explicit RecordingReader(const std::string& path);
  ~RecordingReader();

  const std::string& path() const;  // of the file
  const RecordingInfo& info() const;
  std::size_t num_frames() const;  // at the last refresh
  bool finished() const;           // at the last refresh
  void refresh();                  // looks again at a file that is being written

  // Frame k < num_frames(), whole or a part. Throws InputError where the file does not hold it.
  engine::Frame read_frame(std::size_t k) const;
  engine::BodyFrame read_body(std::size_t k, std::size_t body) const;
  double read_time(std::size_t k) const;
  std::uint64_t read_state_hash(std::size_t k) const;
  // Column c of the certificate for frames [begin, num_frames()).
  std::vector<double> read_measure(std::size_t c, std::size_t begin) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The recording's file name inside the folder of a run.
inline constexpr const char* kRecordingFile = "recording.h5";
inline constexpr const char* kCheckpointFile = "checkpoint.bin";

}  // namespace sinew::record
