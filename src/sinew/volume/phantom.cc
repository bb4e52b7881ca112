#include "sinew/volume/phantom.h"

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/volume/phantom_draw.h"
#include "sinew/volume/phantom_model_file.h"
#include "sinew/volume/phantom_plan.h"
#include "sinew/volume/units.h"

namespace sinew::volume {
namespace {

AnatomyPlan plan_of(PhantomKind kind) {
  switch (kind) {
    case PhantomKind::kArm:
      return plan_arm();
    case PhantomKind::kEye:
      return plan_eye();
    case PhantomKind::kCalf:
      return plan_calf();
  }
  fail_check("kind", __FILE__, __LINE__, "there is no such phantom");
}

void check_voxel(const AnatomyPlan& plan, double voxel) {
  const double least = plan.voxel * kMillimetre / 3;
  const double most = plan.voxel * kMillimetre * 2;
  constexpr double kSlack = 1 + 1e-9;  // 0.002 may be written as 2 mm
  if (voxel * kSlack >= least && voxel <= most * kSlack) return;
  throw InputError("phantom " + plan.name, "voxel",
                   fmt::format("{:.6g} m, has to be from {:.3g} to {:.3g} m: smaller ones need "
                               "gigabytes, larger ones lose thin tendons; {:.3g} m suits it",
                               voxel, least, most, plan.voxel * kMillimetre));
}

}  // namespace

double default_phantom_voxel(PhantomKind kind) {
  return plan_of(kind).voxel * kMillimetre;
}

Phantom make_phantom(PhantomKind kind, double voxel) {
  const AnatomyPlan plan = plan_of(kind);
  check_voxel(plan, voxel);
  const Grid grid = make_phantom_grid(plan, voxel);
  return {finish_drawing(plan, draw_plan(plan, grid)), write_model_file(plan, voxel)};
}

}  // namespace sinew::volume
