#include "sinew/record/model_picture.h"

#include <algorithm>
#include <cmath>

#include "sinew/record/render.h"

namespace sinew::record {
namespace {

constexpr int kSamples = 2;           // a pixel and direction
constexpr float kLeastAspect = 0.5F;  // width by height of one side
constexpr Vec3f kAhead{0, -0.08F, -1};

// A part, turned so that the renderer's y points to the head and its z to the
// viewer, who stands in front of the body or behind it (LPS: x to the left, y
// to the back, z to the head).
std::vector<Vec3f> turn(const std::vector<Vec3d>& points, bool front) {
  std::vector<Vec3f> turned;
  turned.reserve(points.size());
  const double side = front ? 1 : -1;
  for (const Vec3d& p : points) {
    turned.push_back(
        {static_cast<float>(side * p.x), static_cast<float>(p.z), static_cast<float>(-side * p.y)});
  }
  return turned;
}

std::vector<Vec3f> color_vertices(const anatomy::Muscle& muscle) {
  const ModelColors& colors = model_colors();
  std::vector<Vec3f> out;
  for (std::size_t v = 0; v < muscle.end.size(); ++v) {
    const std::uint8_t tissue = muscle.vertex_tissue[v];
    Vec3f color = tissue == anatomy::kTendonTissue        ? colors.tendon
                  : tissue == anatomy::kAponeurosisTissue ? colors.aponeurosis
                                                          : colors.muscle;
    if (muscle.end[v] == anatomy::kOriginEnd) color = colors.origin;
    if (muscle.end[v] == anatomy::kInsertionEnd) color = colors.insertion;
    out.push_back(color);
  }
  return out;
}

// What is in a picture: whole meshes, and the points that it must show.
struct Scene {
  std::vector<RenderedMesh> meshes;
  std::vector<Vec3f> points;
};

Image draw_side(const Scene& scene, float aspect, int height) {
  const Bounds bounds = compute_bounds(scene.points);
  const int rows = height * kSamples;
  const int columns = static_cast<int>(aspect * static_cast<float>(height)) * kSamples;
  const Camera camera = frame_points(scene.points, bounds, aspect, kAhead);
  return shrink(render(scene.meshes, camera, bounds, columns, rows, Ground::kNone), kSamples);
}

template <class MakeScene>
Image draw_both(const MakeScene& make_scene, int height) {
  const Scene front = make_scene(true);
  const Bounds bounds = compute_bounds(front.points);
  const Vec3f size = bounds.high - bounds.low;
  const float aspect = std::clamp(size.x / std::max(size.y, 1e-6F), kLeastAspect, 1.5F);
  const Image left = draw_side(front, aspect, height);
  const Image right = draw_side(make_scene(false), aspect, height);
  Image both(left.width + right.width, height, left.at(0, 0));
  paste(left, 0, 0, both);
  paste(right, left.width, 0, both);
  return both;
}

bool names(const anatomy::Muscle& muscle, const std::string& bone) {
  return muscle.origin.bone == bone || muscle.insertion.bone == bone;
}

void add_muscle(const anatomy::Muscle& muscle, bool front, Scene& scene) {
  scene.meshes.push_back({turn(muscle.surface.positions, front),
                          muscle.surface.triangles,
                          {},
                          color_vertices(muscle)});
}

void add_bone(const anatomy::Tissue& bone, bool front, Scene& scene) {
  scene.meshes.push_back(
      {turn(bone.surface.positions, front), bone.surface.triangles, model_colors().bone, {}});
}

}  // namespace

const ModelColors& model_colors() {
  static const ModelColors kColors{srgb(186, 64, 58),  srgb(236, 222, 190), srgb(214, 170, 140),
                                   srgb(46, 134, 193), srgb(40, 160, 90),   srgb(206, 202, 190)};
  return kColors;
}

Image draw_muscle(const anatomy::Model& model, std::size_t muscle, int height) {
  return draw_both(
      [&](bool front) {
        Scene scene;
        add_muscle(model.muscles[muscle], front, scene);
        scene.points = scene.meshes[0].positions;
        for (const anatomy::Tissue& tissue : model.tissues) {
          if (names(model.muscles[muscle], tissue.name)) add_bone(tissue, front, scene);
        }
        return scene;
      },
      height);
}

Image draw_model(const anatomy::Model& model, int height) {
  return draw_both(
      [&](bool front) {
        Scene scene;
        for (const anatomy::Muscle& muscle : model.muscles) add_muscle(muscle, front, scene);
        for (const anatomy::Tissue& tissue : model.tissues) {
          if (tissue.kind != anatomy::TissueKind::kFat) add_bone(tissue, front, scene);
        }
        for (const RenderedMesh& mesh : scene.meshes) {
          scene.points.insert(scene.points.end(), mesh.positions.begin(), mesh.positions.end());
        }
        return scene;
      },
      height);
}

}  // namespace sinew::record
