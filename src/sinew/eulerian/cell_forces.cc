#include "sinew/eulerian/cell_forces.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/eulerian/stretch_power.h"

namespace sinew::eulerian {
namespace {

// Below this the material is taken as stretched no further: no stress grows without bound, and an
// inverted point pushes back like a thin one.
constexpr double kLeastDeterminant = 0.1;

struct Corners {
  std::array<std::array<double, 8>, 3> value;
};

Corners fetch(const Block& block, const NodeField& field, std::size_t n) {
  Corners out;
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t c = 0; c < 8; ++c) out.value[a][c] = field.c[a][n + block.corner[c]];
  }
  return out;
}

struct ShapeFunctions {
  std::array<double, 8> value;
  std::array<std::array<double, 8>, 3> slope;  // 1/m
};

ShapeFunctions evaluate_shapes(double x, double y, double z, double inverse_h) {
  const std::array<double, 2> wx{1 - x, x}, wy{1 - y, y}, wz{1 - z, z};
  ShapeFunctions s;
  for (std::size_t c = 0; c < 8; ++c) {
    const double a = wx[c & 1], b = wy[(c >> 1) & 1], d = wz[c >> 2];
    s.value[c] = a * b * d;
    s.slope[0][c] = ((c & 1) != 0 ? inverse_h : -inverse_h) * b * d;
    s.slope[1][c] = ((c & 2) != 0 ? inverse_h : -inverse_h) * a * d;
    s.slope[2][c] = ((c & 4) != 0 ? inverse_h : -inverse_h) * a * b;
  }
  return s;
}

Mat3d compute_gradient(const Corners& u, const ShapeFunctions& s) {
  Mat3d D;
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < 3; ++i) {
      double sum = 0;
      for (std::size_t c = 0; c < 8; ++c) sum += u.value[i][c] * s.slope[j][c];
      D(i, j) = sum;
    }
  }
  return D;
}

struct Strain {
  Mat3d B;       // F F^T
  double d = 1;  // 1/J, bounded from below
};

Strain compute_strain(const Mat3d& D) {
  const double d = std::max(determinant(D), kLeastDeterminant);
  const Mat3d F = transpose(cofactor(D)) * (1 / d);
  return {F * transpose(F), d};
}

// Of F~ = F U^-a, where dY/dX = R U.
Strain compute_active_strain(const Mat3d& D, const Mat3d& dY, double activation) {
  const double d = std::max(determinant(D), kLeastDeterminant);
  const Mat3d F = transpose(cofactor(D)) * (1 / d);
  const StretchPower power = compute_stretch_power(dY * F, activation);
  return {F * power.inverse_square * transpose(F),
          std::max(d * power.determinant, kLeastDeterminant)};
}

void add_force(const Mat3d& stress, double volume, const ShapeFunctions& s, CellForces& out) {
  for (std::size_t c = 0; c < 8; ++c) {
    const Vec3d g{s.slope[0][c], s.slope[1][c], s.slope[2][c]};
    out.force[c] -= (stress * g) * volume;
  }
}

// K_ij += w (mu/J) grad N_i . B grad N_j
void add_stiffness(const Mat3d& B, double factor, const ShapeFunctions& s, CellStiffness& K) {
  std::array<std::array<double, 8>, 3> Bg;
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t c = 0; c < 8; ++c) {
      Bg[a][c] =
          factor * (B(a, 0) * s.slope[0][c] + B(a, 1) * s.slope[1][c] + B(a, 2) * s.slope[2][c]);
    }
  }
  for (std::size_t i = 0; i < 8; ++i) {
    const double x = s.slope[0][i], y = s.slope[1][i], z = s.slope[2][i];
    for (std::size_t j = 0; j < 8; ++j) {
      K[8 * i + j] += x * Bg[0][j] + y * Bg[1][j] + z * Bg[2][j];
    }
  }
}

class CellLoop {
 public:
  CellLoop(const TissueLaw& law, const Block& block, const Material& material, const Cells& cells)
      : law_(law), block_(block), material_(material), cells_(cells), h_(block.grid.spacing) {}

  void run(std::size_t c, CellForces& out, CellStiffness* K) const {
    out = {};
    if (K != nullptr) K->fill(0);
    const CellPoints& points = points_of(cells_, c);
    const CellPoints* soft = soft_points_of(cells_, c);
    if (soft != nullptr) add_soft(c, *soft, out, K);
    out.soft_mass = out.mass;
    if (soft == &points) return;
    out.mass = {};
    add_held(c, points, out);
  }

 private:
  void add_soft(std::size_t c, const CellPoints& points, CellForces& out, CellStiffness* K) const {
    const std::size_t n = cells_.node[c];
    const Corners X = fetch(block_, material_.X, n);
    const Corners Y = material_.activation > 0 ? fetch(block_, material_.active, n) : X;
    const double cube = h_ * h_ * h_;
    for (std::size_t p = 0; p < kPoints; ++p) {
      const double volume = points.weight[p] * cube;
      if (volume <= 0) continue;
      const ShapeFunctions s = evaluate_shapes(points.x[p], points.y[p], points.z[p], 1 / h_);
      const Mat3d D = compute_gradient(X, s);
      const double passive = determinant(D);
      const Strain strain = find_strain(D, Y, s);
      const double mu = law_.shear_modulus * strain.d;  // mu / J
      add_force((strain.B - Mat3d::identity()) * mu, volume, s, out);
      if (K != nullptr) add_stiffness(strain.B, mu * volume, s, *K);
      add_point(s, volume, passive, out);
      const double trace_B = trace(strain.B);
      out.energy += 0.5 * mu * volume * (trace_B - 3 + 2 * std::log(strain.d));
      out.stiffness = std::max(out.stiffness, mu * trace_B);
    }
  }

  // Rotation of the active shape does not matter: at full activation there is no power to take.
  Strain find_strain(const Mat3d& D, const Corners& Y, const ShapeFunctions& s) const {
    const double activation = material_.activation;
    if (activation <= 0) return compute_strain(D);
    const Mat3d dY = compute_gradient(Y, s);
    return activation < 1 ? compute_active_strain(D, dY, activation) : compute_strain(dY);
  }

  // All of the cell's mass, and the volume of what attachments hold: that at rest.
  void add_held(std::size_t c, const CellPoints& points, CellForces& out) const {
    const double cube = h_ * h_ * h_;
    const Corners X = fetch(block_, block_.X, cells_.node[c]);
    double volume = 0;
    for (std::size_t p = 0; p < kPoints; ++p) {
      if (points.weight[p] <= 0) continue;
      const ShapeFunctions s = evaluate_shapes(points.x[p], points.y[p], points.z[p], 1 / h_);
      const double passive = std::max(determinant(compute_gradient(X, s)), kLeastDeterminant);
      const double mass = law_.density * points.weight[p] * cube * passive;
      for (std::size_t i = 0; i < 8; ++i) out.mass[i] += mass * s.value[i];
      volume += points.weight[p] * cube;
    }
    out.rest_volume += volume - out.volume;
    out.volume = volume;
  }

  void add_point(const ShapeFunctions& s, double volume, double passive, CellForces& out) const {
    const double rest = volume * passive;
    const double mass = law_.density * volume * std::max(passive, kLeastDeterminant);
    for (std::size_t c = 0; c < 8; ++c) {
      out.mass[c] += mass * s.value[c];
      out.row[c] += Vec3d{s.slope[0][c], s.slope[1][c], s.slope[2][c]} * volume;
    }
    out.volume += volume;
    out.rest_volume += rest;
  }

  const TissueLaw& law_;
  const Block& block_;
  const Material& material_;
  const Cells& cells_;
  double h_;
};

}  // namespace

void compute_cell_forces(const TissueLaw& law, const Block& block, const Material& material,
                         const Cells& cells, std::vector<CellForces>& forces,
                         std::vector<CellStiffness>* stiffness) {
  forces.resize(cells.size());
  if (stiffness != nullptr) stiffness->resize(cells.size());
  const CellLoop loop(law, block, material, cells);
  parallel_for(cells.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      loop.run(c, forces[c], stiffness != nullptr ? &(*stiffness)[c] : nullptr);
    }
  });
}

}  // namespace sinew::eulerian
