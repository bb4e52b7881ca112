#include "sinew/solver/conjugate_gradients.h"

#include <cmath>

#include "sinew/core/parallel.h"

namespace sinew::solver {
namespace {

constexpr std::size_t kGrain = 2048;

template <class Body>
void for_each_node(std::size_t count, const Body& body) {
  parallel_for(count, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i);
  });
}

}  // namespace

double dot(const NodalVector& a, const NodalVector& b) {
  return ordered_sum(a.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += sinew::dot(a[i], b[i]);
    return sum;
  });
}

double weighted_dot(const std::vector<double>& w, const NodalVector& a, const NodalVector& b) {
  return ordered_sum(a.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += w[i] * sinew::dot(a[i], b[i]);
    return sum;
  });
}

CgReport conjugate_gradients(
    const std::function<void(const NodalVector& in, NodalVector& out)>& apply,
    const std::vector<double>& inverse_diagonal, const NodalVector& b, const CgSettings& settings,
    NodalVector& x, CgWorkspace& ws) {
  const std::size_t n = b.size();
  ws.residual.resize(n);
  ws.direction.resize(n);
  ws.image.resize(n);
  const double scale =
      settings.scale > 0 ? settings.scale : std::sqrt(weighted_dot(inverse_diagonal, b, b));
  apply(x, ws.image);
  for_each_node(n, [&](std::size_t i) {
    ws.residual[i] = b[i] - ws.image[i];
    ws.direction[i] = ws.residual[i] * inverse_diagonal[i];
  });
  double rho = weighted_dot(inverse_diagonal, ws.residual, ws.residual);
  CgReport report;
  const auto measure = [&] {
    report.residual = scale > 0 ? std::sqrt(rho) / scale : std::sqrt(rho);
    report.converged = report.residual <= settings.tolerance;
    return !report.converged && std::isfinite(rho);
  };
  while (measure() && report.iterations < settings.max_iterations) {
    apply(ws.direction, ws.image);
    const double alpha = rho / dot(ws.direction, ws.image);
    for_each_node(n, [&](std::size_t i) {
      x[i] += ws.direction[i] * alpha;
      ws.residual[i] -= ws.image[i] * alpha;
    });
    const double rho_new = weighted_dot(inverse_diagonal, ws.residual, ws.residual);
    const double beta = rho_new / rho;
    rho = rho_new;
    for_each_node(n, [&](std::size_t i) {
      ws.direction[i] = ws.residual[i] * inverse_diagonal[i] + ws.direction[i] * beta;
    });
    ++report.iterations;
  }
  return report;
}

}  // namespace sinew::solver
