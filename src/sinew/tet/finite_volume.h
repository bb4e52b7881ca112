// One tetrahedron by finite volumes: geometric strain and the two forms of its nodal forces.
//
// Source: docs/theory/finite_volumes.md, equations (1)-(7); teran2003 sections 3 and 4.
// Departures: teran2003 prints G = sigma B_s with B_s = +v D_s^-T, which points the forces the
// wrong way; the sign here is that of its own force per face.
//
// symbol  meaning                                              unit
//  D_m    rest edge vectors X_i - X_0 as columns               m
//  D_s    deformed edge vectors x_i - x_0 as columns           m
//  F      deformation gradient D_s D_m^-1                      -
//  G      forces on nodes 1..3 as columns; node 0: minus sum   N
#pragma once

#include <array>

#include "sinew/core/vec.h"

namespace sinew::tet {

inline Mat3d compute_edges(const Vec3d& x0, const Vec3d& x1, const Vec3d& x2, const Vec3d& x3) {
  return {{x1 - x0, x2 - x0, x3 - x0}};
}

// F of equation (1).
inline Mat3d compute_deformation_gradient(const Mat3d& Ds, const Mat3d& Dm_inverse) {
  return Ds * Dm_inverse;
}

// Green strain from the change of the dot products of edges, equation (2).
inline Mat3d compute_green_strain(const Mat3d& Ds, const Mat3d& Dm) {
  const Mat3d Dm_inverse = inverse(Dm);
  const Mat3d change = (transpose(Ds) * Ds - transpose(Dm) * Dm) * 0.5;
  return transpose(Dm_inverse) * change * Dm_inverse;
}

// Minus a third of the area vectors of the three faces that meet at each of nodes 1..3: the matrix
// B of equations (4) and (6), from rest edges (B_m) or deformed ones (B_s). One sixth of the
// cofactors of D, so it needs no inverse and holds for flat tetrahedra too.
inline Mat3d compute_face_matrix(const Mat3d& D) {
  return cofactor(D) * (-1.0 / 6.0);
}

// Forces by the first Piola-Kirchhoff stress and rest areas, G = P B_m, equation (6).
inline Mat3d compute_piola_forces(const Mat3d& P, const Mat3d& Bm) {
  return P * Bm;
}

// Forces by the Cauchy stress and deformed areas, G = sigma B_s, equation (4).
inline Mat3d compute_cauchy_forces(const Mat3d& sigma, const Mat3d& Ds) {
  return sigma * compute_face_matrix(Ds);
}

}  // namespace sinew::tet
