#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/record/recording.h"
#include "sinew/record/recording_contents.h"
#include "sinew/record/recording_layout.h"

namespace sinew::record {
namespace {

using hdf5::Dataset;
using hdf5::File;
using hdf5::Type;

}  // namespace

struct RecordingReader::Impl {
  explicit Impl(const std::string& path)
      : file(File::open(path)),
        info(read_info(file)),
        time(open_growing(file, layout::kTime, Type::kF64, {})),
        end(open_growing(file, layout::kEnd, Type::kU64, {})),
        state_hash(open_growing(file, layout::kStateHash, Type::kU64, {})),
        finished_marks(open_growing(file, layout::kFinished, Type::kU8, {})),
        certificate(open_columns(file, layout::kCertificate, Type::kF64, {}, info.certificate)),
        bodies(open_bodies(file, info.bodies)) {
    // They were opened one after the other, while the run may have gone on.
    refresh();
  }

  void refresh();
  void count_frames();
  std::uint64_t count_committed() const;
  void check_last_frame() const;
  template <class Visit>
  void visit_frame_data(Visit visit);
  template <class T>
  void read_row(const Dataset& dataset, std::size_t k, T* out) const;

  File file;
  RecordingInfo info;
  Dataset time, end, state_hash, finished_marks;
  std::vector<Dataset> certificate;
  std::vector<BodyDatasets> bodies;
  std::size_t num_frames = 0;
  bool finished = false;
};

template <class Visit>
void RecordingReader::Impl::visit_frame_data(Visit visit) {
  visit(state_hash);
  for (auto& column : certificate) visit(column);
  for (auto& body : bodies) {
    visit(body.surface);
    visit(body.nodes);
    for (auto& field : body.fields) visit(field);
  }
}

template <class T>
void RecordingReader::Impl::read_row(const Dataset& dataset, std::size_t k, T* out) const {
  SINEW_CHECK(k < num_frames, "the frame exists");
  if (!dataset.has_row(k)) dataset.fail(fmt::format("frame {} is missing or cut off", k));
  dataset.read_rows(k, 1, out);
}

// A writer that was killed while it put down the last two marks of a frame leaves their lengths
// ahead of their values.
std::uint64_t RecordingReader::Impl::count_committed() const {
  const std::uint64_t n = std::min(time.num_rows(), end.num_rows());
  if (n == 0) return 0;
  constexpr std::uint64_t kLeastBytes = 12;  // that one row of `time` takes
  if (n > file.size() / kLeastBytes)
    time.fail(fmt::format("cannot have {} frames in this small file", n));
  return time.has_row(n - 1) && end.has_row(n - 1) ? n : n - 1;
}

// What lies behind the end of a truncated file reads as zeros, so it must be told by the place.
void RecordingReader::Impl::check_last_frame() const {
  if (num_frames == 0) return;
  const std::size_t last = num_frames - 1;
  std::uint64_t end_of_frame = 0;
  read_row(end, last, &end_of_frame);
  const std::uint64_t size = file.size();
  if (end_of_frame == 0 || end_of_frame > size)
    end.fail(fmt::format("frame {} needs a file of {} bytes, it has {}: it was cut off", last,
                         end_of_frame, size));
  if (last == 0) return;
  double before = 0;
  double now = 0;
  read_row(time, last - 1, &before);
  read_row(time, last, &now);
  if (!(now > before))
    time.fail(fmt::format("frame {} is at {} s, after the one before at {} s is allowed", last, now,
                          before));
}

void RecordingReader::Impl::count_frames() {
  num_frames = count_committed();
  finished = finished_marks.num_rows() > 0 && finished_marks.has_row(0);
  visit_frame_data([this](const Dataset& dataset) {
    const std::uint64_t rows = dataset.num_rows();
    if (rows < num_frames || (finished && rows != num_frames))
      dataset.fail(fmt::format("has {} frames, {} has {}", rows, layout::kTime, num_frames));
  });
  check_last_frame();
}

// The marks of a frame are looked at before its data, as they are written after them; whether the
// run is over comes first, so that nothing can follow it.
void RecordingReader::Impl::refresh() {
  if (finished) return;
  finished_marks.refresh();
  time.refresh();
  end.refresh();
  visit_frame_data([](Dataset& dataset) { dataset.refresh(); });
  count_frames();
}

RecordingReader::RecordingReader(const std::string& path)
    : impl_(std::make_unique<Impl>(find_file(path, kRecordingKind))) {}

RecordingReader::~RecordingReader() = default;

const std::string& RecordingReader::path() const {
  return impl_->file.shown();
}
const RecordingInfo& RecordingReader::info() const {
  return impl_->info;
}
std::size_t RecordingReader::num_frames() const {
  return impl_->num_frames;
}
bool RecordingReader::finished() const {
  return impl_->finished;
}
void RecordingReader::refresh() {
  impl_->refresh();
}

engine::BodyFrame RecordingReader::read_body(std::size_t k, std::size_t body) const {
  SINEW_CHECK(body < impl_->bodies.size(), "the body exists");
  const engine::BodyTopology& topology = impl_->info.bodies[body];
  const BodyDatasets& datasets = impl_->bodies[body];
  const std::size_t num_vertices = topology.rest_surface.size();
  engine::BodyFrame frame;
  if (topology.rigid) {
    PoseRow row{};
    impl_->read_row(datasets.surface, k, row.data());
    frame.pose = to_pose(row);
    frame.surface = engine::place_surface(topology.rest_surface, *frame.pose);
  } else {
    frame.surface.resize(num_vertices);
    impl_->read_row(datasets.surface, k, frame.surface.data());
  }
  frame.nodes.resize(topology.rest_nodes.size());
  impl_->read_row(datasets.nodes, k, frame.nodes.data());
  for (const auto& dataset : datasets.fields) {
    frame.fields.emplace_back(num_vertices);
    impl_->read_row(dataset, k, frame.fields.back().data());
  }
  return frame;
}

double RecordingReader::read_time(std::size_t k) const {
  double time = 0;
  impl_->read_row(impl_->time, k, &time);
  return time;
}

std::uint64_t RecordingReader::read_state_hash(std::size_t k) const {
  std::uint64_t hash = 0;
  impl_->read_row(impl_->state_hash, k, &hash);
  return hash;
}

std::vector<double> RecordingReader::read_measure(std::size_t c, std::size_t begin) const {
  SINEW_CHECK(c < impl_->certificate.size(), "the column exists");
  const Dataset& column = impl_->certificate[c];
  std::vector<double> values(impl_->num_frames - std::min(begin, impl_->num_frames));
  // HDF5 takes many chunks at a time ever more slowly: 128 were best.
  constexpr std::size_t kBlock = 128;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!column.has_row(begin + i))
      column.fail(fmt::format("frame {} is missing or cut off", begin + i));
    if (i % kBlock == 0)
      column.read_rows(begin + i, std::min(kBlock, values.size() - i), values.data() + i);
  }
  return values;
}

engine::Frame RecordingReader::read_frame(std::size_t k) const {
  engine::Frame frame;
  frame.time = read_time(k);
  frame.state_hash = read_state_hash(k);
  for (std::size_t b = 0; b < impl_->bodies.size(); ++b) frame.bodies.push_back(read_body(k, b));
  const auto& columns = impl_->info.certificate;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    double value = 0;
    impl_->read_row(impl_->certificate[c], k, &value);
    frame.certificate.push_back({columns[c].name, columns[c].unit, value});
  }
  return frame;
}

}  // namespace sinew::record
