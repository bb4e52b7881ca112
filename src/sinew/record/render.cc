#include "sinew/record/render.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/record/floor_shadow.h"

namespace sinew::record {
namespace {

const Vec3f kSky = srgb(246, 247, 249);
const Vec3f kFloor = srgb(214, 216, 220);

bool is_finite(const Vec3f& p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

Vec3f mix(const Vec3f& a, const Vec3f& b, float t) {
  return a + (b - a) * t;
}
float smooth_step(float x) {
  const float t = std::clamp(x, 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}
Vec3f times(const Vec3f& a, const Vec3f& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

// Unit normals of the vertices, by the area of the triangles around; zero where there is none.
std::vector<Vec3f> compute_normals(const RenderedMesh& mesh) {
  std::vector<Vec3f> normals(mesh.positions.size());
  for (const auto& t : mesh.triangles) {
    const Vec3f& a = mesh.positions[t[0]];
    const Vec3f n = cross(mesh.positions[t[1]] - a, mesh.positions[t[2]] - a);
    if (!is_finite(n)) continue;
    for (const std::uint32_t i : t) normals[i] += n;
  }
  for (auto& n : normals) {
    const float length = norm(n);
    n = length > 0 ? n / length : Vec3f{};
  }
  return normals;
}

// A vertex as the camera sees it: pixels, and the distance along the line of sight.
struct Projected {
  float x, y, depth;
};

struct View {
  const Camera& camera;
  int width, height;

  float pixels_per_unit() const { return camera.focal * static_cast<float>(height) / 2; }
  Projected project(const Vec3f& p) const {
    const Vec3f d = p - camera.eye;
    const float depth = dot(d, camera.forward);
    const float scale = pixels_per_unit() / depth;
    return {static_cast<float>(width) / 2 + scale * dot(d, camera.right),
            static_cast<float>(height) / 2 - scale * dot(d, camera.up), depth};
  }
  Vec3f ray(int x, int y) const {
    const float u = (static_cast<float>(x) + 0.5F - static_cast<float>(width) / 2);
    const float v = (static_cast<float>(height) / 2 - static_cast<float>(y) - 0.5F);
    return camera.forward * pixels_per_unit() + camera.right * u + camera.up * v;
  }
};

// Key light from the upper left, a cool fill from the right, light from sky and floor, a soft
// highlight, and less of all near the floor.
Vec3f shade(const Vec3f& color, Vec3f normal, const Vec3f& to_eye, float height_above_floor) {
  static const Vec3f key = normalized(Vec3f{-0.45F, 0.8F, 0.55F});
  static const Vec3f fill = normalized(Vec3f{0.9F, 0.25F, 0.35F});
  if (dot(normal, to_eye) < 0) normal = -normal;
  const float wrapped = std::max(0.0F, (dot(normal, key) + 0.25F) / 1.25F);
  const float side = std::max(0.0F, dot(normal, fill));
  const float sky = 0.5F + 0.5F * normal.y;
  const Vec3f light = Vec3f{1.0F, 0.96F, 0.9F} * (0.95F * wrapped) +
                      Vec3f{0.75F, 0.85F, 1.0F} * (0.22F * side) +
                      mix({0.16F, 0.15F, 0.15F}, {0.34F, 0.35F, 0.37F}, sky);
  const Vec3f halfway = normalized(key + to_eye);
  const float gloss = 0.16F * std::pow(std::max(0.0F, dot(normal, halfway)), 36.0F);
  const float open = 0.72F + 0.28F * smooth_step(height_above_floor);
  return (times(color, light) + Vec3f{gloss, gloss, gloss}) * open;
}

// Depth and colour, and the corners that a triangle needs while it is filled.
struct Canvas {
  Image image;
  std::vector<float> depth;
};

struct Corner {
  Projected at;
  Vec3f position, normal, color;
};

float edge(const Projected& a, const Projected& b, float x, float y) {
  return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

// The pixels that may lie in the triangle: none where it is behind the eye or not finite.
struct PixelBox {
  int x0, y0, x1, y1;
};
PixelBox pixel_box(const std::array<Corner, 3>& c, int width, int height) {
  const auto [x_low, x_high] = std::minmax({c[0].at.x, c[1].at.x, c[2].at.x});
  const auto [y_low, y_high] = std::minmax({c[0].at.y, c[1].at.y, c[2].at.y});
  const bool in_front = c[0].at.depth > 0 && c[1].at.depth > 0 && c[2].at.depth > 0;
  if (!in_front || !std::isfinite(x_low + x_high + y_low + y_high)) return {0, 0, -1, -1};
  const auto pixel = [](float v, int limit) {
    return static_cast<int>(std::clamp(v, -1.0F, static_cast<float>(limit)));
  };
  return {std::max(0, pixel(x_low, width)), std::max(0, pixel(y_low, height)),
          std::min(width - 1, pixel(x_high, width)), std::min(height - 1, pixel(y_high, height))};
}

void fill_triangle(const std::array<Corner, 3>& c, const Camera& camera, const Bounds& bounds,
                   Canvas& canvas) {
  const float area = edge(c[0].at, c[1].at, c[2].at.x, c[2].at.y);
  const PixelBox box = pixel_box(c, canvas.image.width, canvas.image.height);
  if (!(std::abs(area) > 0)) return;
  for (int y = box.y0; y <= box.y1; ++y) {
    for (int x = box.x0; x <= box.x1; ++x) {
      const float px = static_cast<float>(x) + 0.5F;
      const float py = static_cast<float>(y) + 0.5F;
      // Weights over depth: what is linear in space is not so on the screen.
      const float w0 = edge(c[1].at, c[2].at, px, py) / area / c[0].at.depth;
      const float w1 = edge(c[2].at, c[0].at, px, py) / area / c[1].at.depth;
      const float w2 = edge(c[0].at, c[1].at, px, py) / area / c[2].at.depth;
      if (w0 < 0 || w1 < 0 || w2 < 0) continue;
      const float depth = 1 / (w0 + w1 + w2);
      float& nearest = canvas.depth[canvas.image.index(x, y)];
      if (!(depth < nearest)) continue;
      nearest = depth;
      const Vec3f p = (c[0].position * w0 + c[1].position * w1 + c[2].position * w2) * depth;
      const Vec3f n = c[0].normal * w0 + c[1].normal * w1 + c[2].normal * w2;
      const Vec3f color = (c[0].color * w0 + c[1].color * w1 + c[2].color * w2) * depth;
      const float length = norm(n);
      const float height = (p.y - bounds.low.y) / (0.3F * bounds.size());
      canvas.image.at(x, y) = shade(color, length > 0 ? n / length : Vec3f{0, 1, 0},
                                    normalized(camera.eye - p), height);
    }
  }
}

void draw_mesh(const RenderedMesh& mesh, const View& view, const Bounds& bounds, Canvas& canvas) {
  const std::vector<Vec3f> normals = compute_normals(mesh);
  std::vector<Projected> projected;
  for (const Vec3f& p : mesh.positions) projected.push_back(view.project(p));
  for (const auto& t : mesh.triangles) {
    std::array<Corner, 3> corners{};
    for (std::size_t i = 0; i < 3; ++i)
      corners[i] = {projected[t[i]], mesh.positions[t[i]], normals[t[i]],
                    mesh.colors.empty() ? mesh.color : mesh.colors[t[i]]};
    fill_triangle(corners, view.camera, bounds, canvas);
  }
}

// Light grey that fades into the sky away from the middle, darker where something hovers above.
void draw_floor(const View& view, const Bounds& bounds, const FloorShadow& shadow, Image& image) {
  const Vec3f center = bounds.center();
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const Vec3f ray = view.ray(x, y);
      const float distance = (bounds.low.y - view.camera.eye.y) / ray.y;
      if (!(distance > 0) || !std::isfinite(distance)) continue;
      const Vec3f p = view.camera.eye + ray * distance;
      const float away = std::hypot(p.x - center.x, p.z - center.z) / bounds.size();
      const Vec3f lit = mix(kFloor, kSky, smooth_step((away - 0.3F) / 2.4F));
      image.at(x, y) = lit * (1 - 0.72F * shadow.darkness(p.x, p.z));
    }
  }
}

}  // namespace

float Bounds::size() const {
  const Vec3f d = high - low;
  return std::max({d.x, d.y, d.z});
}

Bounds compute_bounds(std::span<const Vec3f> points) {
  constexpr float kFar = std::numeric_limits<float>::max();
  Bounds bounds{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
  for (const Vec3f& p : points) {
    if (!is_finite(p)) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      bounds.low[i] = std::min(bounds.low[i], p[i]);
      bounds.high[i] = std::max(bounds.high[i], p[i]);
    }
  }
  const float size = bounds.size();
  if (!(size > 0) || !std::isfinite(size)) return {{-0.5F, -0.5F, -0.5F}, {0.5F, 0.5F, 0.5F}};
  return bounds;
}

Camera frame_points(std::span<const Vec3f> points, const Bounds& bounds, float aspect,
                    const Vec3f& forward) {
  constexpr float kMargin = 0.86F;  // of the picture that may be filled
  Camera camera;
  camera.focal = 3.4F;
  camera.forward = normalized(forward);
  camera.right = normalized(cross(camera.forward, {0, 1, 0}));
  camera.up = cross(camera.right, camera.forward);
  // The middle of what is seen, in the camera's own directions.
  std::vector<Vec3f> seen;
  for (const Vec3f& p : points) {
    const Vec3f d = p - bounds.center();
    if (is_finite(d))
      seen.push_back({dot(d, camera.right), dot(d, camera.up), dot(d, camera.forward)});
  }
  const Vec3f middle = compute_bounds(seen).center();
  float distance = bounds.size();
  for (const Vec3f& d : seen) {
    const float across = std::abs(d.x - middle.x) / aspect;
    const float upward = std::abs(d.y - middle.y);
    distance = std::max(distance, std::max(across, upward) * camera.focal / kMargin - d.z);
  }
  camera.eye =
      bounds.center() + camera.right * middle.x + camera.up * middle.y - camera.forward * distance;
  return camera;
}

Image render(const std::vector<RenderedMesh>& meshes, const Camera& camera, const Bounds& bounds,
             int width, int height, Ground ground) {
  Canvas canvas{Image(width, height, kSky), {}};
  canvas.depth.assign(canvas.image.pixels.size(), std::numeric_limits<float>::infinity());
  const View view{camera, width, height};
  if (ground == Ground::kFloor) {
    FloorShadow shadow(bounds);
    for (const auto& mesh : meshes) shadow.add(mesh);
    shadow.soften();
    draw_floor(view, bounds, shadow, canvas.image);
  }
  for (const auto& mesh : meshes) draw_mesh(mesh, view, bounds, canvas);
  return std::move(canvas.image);
}

}  // namespace sinew::record
