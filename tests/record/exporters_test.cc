#include "sinew/record/exporters.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

#include "sinew/core/error.h"

#include "record/sample_recording.h"

namespace sinew::record {
namespace {

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Exporters : public testing::Test {
 protected:
  Exporters() { sample::write_recording(folder_ / "r.h5", info_, 3); }

  const sample::Folder folder_;
  const RecordingInfo info_ = sample::make_info();
};

// The text between two marks, from the first `after` on.
std::string between(const std::string& text, const std::string& after, const std::string& begin,
                    const std::string& end) {
  const std::size_t start = text.find(begin, text.find(after)) + begin.size();
  return text.substr(start, text.find(end, start) - start);
}

std::string decode_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = (bits << 6U) | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count >= 8) bytes += static_cast<char>((bits >> (count -= 8)) & 0xffU);
  }
  return bytes;
}

// A DataArray of a VTU file.
template <class T>
std::vector<T> read_array(const std::string& vtu, const std::string& name) {
  const std::string bytes =
      decode_base64(between(vtu, "Name=\"" + name + "\"", ">", "</DataArray>"));
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof(size));
  EXPECT_EQ(size, bytes.size() - sizeof(size));
  std::vector<T> values(size / sizeof(T));
  std::memcpy(values.data(), bytes.data() + sizeof(size), size);
  return values;
}

TEST_F(Exporters, WriteSurfacesAsVtuBitForBit) {
  const RecordingReader reader(folder_ / "r.h5");
  const auto files = export_vtu(reader, {1, 2, 1}, folder_ / "new/vtu");
  EXPECT_EQ(files.size(), 2U + 2 * 2 * 2);
  for (const auto& file : files) EXPECT_TRUE(std::filesystem::exists(file)) << file;
  const std::string vtu = read_text(folder_ / "new/vtu/torus-surface-0002.vtu");
  const engine::BodyFrame frame = sample::make_frame(info_, 2).bodies[0];
  EXPECT_EQ(read_array<Vec3f>(vtu, "position"), frame.surface);
  EXPECT_EQ(read_array<float>(vtu, "speed"), frame.fields[1]);
  const auto connectivity = read_array<std::int64_t>(vtu, "connectivity");
  ASSERT_EQ(connectivity.size(), 3 * info_.bodies[0].triangles.size());
  EXPECT_EQ(connectivity[4], info_.bodies[0].triangles[1][1]);
  EXPECT_EQ(read_array<std::int64_t>(vtu, "offsets").at(1), 6);
  EXPECT_EQ(read_array<std::uint8_t>(vtu, "types").at(0), 5);
}

TEST_F(Exporters, WriteVolumesWithTheirVolumeRatio) {
  RecordingInfo info = sample::make_info();
  info.bodies.resize(1);
  const engine::BodyTopology& body = info.bodies[0];
  engine::Frame frame = sample::make_frame(info, 0);
  // Twice as long, in a mirror: every tet has -2 times its volume.
  for (std::size_t i = 0; i < body.rest_nodes.size(); ++i) {
    const Vec3f& p = body.rest_nodes[i];
    frame.bodies[0].nodes[i] = {p.x, p.y * -2, p.z};
  }
  RecordingWriter(folder_ / "stretched.h5", info).append(frame);
  export_vtu(RecordingReader(folder_ / "stretched.h5"), {0, 0, 1}, folder_.path());
  const std::string vtu = read_text(folder_ / "torus-volume-0000.vtu");
  EXPECT_EQ(read_array<Vec3f>(vtu, "position"), frame.bodies[0].nodes);
  EXPECT_EQ(read_array<std::uint8_t>(vtu, "types").at(0), 10);
  // Positions scale by a power of two without rounding; volumes in double round once or twice.
  const auto ratios = read_array<float>(vtu, "volume_ratio");
  ASSERT_EQ(ratios.size(), body.tets.size());
  for (const float ratio : ratios) EXPECT_FLOAT_EQ(ratio, -2.0F);
}

TEST_F(Exporters, ListTheTimesInThePvd) {
  export_vtu(RecordingReader(folder_ / "r.h5"), {0, 2, 2}, folder_.path());
  const std::string pvd = read_text(folder_ / "surface.pvd");
  EXPECT_EQ(between(pvd, "torus-surface-0000", "timestep=\"", "\""), "0");
  const std::size_t last = pvd.rfind("timestep=\"") + 10;
  EXPECT_EQ(std::stod(pvd.substr(last)), 2 / 24.0);
  EXPECT_EQ(pvd.find("0001.vtu"), std::string::npos) << "the stride leaves frame 1 out";
}

TEST_F(Exporters, WriteObjBitForBit) {
  const auto files = export_obj(RecordingReader(folder_ / "r.h5"), {1, 1, 1}, folder_ / "obj");
  ASSERT_EQ(files, (std::vector<std::string>{folder_ / "obj/torus-0001.obj",
                                             folder_ / "obj/a-second_one-0001.obj"}));
  std::ifstream file(files[0]);
  std::vector<Vec3f> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    Vec3f p;
    std::array<std::uint32_t, 3> t{};
    if (kind == "v" && words >> p.x >> p.y >> p.z) points.push_back(p);
    if (kind == "f" && words >> t[0] >> t[1] >> t[2])
      triangles.push_back({t[0] - 1, t[1] - 1, t[2] - 1});
  }
  EXPECT_EQ(points, sample::make_frame(info_, 1).bodies[0].surface);
  EXPECT_EQ(triangles, info_.bodies[0].triangles);
}

TEST_F(Exporters, WriteTheCertificateAsCsv) {
  RecordingInfo info = sample::make_info();
  info.certificate[1].name = "gap, \"worst\"";
  sample::write_recording(folder_ / "csv.h5", info, 3);
  const auto files = export_csv(RecordingReader(folder_ / "csv.h5"), {1, 2, 1}, folder_.path());
  std::istringstream csv(read_text(files.at(0)));
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line,
            "frame,time [s],state_hash,smallest volume ratio [1],"
            "\"gap, \"\"worst\"\" [1]\",advance [ms]");
  std::getline(csv, line);
  EXPECT_EQ(line, "1,0.041666666666666664,3c6ef372fe94f82a,0.1,1.1,2.1");
  EXPECT_TRUE(std::getline(csv, line));
  EXPECT_FALSE(std::getline(csv, line));
}

std::uint32_t read_big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = (value << 8U) | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

TEST_F(Exporters, WriteOnePictureOfAllFrames) {
  const auto files = export_png(RecordingReader(folder_ / "r.h5"), {0, 2, 1}, folder_.path());
  ASSERT_EQ(files.size(), 1U);
  const std::string png = read_text(files[0]);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(png.substr(12, 4), "IHDR");
  EXPECT_GT(read_big_endian(png, 16), 600U);
  EXPECT_GT(read_big_endian(png, 20), 100U);
  EXPECT_EQ(png.substr(png.size() - 8, 4), "IEND");
  EXPECT_LT(png.size(), 300'000U);
}

TEST_F(Exporters, DrawFramesWithoutFinitePositions) {
  engine::Frame frame = sample::make_frame(info_, 0);
  for (auto& p : frame.bodies[0].surface) p = {NAN, INFINITY, -INFINITY};
  for (auto& p : frame.bodies[1].surface) p = {3e38F, -3e38F, 1e-38F};
  RecordingWriter(folder_ / "bad.h5", info_).append(frame);
  EXPECT_EQ(export_png(RecordingReader(folder_ / "bad.h5"), {0, 0, 1}, folder_.path()).size(), 1U);
}

TEST_F(Exporters, RefuseFramesThatAreNotThere) {
  const RecordingReader reader(folder_ / "r.h5");
  EXPECT_THROW(export_obj(reader, {0, 3, 1}, folder_.path()), InputError);
  EXPECT_THROW(export_csv(reader, {2, 1, 1}, folder_.path()), InputError);
  EXPECT_THROW(export_vtu(reader, {0, 2, 0}, folder_.path()), InputError);
}

TEST_F(Exporters, RefuseAFolderThatCannotBeMade) {
  const RecordingReader reader(folder_ / "r.h5");
  const std::string under_a_file = folder_ / "r.h5/sub";
  EXPECT_THROW(export_vtu(reader, {0, 2, 1}, under_a_file), InputError);
  EXPECT_THROW(export_obj(reader, {0, 2, 1}, under_a_file), InputError);
  EXPECT_THROW(export_csv(reader, {0, 2, 1}, under_a_file), InputError);
  EXPECT_THROW(export_png(reader, {0, 2, 1}, under_a_file), InputError);
}

}  // namespace
}  // namespace sinew::record
