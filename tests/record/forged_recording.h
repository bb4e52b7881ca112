// Recordings that lie: the plan of a small right one, to be changed piece by piece and then written
// as a well-formed HDF5 file. For the tests of the reader and for its fuzzer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <variant>
#include <vector>

#include "sinew/record/hdf5_file.h"

namespace sinew::record::forged {

struct PlannedDataset {
  std::string path;
  hdf5::Layout layout;  // dims as they end up
  std::vector<std::byte> values;
  bool written = true;  // else HDF5 knows the shape only
};

struct PlannedAttribute {
  std::string path;
  std::string name;
  std::variant<double, std::uint64_t, std::string, std::vector<std::string>> value;
};

struct Plan {
  std::vector<std::string> groups;
  std::vector<PlannedDataset> datasets;
  std::vector<PlannedAttribute> attributes;

  PlannedDataset& dataset(const std::string& path) {
    return *std::find_if(datasets.begin(), datasets.end(),
                         [&](const auto& d) { return d.path == path; });
  }
  PlannedAttribute& attribute(const std::string& path, const std::string& name) {
    return *std::find_if(attributes.begin(), attributes.end(),
                         [&](const auto& a) { return a.path == path && a.name == name; });
  }
  void remove_dataset(const std::string& path) {
    std::erase_if(datasets, [&](const auto& d) { return d.path == path; });
    std::erase_if(attributes, [&](const auto& a) { return a.path == path; });
  }
  void remove_attribute(const std::string& path, const std::string& name) {
    std::erase_if(attributes, [&](const auto& a) { return a.path == path && a.name == name; });
  }
};

template <class T>
std::vector<std::byte> to_bytes(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// A layout that grows by rows and has `frames` of them.
inline hdf5::Layout rows_layout(hdf5::Type type, std::uint64_t frames, const hdf5::Dims& row) {
  hdf5::Layout layout = hdf5::make_growing_layout(type, row);
  layout.dims[0] = frames;
  return layout;
}

// One tetrahedron with one field and one measure, two frames, finished: a right recording.
inline Plan make_plan() {
  using hdf5::Type;
  const std::vector<float> corners = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::vector<float> both_frames = corners;
  both_frames.insert(both_frames.end(), corners.begin(), corners.end());
  const std::vector<std::uint32_t> triangles = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  const std::vector<std::uint32_t> tets = {0, 1, 2, 3};
  const std::string body = "/bodies/tet/";
  Plan plan;
  plan.groups = {"/frames", "/certificate", "/bodies", "/bodies/tet", "/bodies/tet/fields"};
  const auto fixed = [&](const std::string& path, Type type, const hdf5::Dims& dims, auto values) {
    plan.datasets.push_back({path, hdf5::make_fixed_layout(type, dims), to_bytes(values)});
  };
  const auto growing = [&](const std::string& path, Type type, const hdf5::Dims& row, auto values,
                           std::uint64_t rows = 2) {
    plan.datasets.push_back({path, rows_layout(type, rows, row), to_bytes(values)});
  };
  fixed("/scene_text", Type::kU8, {4}, std::vector<char>{'t', 'e', 's', 't'});
  growing("/frames/time", Type::kF64, {}, std::vector<double>{0, 0.25});
  growing("/frames/end", Type::kU64, {}, std::vector<std::uint64_t>{1, 1});
  growing("/frames/state_hash", Type::kU64, {}, std::vector<std::uint64_t>{7, 8});
  growing("/frames/finished", Type::kU8, {}, std::vector<std::uint8_t>{1}, 1);
  growing("/certificate/energy", Type::kF64, {}, std::vector<double>{3, 4});
  fixed(body + "rest_surface", Type::kF32, {4, 3}, corners);
  fixed(body + "triangles", Type::kU32, {4, 3}, triangles);
  fixed(body + "rest_nodes", Type::kF32, {4, 3}, corners);
  fixed(body + "tets", Type::kU32, {1, 4}, tets);
  growing(body + "surface", Type::kF32, {4, 3}, both_frames);
  growing(body + "nodes", Type::kF32, {4, 3}, both_frames);
  growing(body + "fields/speed", Type::kF32, {4}, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
  using std::string;
  using Names = std::vector<string>;
  plan.attributes = {{"/", "format", string("sinew-recording")},
                     {"/", "format_version", std::uint64_t{1}},
                     {"/", "version", string("0.0.1")},
                     {"/", "scene_name", string("forged")},
                     {"/", "frame_rate", 4.0},
                     {"/", "planned_frames", std::uint64_t{2}},
                     {"/certificate", "names", Names{"energy"}},
                     {"/certificate", "limit_volume", 0.2},
                     {"/certificate/energy", "unit", string("J")},
                     {"/bodies", "names", Names{"tet"}},
                     {"/bodies/tet/fields", "names", Names{"speed"}},
                     {"/bodies/tet/fields/speed", "unit", string("m/s")}};
  return plan;
}

inline void write_attribute(hdf5::File& file, const PlannedAttribute& a) {
  if (const auto* number = std::get_if<double>(&a.value))
    file.write_number(a.path, a.name, *number);
  if (const auto* count = std::get_if<std::uint64_t>(&a.value))
    file.write_count(a.path, a.name, *count);
  if (const auto* text = std::get_if<std::string>(&a.value)) file.write_text(a.path, a.name, *text);
  if (const auto* texts = std::get_if<std::vector<std::string>>(&a.value))
    file.write_texts(a.path, a.name, *texts);
}

inline constexpr std::uint64_t kMaxBytes = 1 << 16;

// Of a block of these dimensions; anything above kMaxBytes counts as kMaxBytes + 1.
inline std::uint64_t count_bytes(hdf5::Type type, const hdf5::Dims& dims) {
  std::uint64_t bytes = hdf5::size_of(type);
  for (const std::uint64_t n : dims)
    bytes = n > 0 && bytes > kMaxBytes / n ? kMaxBytes + 1 : bytes * n;
  return bytes;
}

// Values are cut or filled with zeros to the shape. They are left out where they or their chunks
// exceed kMaxBytes: HDF5 would take minutes.
inline void write_plan(const std::string& path, const Plan& plan) {
  hdf5::File file = hdf5::File::create(path, path, hdf5::Growth::kWhileRead);
  for (const auto& group : plan.groups) file.make_group(group);
  for (const auto& planned : plan.datasets) {
    hdf5::Dataset dataset = file.make_dataset(planned.path, planned.layout);
    const std::uint64_t bytes = count_bytes(planned.layout.type, planned.layout.dims);
    const std::uint64_t chunk_bytes = count_bytes(planned.layout.type, planned.layout.chunk);
    if (!planned.written || std::max(bytes, chunk_bytes) > kMaxBytes) continue;
    std::vector<std::byte> values = planned.values;
    values.resize(bytes);
    dataset.write_all(values.data());
  }
  for (const auto& attribute : plan.attributes) write_attribute(file, attribute);
}

}  // namespace sinew::record::forged
