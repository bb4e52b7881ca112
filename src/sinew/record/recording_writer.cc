#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/temporary_file.h"
#include "sinew/record/fixed_dataset.h"
#include "sinew/record/hdf5_file.h"
#include "sinew/record/recording.h"
#include "sinew/record/recording_contents.h"
#include "sinew/record/recording_layout.h"
#include "sinew/record/up_axis.h"

namespace sinew::record {
namespace {

using hdf5::Dataset;
using hdf5::Dims;
using hdf5::File;
using hdf5::Type;
using layout::join;

static_assert(sizeof(Vec3f) == 3 * sizeof(float), "positions are written as they lie in memory");

Dataset make_growing(File& file, const std::string& path, Type type, const Dims& row) {
  return file.make_dataset(path, make_growing_layout(type, row));
}

// A growing column a name, below `group`, which remembers their order.
std::vector<Dataset> make_columns(File& file, const std::string& group, Type type, const Dims& row,
                                  const std::vector<engine::FieldInfo>& columns) {
  file.make_group(group);
  std::vector<std::string> names;
  std::vector<Dataset> datasets;
  for (const auto& column : columns) {
    SINEW_CHECK(layout::is_measure_name(column.name), "bad name of a column: " + column.name);
    const std::string path = join(group, column.name);
    datasets.push_back(make_growing(file, path, type, row));
    file.write_text(path, layout::kUnit, column.unit);
    names.push_back(column.name);
  }
  file.write_texts(group, layout::kNames, names);
  return datasets;
}

BodyDatasets make_body(File& file, const engine::BodyTopology& body) {
  SINEW_CHECK(layout::is_body_name(body.name), "bad name of a body: " + body.name);
  const std::string group = join(layout::kBodies, body.name);
  const std::size_t num_vertices = body.rest_surface.size();
  file.make_group(group);
  write_fixed(file, join(group, "rest_surface"), Type::kF32, 3, body.rest_surface);
  write_fixed(file, join(group, "triangles"), Type::kU32, 3, body.triangles);
  write_fixed(file, join(group, "rest_nodes"), Type::kF32, 3, body.rest_nodes);
  write_fixed(file, join(group, "tets"), Type::kU32, 4, body.tets);
  if (body.rigid) file.write_count(group, layout::kRigid, 1);
  return {body.rigid ? make_growing(file, join(group, "pose"), Type::kF64, {3, 4})
                     : make_growing(file, join(group, "surface"), Type::kF32, {num_vertices, 3}),
          make_growing(file, join(group, "nodes"), Type::kF32, {body.rest_nodes.size(), 3}),
          make_columns(file, join(group, "fields"), Type::kF32, {num_vertices}, body.fields)};
}

std::vector<BodyDatasets> make_bodies(File& file, const std::vector<engine::BodyTopology>& bodies) {
  file.make_group(layout::kBodies);
  std::vector<BodyDatasets> datasets;
  std::vector<std::string> names;
  for (const auto& body : bodies) {
    datasets.push_back(make_body(file, body));
    names.push_back(body.name);
  }
  file.write_texts(layout::kBodies, layout::kNames, names);
  return datasets;
}

File make_file(const std::string& path, const std::string& shown, const RecordingInfo& info) {
  File file = File::create(path, shown, hdf5::Growth::kWhileRead);
  file.write_text("/", "format", std::string(layout::kFormat));
  file.write_count("/", "format_version", layout::kFormatVersion);
  file.write_text("/", "version", info.version);
  file.write_text("/", "scene_name", info.scene_name);
  SINEW_CHECK(is_up_axis(info.up), "bad name of an axis: " + info.up);
  file.write_text("/", "up", info.up);
  file.write_number("/", "frame_rate", info.frame_rate);
  file.write_count("/", "planned_frames", info.planned_frames);
  const std::vector<char> text(info.scene_text.begin(), info.scene_text.end());
  write_fixed(file, layout::kSceneText, Type::kU8, 1, text);
  file.make_group(layout::kFrames);
  return file;
}

}  // namespace

struct RecordingWriter::Impl {
  Impl(const std::string& path, const std::string& shown, const RecordingInfo& info)
      : columns(info.certificate),
        file(make_file(path, shown, info)),
        time(make_growing(file, layout::kTime, Type::kF64, {})),
        end(make_growing(file, layout::kEnd, Type::kU64, {})),
        state_hash(make_growing(file, layout::kStateHash, Type::kU64, {})),
        finished(make_growing(file, layout::kFinished, Type::kU8, {})),
        certificate(make_columns(file, layout::kCertificate, Type::kF64, {}, info.certificate)),
        bodies(make_bodies(file, info.bodies)) {
    for (const LimitKey& key : kLimitKeys)
      file.write_number(layout::kCertificate, layout::kLimit + std::string(key.name),
                        info.limits.*key.value);
    file.start_swmr();
  }

  void append_body(BodyDatasets& datasets, const engine::BodyFrame& body);
  void append_certificate(const engine::Certificate& values);
  void append(const engine::Frame& frame);

  std::vector<engine::FieldInfo> columns;
  File file;
  Dataset time, end, state_hash, finished;
  std::vector<Dataset> certificate;
  std::vector<BodyDatasets> bodies;
};

void RecordingWriter::Impl::append_body(BodyDatasets& datasets, const engine::BodyFrame& body) {
  const PoseRow pose = body.pose ? to_row(*body.pose) : PoseRow{};
  const std::size_t bytes = body.pose ? sizeof(pose) : body.surface.size() * sizeof(Vec3f);
  SINEW_CHECK(bytes == datasets.surface.row_bytes() &&
                  body.nodes.size() * sizeof(Vec3f) == datasets.nodes.row_bytes() &&
                  body.fields.size() == datasets.fields.size(),
              "a frame has the shapes of its recording");
  datasets.surface.append_row(body.pose ? static_cast<const void*>(pose.data())
                                        : static_cast<const void*>(body.surface.data()));
  datasets.nodes.append_row(body.nodes.data());
  for (std::size_t f = 0; f < body.fields.size(); ++f) {
    SINEW_CHECK(body.fields[f].size() == body.surface.size(), "a field has a value a vertex");
    datasets.fields[f].append_row(body.fields[f].data());
  }
}

void RecordingWriter::Impl::append_certificate(const engine::Certificate& values) {
  SINEW_CHECK(values.size() == columns.size(), "a certificate has the columns of its recording");
  for (std::size_t c = 0; c < columns.size(); ++c) {
    SINEW_CHECK(values[c].name == columns[c].name, "certificate columns keep their order");
    certificate[c].append_row(&values[c].value);
  }
}

void RecordingWriter::Impl::append(const engine::Frame& frame) {
  SINEW_CHECK(frame.bodies.size() == bodies.size(), "a frame has the bodies of its recording");
  for (std::size_t b = 0; b < bodies.size(); ++b) append_body(bodies[b], frame.bodies[b]);
  append_certificate(frame.certificate);
  state_hash.append_row(&frame.state_hash);
  file.flush();
  // Only now, with all its data on their way to the disk, does the frame begin to count.
  const std::uint64_t size = file.size();
  end.append_row(&size);
  time.append_row(&frame.time);
  file.flush();
}

RecordingWriter::RecordingWriter(const std::string& path, const RecordingInfo& info) {
  TemporaryFile temporary(path);
  impl_ = std::make_unique<Impl>(temporary.path(), path, info);
  temporary.put_in_place();
}

RecordingWriter::RecordingWriter(const std::string& path, const RecordingInfo& info,
                                 const RecordingReader& earlier, std::size_t num_frames) {
  SINEW_CHECK(num_frames <= earlier.num_frames(), "the earlier recording has the frames to keep");
  TemporaryFile temporary(path);
  impl_ = std::make_unique<Impl>(temporary.path(), path, info);
  for (std::size_t k = 0; k < num_frames; ++k) impl_->append(earlier.read_frame(k));
  temporary.put_in_place();
}

RecordingWriter::~RecordingWriter() = default;

// HDF5 cannot close what it could not write: it would end the program with it. What was written
// until then is whole without being closed, so that it is put aside.
void RecordingWriter::write(const std::function<void()>& task) {
  SINEW_CHECK(impl_ != nullptr, "a recording that failed is not written on");
  try {
    task();
  } catch (...) {
    static auto* const failed = new std::vector<std::unique_ptr<Impl>>;
    failed->push_back(std::move(impl_));
    throw;
  }
}

void RecordingWriter::append(const engine::Frame& frame) {
  write([&] {
    impl_->append(frame);
    check_in_place();
  });
}

void RecordingWriter::finish() {
  write([&] {
    const std::uint8_t yes = 1;
    impl_->finished.append_row(&yes);
    impl_->file.flush();
    check_in_place();
  });
}

// What was deleted is written on by the system, and gone when the run ends.
void RecordingWriter::check_in_place() const {
  if (impl_->file.is_in_place()) return;
  impl_->file.fail("",
                   "was deleted or replaced while it was written: what was recorded is lost; keep "
                   "other programs off this folder and run again");
}

}  // namespace sinew::record
