#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/parallel.h"
#include "sinew/core/temporary_file.h"
#include "sinew/record/body_kind.h"
#include "sinew/record/export_files.h"
#include "sinew/record/image.h"
#include "sinew/record/render.h"
#include "sinew/record/up_axis.h"

namespace sinew::record {
namespace {

constexpr int kSheetWidth = 1360;  // pixels, at most
constexpr int kMaxTileWidth = 800;
constexpr double kSheetAspect = 16.0 / 9;
constexpr double kTileAspect = 4.0 / 3;
constexpr int kGap = 8;                // pixels between tiles and around them
constexpr int kSamples = 3;            // a pixel and direction
constexpr std::size_t kMaxTiles = 48;  // more would be too small to see

struct Sheet {
  int columns, rows, tile_width, tile_height;
};

// Of all numbers of columns, the one whose sheet comes nearest to 16:9 with the fewest gaps.
Sheet plan_sheet(int num_tiles) {
  const auto count_rows = [&](int columns) { return (num_tiles + columns - 1) / columns; };
  const auto misfit = [&](int columns) {
    const int rows = count_rows(columns);
    const double gaps = static_cast<double>(columns * rows - num_tiles) / num_tiles;
    return std::abs(std::log(kTileAspect * columns / rows / kSheetAspect)) + gaps;
  };
  int columns = 1;
  for (int c = 2; c <= num_tiles; ++c)
    if (misfit(c) < misfit(columns)) columns = c;
  const int width = std::min(kMaxTileWidth, (kSheetWidth - kGap * (columns + 1)) / columns);
  return {columns, count_rows(columns), width, static_cast<int>(std::lround(width / kTileAspect))};
}

// Evenly spread over the range, its first and last included.
std::vector<std::size_t> thin_out(const std::vector<std::size_t>& frames) {
  if (frames.size() <= kMaxTiles) return frames;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < kMaxTiles; ++i)
    chosen.push_back(frames[i * (frames.size() - 1) / (kMaxTiles - 1)]);
  return chosen;
}

// Flesh, tendon, and what goes well beside them.
Vec3f body_color(std::size_t body) {
  static const std::array<Vec3f, 6> kPalette = {srgb(196, 84, 74),   srgb(226, 190, 140),
                                                srgb(150, 92, 124),  srgb(222, 140, 104),
                                                srgb(120, 134, 168), srgb(160, 160, 120)};
  return kPalette[body % kPalette.size()];
}

// One scale for all that has an activation: dark at rest, bright at 1; what is no number is black.
std::vector<Vec3f> color_activation(const std::vector<float>& activation) {
  static const Vec3f kRest = srgb(122, 46, 44);
  static const Vec3f kActive = srgb(255, 164, 64);
  std::vector<Vec3f> colors;
  colors.reserve(activation.size());
  for (const float a : activation)
    colors.push_back(std::isnan(a) ? Vec3f{}
                                   : kRest + (kActive - kRest) * std::clamp(a, 0.0F, 1.0F));
  return colors;
}

RenderedMesh make_mesh(const engine::BodyTopology& body, engine::BodyFrame frame,
                       std::string_view up, const Vec3f& color) {
  RenderedMesh mesh{std::move(frame.surface), body.triangles, color, {}};
  for (Vec3f& p : mesh.positions) p = turn_upright(p, up);
  if (find_kind(body) == BodyKind::kBone) mesh.color = srgb(227, 218, 196);  // ivory
  const std::size_t activation = find_activation(body);
  if (activation < body.fields.size()) mesh.colors = color_activation(frame.fields[activation]);
  return mesh;
}

std::vector<RenderedMesh> read_meshes(const RecordingReader& recording, std::size_t k) {
  std::vector<RenderedMesh> meshes;
  const RecordingInfo& info = recording.info();
  meshes.reserve(info.bodies.size());
  for (std::size_t b = 0; b < info.bodies.size(); ++b)
    meshes.push_back(make_mesh(info.bodies[b], recording.read_body(k, b), info.up, body_color(b)));
  return meshes;
}

Image draw_tile(const std::vector<RenderedMesh>& meshes, const Camera& camera, const Bounds& bounds,
                const Sheet& sheet, double time) {
  Image tile = shrink(
      render(meshes, camera, bounds, sheet.tile_width * kSamples, sheet.tile_height * kSamples),
      kSamples);
  const int scale = sheet.tile_width >= 240 ? 2 : 1;
  draw_text(fmt::format("{:.2f} s", time), 6 * scale, 5 * scale, scale, srgb(96, 100, 108), tile);
  draw_border(srgb(196, 199, 204), tile);
  return tile;
}

Image lay_out(const std::vector<Image>& tiles, const Sheet& sheet) {
  Image image(sheet.columns * (sheet.tile_width + kGap) + kGap,
              sheet.rows * (sheet.tile_height + kGap) + kGap, srgb(255, 255, 255));
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const int column = static_cast<int>(i) % sheet.columns;
    const int row = static_cast<int>(i) / sheet.columns;
    paste(tiles[i], kGap + column * (sheet.tile_width + kGap),
          kGap + row * (sheet.tile_height + kGap), image);
  }
  return image;
}

}  // namespace

std::vector<std::string> export_png(const RecordingReader& recording, const FrameRange& range,
                                    const std::string& folder) {
  const std::vector<std::size_t> frames = thin_out(list_frames(recording, range));
  make_folder(folder);
  std::vector<std::vector<RenderedMesh>> shown;
  std::vector<Vec3f> points;
  for (const std::size_t k : frames) {
    shown.push_back(read_meshes(recording, k));
    for (const auto& mesh : shown.back())
      points.insert(points.end(), mesh.positions.begin(), mesh.positions.end());
  }
  const Bounds bounds = compute_bounds(points);
  const Camera camera = frame_points(points, bounds, static_cast<float>(kTileAspect));
  const Sheet sheet = plan_sheet(static_cast<int>(frames.size()));
  std::vector<double> times;
  times.reserve(frames.size());
  for (const std::size_t k : frames) times.push_back(recording.read_time(k));
  std::vector<Image> tiles(frames.size(), Image(0, 0, {}));
  parallel_for(frames.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      tiles[i] = draw_tile(shown[i], camera, bounds, sheet, times[i]);
  });
  std::string path = folder + "/frames.png";
  write_file(path, encode_png(lay_out(tiles, sheet)));
  return {path};
}

}  // namespace sinew::record
