#include "sinew/skeleton/bounded_step.h"

#include <algorithm>
#include <cmath>

namespace sinew::skeleton {
namespace {

using Vector = std::vector<double>;

void compute_slope(const DenseMatrix& h, const Vector& g, const Vector& d, Vector& slope) {
  slope = g;
  for (std::size_t i = 0; i < g.size(); ++i)
    for (std::size_t j = 0; j < g.size(); ++j) slope[i] += h(i, j) * d[j];
}

// Those at a bound that the gradient pushes further out start held.
void hold_what_is_pushed_out(const Vector& g, const Vector& low, const Vector& high,
                             std::vector<signed char>& side) {
  side.assign(g.size(), 0);
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (low[i] >= 0 && g[i] > 0) side[i] = -1;
    if (high[i] <= 0 && g[i] < 0) side[i] = 1;
  }
}

// The step to the least value over the free unknowns, into `part`.
bool solve_free(const DenseMatrix& h, BoxWorkspace& w) {
  w.free.clear();
  for (std::size_t i = 0; i < w.side.size(); ++i)
    if (w.side[i] == 0) w.free.push_back(i);
  const std::size_t n = w.free.size();
  w.factor.assign(n, n, 0);
  w.part.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    w.part[i] = -w.slope[w.free[i]];
    for (std::size_t j = 0; j <= i; ++j) w.factor(i, j) = h(w.free[i], w.free[j]);
  }
  if (!factor_cholesky(w.factor)) return false;
  solve_cholesky(w.factor, w.part);
  return true;
}

// Goes along `part` up to the first bound, which is then held; false where none is met.
bool advance_to_bound(const Vector& low, const Vector& high, BoxWorkspace& w, Vector& d) {
  double fraction = 1;
  std::size_t blocking = w.free.size();
  for (std::size_t i = 0; i < w.free.size(); ++i) {
    const std::size_t k = w.free[i];
    if (w.part[i] == 0) continue;
    const double room = (w.part[i] < 0 ? low[k] : high[k]) - d[k];
    if (std::abs(room) >= std::abs(w.part[i]) * fraction) continue;
    fraction = room / w.part[i];
    blocking = i;
  }
  for (std::size_t i = 0; i < w.free.size(); ++i) d[w.free[i]] += fraction * w.part[i];
  if (blocking == w.free.size()) return false;
  const std::size_t k = w.free[blocking];
  w.side[k] = w.part[blocking] < 0 ? -1 : 1;
  d[k] = w.side[k] < 0 ? low[k] : high[k];
  return true;
}

// Frees the held unknown that wants to leave its bound most; false where none does.
bool release_one(const Vector& low, const Vector& high, BoxWorkspace& w) {
  std::size_t best = w.side.size();
  double most = 0;
  for (std::size_t i = 0; i < w.side.size(); ++i) {
    const double wish = w.slope[i] * w.side[i];
    if (w.side[i] == 0 || low[i] == high[i] || wish <= most) continue;
    most = wish;
    best = i;
  }
  if (best == w.side.size()) return false;
  w.side[best] = 0;
  return true;
}

}  // namespace

bool minimize_in_box(const DenseMatrix& h, const Vector& g, const Vector& low, const Vector& high,
                     BoxWorkspace& workspace, Vector& d) {
  const std::size_t n = g.size();
  d.assign(n, 0);
  hold_what_is_pushed_out(g, low, high, workspace.side);
  workspace.slope = g;
  // Each round holds or frees one bound. Rounding could make a bound be held and freed for ever;
  // every d on the way is within the box and better than zero, so that the last one serves.
  for (std::size_t round = 0; round < 10 * n + 10; ++round) {
    if (!solve_free(h, workspace)) return false;
    const bool blocked = advance_to_bound(low, high, workspace, d);
    compute_slope(h, g, d, workspace.slope);
    if (!blocked && !release_one(low, high, workspace)) return true;
  }
  return true;
}

}  // namespace sinew::skeleton
