#include "brick.h"

#include <algorithm>
#include <ctime>
#include <limits>
#include <random>
#include <string>
#include <utility>

#include "sinew/brick/brick_engine.h"
#include "sinew/brick/free_form.h"

namespace sinew::bench {
namespace {

// Time of the processor, all threads, ms: other programs do not count.
double processor_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

brick::Settings make_beam(std::size_t modes) {
  brick::BodySettings body;
  body.name = "beam";
  body.mesh = brick::make_box_mesh({0, -1, -1}, {6, 1, 1}, {6, 1, 1});
  material::Material m;
  m.law = material::NeoHookean{material::compute_lame(435.11, 0.3)};
  m.density = 0.00112287;
  body.materials = {m};
  body.modes = modes;
  brick::TieSettings clamp;
  clamp.name = "clamp";
  for (std::uint32_t n = 0; n < body.mesh.rest_positions.size(); ++n) {
    if (body.mesh.rest_positions[n].x == 0) clamp.nodes.push_back(n);
  }
  body.ties.push_back(clamp);
  brick::Settings settings;
  settings.bodies.push_back(std::move(body));
  settings.world.gravity = {0, 0, -386};
  settings.step = 0.002;
  return settings;
}

Figure measure_beam(std::size_t modes, int repeats) {
  const brick::BrickEngine start(brick::make_model(make_beam(modes)));
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeats; ++i) {
    brick::BrickEngine engine(start.model());
    const double before = processor_milliseconds();
    engine.advance(0.5);
    best = std::min(best, processor_milliseconds() - before);
  }
  const std::string name = modes == 0 ? "all" : std::to_string(modes);
  return {"beam_half_second_" + name + "_modes", best, "ms"};
}

std::vector<Vec3d> random_points(std::size_t count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> in(0, 1);
  std::vector<Vec3d> points;
  points.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = in(random), y = in(random), z = in(random);
    points.push_back({x, y, z});
  }
  return points;
}

}  // namespace

std::vector<Figure> bench_brick(int repeats) {
  std::vector<Figure> out = {measure_beam(30, repeats), measure_beam(0, repeats)};
  const brick::BrickMesh mesh = brick::make_box_mesh({0, 0, 0}, {1, 1, 1}, {2, 2, 2});
  const std::vector<Vec3d> few = random_points(100000);
  double embed = std::numeric_limits<double>::infinity();
  for (int i = 0; i < std::min(repeats, 3); ++i) {
    embed = std::min(embed, milliseconds([&] { const brick::FreeForm form(mesh, few); }));
  }
  out.push_back({"embed_100000_points", embed, "ms"});
  const std::vector<Vec3d> many = random_points(1000000);
  const brick::FreeForm form(mesh, many);
  std::vector<Vec3f> moved(many.size());
  double evaluate = std::numeric_limits<double>::infinity();
  for (int i = 0; i < std::max(repeats, 10); ++i) {
    evaluate = std::min(evaluate, milliseconds([&] { form.evaluate(mesh.rest_positions, moved); }));
  }
  out.push_back({"deform_1000000_points", evaluate, "ms"});
  return out;
}

}  // namespace sinew::bench
