// Runs on a skeleton: bodies without elements, nodes or fields, in everything that records.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "sinew/record/body_kind.h"
#include "sinew/record/check_recording.h"
#include "sinew/record/exporters.h"

#include "record/same_recording.h"
#include "record/sample_recording.h"

namespace sinew::record {
namespace {

engine::BodyTopology make_surface(const std::string& name, std::uint32_t size) {
  engine::BodyTopology body = sample::make_body(name, size, size);
  body.rest_nodes.clear();
  body.tets.clear();
  body.fields.clear();
  return body;
}

engine::BodyTopology make_lines() {
  engine::BodyTopology body = make_surface("lines_of_action", 30);
  body.fields = {{"activation", "1"}};
  return body;
}

// A muscle, two bones, one of them without a surface, and lines of action.
RecordingInfo make_info() {
  RecordingInfo info = sample::make_info();
  info.up = "z";
  info.bodies = {sample::make_body("biceps", 20, 1), make_surface("radius", 12),
                 engine::BodyTopology{"hidden", {}, {}, {}, {}, {}}, make_lines()};
  info.bodies[0].fields.push_back({"activation", "1"});
  return info;
}

std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(RecordingWithBones, ComesBackBitForBit) {
  const sample::Folder folder;
  const RecordingInfo info = make_info();
  sample::write_recording(folder / "r.h5", info, 3);
  RecordingReader reader(folder / "r.h5");
  reader.refresh();
  expect_same_info(reader.info(), info);
  ASSERT_EQ(reader.num_frames(), 3U);
  for (std::uint32_t k = 0; k < 3; ++k)
    expect_same_frame(reader.read_frame(k), sample::make_frame(info, k));
}

// As above, with many vertices, of which nothing is written but the pose.
TEST(RecordingWithBones, ARigidBoneComesBackFromItsPose) {
  const sample::Folder folder;
  RecordingInfo info = make_info();
  info.bodies[1] = make_surface("radius", 1000);
  sample::write_recording(folder / "soft.h5", info, 20);
  info.bodies[1].rigid = true;
  sample::write_recording(folder / "rigid.h5", info, 20);
  const RecordingReader reader(folder / "rigid.h5");
  expect_same_info(reader.info(), info);
  for (std::uint32_t k = 0; k < 20; ++k)
    expect_same_frame(reader.read_frame(k), sample::make_frame(info, k));
  EXPECT_GT(std::filesystem::file_size(folder / "soft.h5"),
            std::filesystem::file_size(folder / "rigid.h5") + 20 * 1000 * sizeof(Vec3f) * 9 / 10);
}

TEST(RecordingWithBones, GoesOnFromTheOneItReplaces) {
  const sample::Folder folder;
  RecordingInfo info = make_info();
  info.bodies[1].rigid = true;
  sample::write_recording(folder / "r.h5", info, 2);
  {
    const RecordingReader earlier(folder / "r.h5");
    RecordingWriter writer(folder / "r.h5", earlier.info(), earlier, 1);
    writer.append(sample::make_frame(info, 1));
  }
  const RecordingReader reader(folder / "r.h5");
  ASSERT_EQ(reader.num_frames(), 2U);
  EXPECT_EQ(reader.info().up, "z");
  expect_same_frame(reader.read_frame(1), sample::make_frame(info, 1));
}

TEST(RecordingWithBones, PassesItsCheck) {
  const sample::Folder folder;
  sample::write_recording(folder / "r.h5", make_info(), 3);
  for (const CheckRow& row : check_recording(RecordingReader(folder / "r.h5")))
    EXPECT_TRUE(row.pass) << row.name;
}

TEST(RecordingWithBones, HasAVolumeFileOnlyOfWhatHasNodes) {
  const sample::Folder folder;
  const RecordingInfo info = make_info();
  sample::write_recording(folder / "r.h5", info, 3);
  const auto files = export_vtu(RecordingReader(folder / "r.h5"), {0, 2, 1}, folder / "vtu");
  EXPECT_EQ(files.size(), 2U + 3 * (info.bodies.size() + 1));
  EXPECT_TRUE(std::filesystem::exists(folder / "vtu/radius-surface-0002.vtu"));
  EXPECT_TRUE(std::filesystem::exists(folder / "vtu/biceps-volume-0002.vtu"));
  EXPECT_FALSE(std::filesystem::exists(folder / "vtu/radius-volume-0002.vtu"));
  EXPECT_EQ(read_bytes(folder / "vtu/volume.pvd").find("radius"), std::string::npos);
}

TEST(RecordingWithBones, IsExportedToTheOtherFormats) {
  const sample::Folder folder;
  const RecordingInfo info = make_info();
  sample::write_recording(folder / "r.h5", info, 3);
  const RecordingReader reader(folder / "r.h5");
  EXPECT_EQ(export_obj(reader, {0, 2, 1}, folder / "obj").size(), 3 * info.bodies.size());
  EXPECT_EQ(export_csv(reader, {0, 2, 1}, folder / "csv").size(), 1U);
  EXPECT_GT(std::filesystem::file_size(export_png(reader, {0, 2, 1}, folder / "png").at(0)), 1000U);
}

TEST(RecordingOfBonesAlone, IsReadCheckedAndExported) {
  const sample::Folder folder;
  RecordingInfo info = make_info();
  info.bodies = {info.bodies[1], info.bodies[2]};
  info.certificate.clear();
  sample::write_recording(folder / "r.h5", info, 3);
  const RecordingReader reader(folder / "r.h5");
  expect_same_frame(reader.read_frame(2), sample::make_frame(info, 2));
  for (const CheckRow& row : check_recording(reader)) EXPECT_TRUE(row.pass) << row.name;
  EXPECT_EQ(export_vtu(reader, {0, 2, 1}, folder / "vtu").size(), 2U + 3 * 2);
  EXPECT_EQ(export_csv(reader, {0, 2, 1}, folder / "csv").size(), 1U);
  EXPECT_EQ(export_png(reader, {0, 2, 1}, folder / "png").size(), 1U);
}

TEST(BodyKind, IsToldByWhatABodyHolds) {
  const RecordingInfo info = make_info();
  EXPECT_EQ(find_kind(info.bodies[0]), BodyKind::kTissue);
  EXPECT_EQ(find_kind(info.bodies[1]), BodyKind::kBone);
  EXPECT_EQ(find_kind(info.bodies[2]), BodyKind::kBone);
  EXPECT_EQ(find_kind(info.bodies[3]), BodyKind::kLines);
  EXPECT_EQ(find_activation(info.bodies[0]), 2U);
  EXPECT_EQ(find_activation(info.bodies[1]), 0U);
}

// The bytes of the picture of one frame in which `change` had its way.
template <class Change>
std::string draw(RecordingInfo info, const Change& change) {
  const sample::Folder folder;
  engine::Frame frame = sample::make_frame(info, 0);
  change(info, frame);
  RecordingWriter(folder / "r.h5", info).append(frame);
  return read_bytes(export_png(RecordingReader(folder / "r.h5"), {0, 0, 1}, folder.path()).at(0));
}

TEST(PictureOfBones, HasTheRecordingsUpAxisUp) {
  const std::string lying = draw(make_info(), [](RecordingInfo&, engine::Frame&) {});
  // The same scene, turned by hand so that it stands along y.
  const std::string turned = draw(make_info(), [](RecordingInfo& info, engine::Frame& frame) {
    info.up = "y";
    for (auto& body : frame.bodies)
      for (Vec3f& p : body.surface) p = {p.x, p.z, -p.y};
  });
  const std::string wrong =
      draw(make_info(), [](RecordingInfo& info, engine::Frame&) { info.up = "y"; });
  EXPECT_EQ(lying, turned);
  EXPECT_NE(lying, wrong);
}

TEST(PictureOfBones, ShowsActivationAndNothingElseByColour) {
  const auto with = [](std::size_t field, float value) {
    return draw(make_info(), [=](RecordingInfo&, engine::Frame& frame) {
      auto& values = frame.bodies[0].fields[field];
      values.assign(values.size(), value);
    });
  };
  EXPECT_NE(with(2, 0), with(2, 1));
  EXPECT_EQ(with(2, 1), with(2, 7)) << "an activation ends at 1";
  EXPECT_EQ(with(1, 0), with(1, 1)) << "speed has no colour";
}

}  // namespace
}  // namespace sinew::record
