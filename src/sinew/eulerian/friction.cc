#include "sinew/eulerian/friction.h"

#include <algorithm>
#include <cmath>

namespace sinew::eulerian {
namespace {

constexpr double kCreep = 1e-4;  // of the speed of shear waves: slower sliding is sticking

double sliding_of(std::span<const double> Gv, const Rows& rows, const Slide& slide) {
  return std::hypot(Gv[slide.row] - rows.rhs[slide.row],
                    Gv[slide.row + 1] - rows.rhs[slide.row + 1]);
}

// mu y_n
double most_of(const Rows& rows, const Slide& slide) {
  if (rows.idle[slide.normal] != 0) return 0;
  return slide.friction * std::max(0.0, rows.multiplier[slide.normal]);
}

// C = max(|s|, area creep) / (mu y_n)
void set_compliance(double sliding, const Slide& slide, Rows& rows) {
  const double most = most_of(rows, slide);
  for (const std::uint32_t r : {slide.row, slide.row + 1}) {
    rows.idle[r] = most > 0 && !is_empty(rows, r) ? 0 : 1;
    rows.compliance[r] = most > 0 ? std::max(sliding, slide.area * slide.creep) / most : 0;
  }
}

std::vector<Vec3d> velocities_before(const Workspace& workspace) {
  const Unknowns& unknowns = workspace.unknowns;
  std::vector<Vec3d> before(unknowns.size());
  for (std::size_t b = 0; b < workspace.bodies.size(); ++b) {
    for (std::size_t u = unknowns.begin[b]; u < unknowns.begin[b + 1]; ++u) {
      before[u] = workspace.bodies[b].block.v[unknowns.node[u]];
    }
  }
  return before;
}

}  // namespace

std::vector<Slide> make_slides(const Model& model, Workspace& workspace) {
  Rows& rows = workspace.rows;
  std::vector<Slide> slides;
  for (const ContactRows& obstacle : workspace.obstacles) {
    if (obstacle.friction <= 0) continue;
    const TissueLaw& law = model.bodies[obstacle.body].law;
    const double creep = kCreep * std::sqrt(law.shear_modulus / law.density);
    for (std::uint32_t i = 0; i < obstacle.cells.size(); ++i) {
      slides.push_back({obstacle.begin + i, obstacle.slide_begin + 2 * i, obstacle.friction,
                        obstacle.area[i], creep});
    }
  }
  if (slides.empty()) return slides;
  std::vector<double> Gv(rows.size());
  multiply(rows, velocities_before(workspace), Gv);
  for (const Slide& slide : slides) set_compliance(sliding_of(Gv, rows, slide), slide, rows);
  return slides;
}

double update_slides(std::span<const double> Gv, const std::vector<Slide>& slides, Rows& rows) {
  double error = 0, all = 0;
  for (const Slide& slide : slides) {
    const double most = most_of(rows, slide);
    const double sliding = sliding_of(Gv, rows, slide);
    const double force = std::hypot(rows.multiplier[slide.row], rows.multiplier[slide.row + 1]);
    const double asked = most * std::min(1.0, sliding / (slide.area * slide.creep));
    // Multipliers are impulses an area.
    error += slide.area * std::abs(force - asked);
    all += slide.area * most;
    set_compliance(sliding, slide, rows);
  }
  return all > 0 ? error / all : 0;
}

}  // namespace sinew::eulerian
