#include "sinew/solver/preconditioned_cg.h"

#include <cmath>

#include "sinew/solver/field_algebra.h"

namespace sinew::solver {

PcgReport preconditioned_cg(const FieldOperator& A, const FieldOperator& M, const Field3f& b,
                            const PcgSettings& settings, Field3f& x, PcgWorkspace& ws) {
  for (Field3f* field : {&x, &ws.preconditioned, &ws.image}) {
    if (field->size() != b.size()) *field = Field3f(b.size());
  }
  x.set_zero();
  copy(b, ws.residual);
  M(ws.residual, ws.preconditioned);
  copy(ws.preconditioned, ws.direction);
  double rho = dot(ws.residual, ws.preconditioned);
  const double scale = settings.scale > 0 ? settings.scale : std::sqrt(rho);
  PcgReport report;
  const auto measure = [&] {
    report.residual = scale > 0 ? std::sqrt(rho) / scale : std::sqrt(rho);
    report.converged = rho == 0 || report.residual <= settings.tolerance;
    return !report.converged && std::isfinite(report.residual);
  };
  while (measure() && report.iterations < settings.max_iterations) {
    A(ws.direction, ws.image);
    const double curvature = dot(ws.direction, ws.image);
    if (!std::isfinite(curvature)) break;
    if (curvature <= 0) {
      report.negative_curvature = true;
      if (report.iterations == 0) copy(ws.direction, x);
      break;
    }
    const auto alpha = static_cast<float>(rho / curvature);
    add_scaled(alpha, ws.direction, x);
    add_scaled(-alpha, ws.image, ws.residual);
    M(ws.residual, ws.preconditioned);
    const double rho_new = dot(ws.residual, ws.preconditioned);
    combine(1.0F, ws.preconditioned, static_cast<float>(rho_new / rho), ws.direction);
    rho = rho_new;
    ++report.iterations;
  }
  return report;
}

}  // namespace sinew::solver
