#include "sinew/solver/multigrid.h"

#include <optional>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/solver/chebyshev.h"
#include "sinew/solver/envelope_cholesky.h"

namespace sinew::solver {
namespace {

// Power iterations end below the eigenvalue; the polynomial still damps at 1 + 1/range times it.
constexpr double kSafety = 1.05;
constexpr double kLeastGain = 0.8;  // a level that keeps more nodes than this is not worth it
constexpr std::size_t kMostFactorEntries = 3'000'000;  // of the coarsest level: 24 MB

// A level that is smoothed, and the way to the next coarser one.
struct Level {
  BlockMatrix A;
  BlockDiagonal D;
  std::vector<SmoothingStep> steps;
  std::optional<Interpolation> P;  // absent on the last level where nothing is factorised
};

void resize(Field3f& field, std::size_t num_nodes) {
  if (field.size() != num_nodes) field = Field3f(num_nodes);
}

}  // namespace

// Rows of rank one (contact, fascia: k g g^T with at most 8 nodes) join here: restricted by P they
// have at most 8 nodes on every level, so that a level keeps its own copy of them next to A. A
// cycle needs their image at four places: in D (make_inverse_diagonal of the sum), in the
// factorised matrix, and wherever a level multiplies with A (smooth, compute_residual), as b - k g
// (g . x) in the place of b.
struct Multigrid::Impl {
  MultigridSettings settings;
  std::vector<char> held;
  std::vector<Level> levels;
  std::optional<EnvelopeCholesky> coarsest;
  std::size_t num_coarsest = 0;

  void build(const BlockEntries& fine, std::vector<LatticePlace> places);
  void set_values(Level& level, const BlockEntries& entries, const std::vector<char>& held_here);
  void cycle(std::size_t l, const Field3f& b, Field3f& x, MultigridWorkspace& ws) const;
};

void Multigrid::Impl::set_values(Level& level, const BlockEntries& entries,
                                 const std::vector<char>& held_here) {
  if (level.A.num_rows == 0) {
    level.A = make_block_matrix(entries, held_here, settings.storage);
  } else {
    solver::set_values(entries, level.A);
  }
  level.D = make_inverse_diagonal(entries, held_here);
  const double largest = kSafety * estimate_largest_eigenvalue(level.A, level.D);
  level.steps = make_chebyshev_steps(settings.smoothing_degree, largest, settings.smoothing_range);
}

void Multigrid::Impl::build(const BlockEntries& fine, std::vector<LatticePlace> places) {
  const std::vector<char> none;
  BlockEntries coarse;
  for (;;) {
    const bool finest = levels.empty();
    const BlockEntries& here = finest ? fine : coarse;
    const std::vector<char>& held_here = finest ? held : none;
    Coarsening next;
    if (here.num_rows() > settings.most_coarse_nodes && !places.empty() &&
        static_cast<int>(levels.size()) + 1 < settings.most_levels) {
      next = make_coarsening(here, places, held_here);
    }
    const std::size_t num_coarse = next.interpolation.num_coarse;
    const bool last = num_coarse == 0 || static_cast<double>(num_coarse) >
                                             kLeastGain * static_cast<double>(here.num_rows());
    if (last) {
      num_coarsest = here.num_rows();
      coarsest.emplace(here, held_here);
      if (coarsest->num_factor_entries() <= kMostFactorEntries) {
        coarsest->factorise(here);
        return;
      }
      coarsest.reset();
    }
    set_values(levels.emplace_back(), here, held_here);
    if (last) return;
    levels.back().P = std::move(next.interpolation);
    coarse = compute_coarse_entries(here, *levels.back().P);
    places = std::move(next.places);
  }
}

void Multigrid::Impl::cycle(std::size_t l, const Field3f& b, Field3f& x,
                            MultigridWorkspace& ws) const {
  if (l == levels.size()) {
    coarsest->solve(b, x, ws.coarsest);
    return;
  }
  const Level& level = levels[l];
  Field3f& other = ws.levels[l].other;
  smooth_from_zero(level.A, level.D, level.steps, b, x, other);
  if (level.P) {
    MultigridWorkspace::Level& next = ws.levels[l + 1];
    compute_residual(level.A, b, x, other);
    restrict_to_coarse(*level.P, other, next.b);
    cycle(l + 1, next.b, next.x, ws);
    add_interpolated(*level.P, next.x, x);
  }
  smooth(level.A, level.D, level.steps, b, x, other);
}

std::size_t MultigridWorkspace::bytes() const {
  std::size_t floats = 2 * coarsest.size();
  for (const Level& level : levels) {
    floats += level.b.values().size() + level.x.values().size() + level.other.values().size();
  }
  return 4 * floats;
}

Multigrid::Multigrid(const BlockEntries& fine, const std::vector<LatticePlace>& places,
                     const std::vector<char>& held, const MultigridSettings& settings)
    : impl_(std::make_unique<Impl>()) {
  check_entries(fine);
  SINEW_CHECK(places.empty() || places.size() == fine.num_rows(), "a place for each node");
  SINEW_CHECK(held.empty() || held.size() == fine.num_rows(), "held or not, for each node");
  impl_->settings = settings;
  impl_->held = held;
  impl_->build(fine, places);
}

Multigrid::~Multigrid() = default;
Multigrid::Multigrid(Multigrid&&) noexcept = default;
Multigrid& Multigrid::operator=(Multigrid&&) noexcept = default;

void Multigrid::update(const BlockEntries& fine) {
  SINEW_CHECK(fine.num_rows() == num_nodes(0), "another matrix than the hierarchy was made for");
  const std::vector<char> none;
  BlockEntries coarse;
  for (std::size_t l = 0; l < impl_->levels.size(); ++l) {
    Level& level = impl_->levels[l];
    const BlockEntries& here = l == 0 ? fine : coarse;
    impl_->set_values(level, here, l == 0 ? impl_->held : none);
    if (level.P) coarse = compute_coarse_entries(here, *level.P);
  }
  if (impl_->coarsest) impl_->coarsest->factorise(impl_->levels.empty() ? fine : coarse);
}

void Multigrid::apply(const Field3f& r, Field3f& z, MultigridWorkspace& ws) const {
  SINEW_CHECK(r.size() == num_nodes(0), "a field that does not fit the matrix");
  resize(z, r.size());
  ws.levels.resize(num_levels());
  for (std::size_t l = 0; l < num_levels(); ++l) {
    MultigridWorkspace::Level& level = ws.levels[l];
    if (l < impl_->levels.size()) resize(level.other, num_nodes(l));
    if (l == 0) continue;  // b and x are the caller's
    resize(level.b, num_nodes(l));
    resize(level.x, num_nodes(l));
  }
  impl_->cycle(0, r, z, ws);
}

std::size_t Multigrid::num_levels() const {
  return impl_->levels.size() + (impl_->coarsest ? 1 : 0);
}

std::size_t Multigrid::num_nodes(std::size_t level) const {
  return level < impl_->levels.size() ? impl_->levels[level].A.num_rows : impl_->num_coarsest;
}

std::size_t Multigrid::bytes() const {
  std::size_t sum = impl_->held.size() + (impl_->coarsest ? impl_->coarsest->bytes() : 0);
  for (const Level& level : impl_->levels) {
    sum += level.A.bytes() + 4 * level.D.values.size() + (level.P ? level.P->bytes() : 0);
  }
  return sum;
}

}  // namespace sinew::solver
