#include "sinew/solver/coarsening.h"

#include <cmath>
#include <map>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/solver/field_algebra.h"

#include "elastic_lattice.h"
#include "random_matrix.h"

namespace sinew::solver {
namespace {

bool is_coarse(const LatticePlace& p) {
  const auto all = [&](int rest) {
    return (p.i & 3) == rest && (p.j & 3) == rest && (p.k & 3) == rest;
  };
  return all(0) || all(2);
}

TEST(Coarsening, EveryFineNodeIsTheMidpointOfACoarseEdge) {
  for (std::int32_t i = -4; i < 4; ++i) {
    for (std::int32_t j = -4; j < 4; ++j) {
      for (std::int32_t k = -4; k < 4; ++k) {
        if (((i ^ j) & 1) != 0 || ((i ^ k) & 1) != 0) continue;
        const LatticePlace p{0, i, j, k};
        const auto [a, b] = parents_of(p);
        EXPECT_TRUE(is_coarse(a) && is_coarse(b));
        EXPECT_EQ((LatticePlace{0, a.i + b.i, a.j + b.j, a.k + b.k}),
                  (LatticePlace{0, 2 * i, 2 * j, 2 * k}));
        EXPECT_EQ(a == b, is_coarse(p));
      }
    }
  }
}

TEST(Coarsening, RefusesPlacesOfMixedParity) {
  EXPECT_THROW(parents_of({0, 1, 0, 0}), std::logic_error);
}

Vec3f linear(const LatticePlace& p, float scale) {
  const float x = scale * static_cast<float>(p.i), y = scale * static_cast<float>(p.j),
              z = scale * static_cast<float>(p.k);
  return {x + 2 * y, 3 * z - y, 1 + x};
}

TEST(Coarsening, InterpolatesLinearFunctionsExactly) {
  const ElasticBody body = make_elastic_body(make_cube_mesh(5), 10);
  const Coarsening c = make_coarsening(body.entries, body.places, {});
  Field3f coarse(c.places.size()), fine(body.places.size());
  for (std::size_t n = 0; n < c.places.size(); ++n) coarse.set(n, linear(c.places[n], 2));
  add_interpolated(c.interpolation, coarse, fine);
  for (std::size_t n = 0; n < fine.size(); ++n) EXPECT_EQ(fine[n], linear(body.places[n], 1));
}

TEST(Coarsening, RestrictionIsTheTransposeOfInterpolation) {
  const ElasticBody body = make_elastic_body(make_cube_mesh(5), 10);
  const std::vector<char> held = hold_below(body, -0.4);
  const Coarsening c = make_coarsening(body.entries, body.places, held);
  const Field3f x = make_noise(c.places.size(), {}, 1), y = make_noise(body.places.size(), {}, 2);
  Field3f Px(body.places.size()), PTy(c.places.size());
  add_interpolated(c.interpolation, x, Px);
  restrict_to_coarse(c.interpolation, y, PTy);
  EXPECT_NEAR(dot(Px, y), dot(x, PTy), 1e-5 * std::sqrt(dot(Px, Px) * dot(y, y)));
  for (std::size_t n = 0; n < held.size(); ++n) {
    EXPECT_TRUE(held[n] == 0 || Px[n] == Vec3f{});
  }
}

TEST(Coarsening, CoarseMatrixIsTheProductWithTheInterpolation) {
  const ElasticBody body = make_elastic_body(make_cube_mesh(6), 10, 0.1);
  const std::vector<char> held = hold_below(body, -0.4);
  const Coarsening c = make_coarsening(body.entries, body.places, held);
  const BlockEntries coarse = compute_coarse_entries(body.entries, c.interpolation);
  EXPECT_NO_THROW(check_entries(coarse));
  for (std::size_t row = 0; row < coarse.num_rows(); ++row) {
    EXPECT_LE(coarse.first[row + 1] - coarse.first[row], 15U);  // the stencil of the lattice
  }
  const Field3f x = make_noise(c.places.size(), {});
  Field3f Px(body.places.size()), APx(body.places.size()), PTAPx(c.places.size());
  add_interpolated(c.interpolation, x, Px);
  multiply(make_block_matrix(body.entries, held), Px, APx);
  restrict_to_coarse(c.interpolation, APx, PTAPx);
  const auto expected = multiply_plainly(coarse, {}, x);
  EXPECT_LT(largest_difference(expected, PTAPx), 1e-5 * largest_entry(expected));
}

// Two bars with a gap that is narrower than the coarse spacing, as one body.
mesh::LatticeMesh make_fork(double gap) {
  const double z = 0.25 + gap / 2;
  auto parts = std::make_shared<std::vector<mesh::Shape>>();
  parts->push_back({mesh::Box{{0, 0, z}, {3, 0.5, 0.5}}});
  parts->push_back({mesh::Box{{0, 0, -z}, {3, 0.5, 0.5}}});
  return mesh::make_lattice_mesh({mesh::Union{parts}}, 0.25);
}

int count_parts(const BlockEntries& e) {
  std::vector<char> reached(e.num_rows());
  std::vector<std::uint32_t> open;
  int parts = 0;
  for (std::uint32_t seed = 0; seed < e.num_rows(); ++seed) {
    if (reached[seed] != 0) continue;
    ++parts;
    for (open = {seed}; !open.empty();) {
      const std::uint32_t n = open.back();
      open.pop_back();
      for (std::size_t k = e.first[n]; k < e.first[n + 1]; ++k) {
        if (reached[e.columns[k]] == 0) open.push_back(e.columns[k]);
        reached[e.columns[k]] = 1;
      }
    }
  }
  return parts;
}

TEST(Coarsening, SplitsCoarseNodesThatWouldBridgeAGap) {
  const ElasticBody body = make_elastic_body(make_fork(0.6), 10);
  EXPECT_EQ(count_parts(body.entries), 2);
  std::vector<LatticePlace> places = body.places;
  BlockEntries entries = body.entries;
  for (int level = 0; level < 3; ++level) {
    const Coarsening c = make_coarsening(entries, places, {});
    entries = compute_coarse_entries(entries, c.interpolation);
    places = c.places;
  }
  // Some places serve both bars: they are there twice, and no entry joins the bars.
  std::map<std::tuple<int, int, int>, int> copies;
  for (const LatticePlace& p : places) ++copies[{p.i, p.j, p.k}];
  int most = 0;
  for (const auto& [place, count] : copies) most = std::max(most, count);
  EXPECT_EQ(most, 2);
  EXPECT_EQ(count_parts(entries), 2);
}

TEST(Coarsening, BodiesAtTheSamePlaceStayApart) {
  const ElasticBody body = make_elastic_body(make_cube_mesh(4), 10);
  const auto n = static_cast<std::uint32_t>(body.places.size());
  BlockEntries both = body.entries;
  std::vector<LatticePlace> places = body.places;
  for (std::uint32_t i = 0; i < n; ++i) {
    both.first.push_back(body.entries.first[n] + body.entries.first[i + 1]);
    LatticePlace p = body.places[i];
    p.body = 1;
    places.push_back(p);
  }
  for (std::size_t k = 0; k < body.entries.columns.size(); ++k) {
    both.columns.push_back(body.entries.columns[k] + n);
    both.blocks.push_back(body.entries.blocks[k]);
  }
  const std::size_t one = make_coarsening(body.entries, body.places, {}).places.size();
  EXPECT_EQ(make_coarsening(both, places, {}).places.size(), 2 * one);
}

TEST(Coarsening, NodesWithoutALatticeInterpolateZero) {
  ElasticBody body = make_elastic_body(make_cube_mesh(3), 10);
  for (std::size_t n = 0; n < 10; ++n) body.places[n].body = LatticePlace::kNoLattice;
  const Coarsening c = make_coarsening(body.entries, body.places, {});
  Field3f coarse(c.places.size()), fine(body.places.size());
  for (std::size_t n = 0; n < coarse.size(); ++n) coarse.set(n, {1, 2, 3});
  add_interpolated(c.interpolation, coarse, fine);
  for (std::size_t n = 0; n < fine.size(); ++n) {
    EXPECT_EQ(fine[n], n < 10 ? Vec3f{} : (Vec3f{1, 2, 3}));
  }
}

}  // namespace
}  // namespace sinew::solver
