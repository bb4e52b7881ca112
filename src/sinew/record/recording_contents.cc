#include "sinew/record/recording_contents.h"

#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/record/fixed_dataset.h"
#include "sinew/record/recording_layout.h"
#include "sinew/record/up_axis.h"

namespace sinew::record {
namespace {

using hdf5::Dataset;
using hdf5::Dims;
using hdf5::File;
using hdf5::Layout;
using hdf5::Type;
using layout::join;

std::vector<engine::FieldInfo> read_columns(const File& file, const std::string& group) {
  std::vector<engine::FieldInfo> columns;
  for (auto& name : read_names(file, group, layout::is_measure_name)) {
    std::string unit = file.read_text(join(group, name), layout::kUnit);
    columns.push_back({std::move(name), std::move(unit)});
  }
  return columns;
}

engine::BodyTopology read_topology(const File& file, const std::string& name) {
  const std::string group = join(layout::kBodies, name);
  engine::BodyTopology body;
  body.name = name;
  body.rest_surface = read_fixed<Vec3f>(file, join(group, "rest_surface"), Type::kF32, 3);
  body.triangles =
      read_fixed<std::array<std::uint32_t, 3>>(file, join(group, "triangles"), Type::kU32, 3);
  body.rest_nodes = read_fixed<Vec3f>(file, join(group, "rest_nodes"), Type::kF32, 3);
  body.tets = read_fixed<std::array<std::uint32_t, 4>>(file, join(group, "tets"), Type::kU32, 4);
  body.fields = read_columns(file, join(group, "fields"));
  body.rigid = file.has_attribute(group, layout::kRigid);
  check_indices(file, join(group, "triangles"), body.triangles, body.rest_surface.size());
  check_indices(file, join(group, "tets"), body.tets, body.rest_nodes.size());
  return body;
}

void check_format(const File& file) {
  const std::string format = file.read_text("/", "format");
  if (format != layout::kFormat) file.fail("/@format", "is an HDF5 file, but no recording");
  const std::uint64_t version = file.read_count("/", "format_version");
  if (version < 1 || version > layout::kFormatVersion)
    file.fail(
        "/@format_version",
        fmt::format("is {}, this program reads 1 to {}: use the version of sinew that wrote it",
                    version, layout::kFormatVersion));
}

// Files of earlier versions have none: what they recorded stood along y.
std::string read_up_axis(const File& file) {
  if (!file.has_attribute("/", "up")) return "y";
  std::string up = file.read_text("/", "up");
  if (!is_up_axis(up))
    file.fail("/@up", fmt::format("is \"{}\"; x, y, z, -x, -y and -z are allowed", up));
  return up;
}

// Files of earlier versions have none, and are held to the usual ones.
Limits read_limits(const File& file) {
  Limits limits;
  for (const LimitKey& key : kLimitKeys) {
    const std::string name = layout::kLimit + std::string(key.name);
    if (!file.has_attribute(layout::kCertificate, name)) continue;
    const double value = file.read_number(layout::kCertificate, name);
    if (!(value >= 0 && value <= key.high))
      file.fail(std::string(layout::kCertificate) + "@" + name,
                fmt::format("is {}, a number from 0 to {} is allowed", value, key.high));
    limits.*key.value = value;
  }
  return limits;
}

}  // namespace

PoseRow to_row(const engine::RigidPose& pose) {
  PoseRow row{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) row[4 * i + j] = pose.rotation(i, j);
    row[4 * i + 3] = pose.translation[i];
  }
  return row;
}

engine::RigidPose to_pose(const PoseRow& row) {
  engine::RigidPose pose{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) pose.rotation(i, j) = row[4 * i + j];
    pose.translation[i] = row[4 * i + 3];
  }
  return pose;
}

Dataset open_growing(const File& file, const std::string& path, Type type, const Dims& row) {
  Dataset dataset = file.open_dataset(path);
  Layout wanted = make_growing_layout(type, row);
  wanted.dims[0] = dataset.num_rows();
  check_layout(dataset, wanted);
  return dataset;
}

std::vector<Dataset> open_columns(const File& file, const std::string& group, Type type,
                                  const Dims& row, const std::vector<engine::FieldInfo>& columns) {
  std::vector<Dataset> datasets;
  datasets.reserve(columns.size());
  for (const auto& column : columns)
    datasets.push_back(open_growing(file, join(group, column.name), type, row));
  return datasets;
}

std::vector<BodyDatasets> open_bodies(const File& file,
                                      const std::vector<engine::BodyTopology>& bodies) {
  std::vector<BodyDatasets> datasets;
  for (const auto& body : bodies) {
    const std::string group = join(layout::kBodies, body.name);
    const std::uint64_t num_vertices = body.rest_surface.size();
    datasets.push_back(
        {body.rigid ? open_growing(file, join(group, "pose"), Type::kF64, {3, 4})
                    : open_growing(file, join(group, "surface"), Type::kF32, {num_vertices, 3}),
         open_growing(file, join(group, "nodes"), Type::kF32, {body.rest_nodes.size(), 3}),
         open_columns(file, join(group, "fields"), Type::kF32, {num_vertices}, body.fields)});
  }
  return datasets;
}

RecordingInfo read_info(const File& file) {
  check_format(file);
  RecordingInfo info;
  info.version = file.read_text("/", "version");
  info.scene_name = file.read_text("/", "scene_name");
  info.up = read_up_axis(file);
  info.frame_rate = file.read_number("/", "frame_rate");
  if (!std::isfinite(info.frame_rate) || info.frame_rate <= 0)
    file.fail("/@frame_rate",
              fmt::format("is {}, a finite number above 0 is allowed", info.frame_rate));
  info.planned_frames = file.read_count("/", "planned_frames");
  info.limits = read_limits(file);
  const std::vector<char> text = read_fixed<char>(file, layout::kSceneText, Type::kU8, 1);
  info.scene_text.assign(text.begin(), text.end());
  info.certificate = read_columns(file, layout::kCertificate);
  for (const auto& name : read_names(file, layout::kBodies, layout::is_body_name))
    info.bodies.push_back(read_topology(file, name));
  return info;
}

}  // namespace sinew::record
