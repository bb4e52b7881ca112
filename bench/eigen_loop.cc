#include "eigen_loop.h"

#include <cmath>
#include <vector>

#include <Eigen/Dense>

#include "sinew/material/continuation.h"

namespace sinew::bench {
namespace {

using Eigen::Matrix3f;
using Eigen::Vector3f;

Vector3f to_eigen(const Vec3d& a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

}  // namespace

struct EigenLoop::Impl {
  const tet::Model& model;
  material::Muscle law;
  float activation;
  std::vector<Vector3f> positions, forces;
  std::vector<Matrix3f> rest_inverses;
  std::vector<Vector3f> fibers;

  // docs/theory/muscle.md, written out.
  Matrix3f compute_stress(const Matrix3f& F, const Vector3f& a) const {
    const auto c1 = static_cast<float>(law.matrix.c1), c2 = static_cast<float>(law.matrix.c2);
    const float J = F.determinant();
    const float Jc = std::pow(J, -1.0F / 3);
    const float Jc2 = Jc * Jc, Jc4 = Jc2 * Jc2;
    const Matrix3f C = F.transpose() * F;
    const float trace = C.trace();
    const float I1 = Jc2 * trace, I2 = 0.5F * Jc4 * (trace * trace - (C * C).trace());
    const Vector3f Fa = F * a;
    const float l = Jc * Fa.norm();
    const auto tension = static_cast<float>(
        compute_tension(law.fibers, static_cast<double>(l), static_cast<double>(activation)));
    const float p = 2 * static_cast<float>(law.matrix.K) * std::log(J) -
                    2.0F / 3 * (c1 * I1 + 2 * c2 * I2) - tension * l / 3;
    return 2 * (c1 * Jc2 + c2 * Jc4 * trace) * F - 2 * c2 * Jc4 * F * C +
           p * F.inverse().transpose() + tension * Jc2 / l * Fa * a.transpose();
  }

  Matrix3f compute_clamped_stress(const Matrix3f& F, const Vector3f& a, EigenSvd svd) const {
    if (svd == EigenSvd::kNone) return compute_stress(F, a);
    constexpr auto kThreshold = static_cast<float>(material::kThreshold);
    Matrix3f U, V;
    Vector3f s;
    if (svd == EigenSvd::kJacobi) {
      const Eigen::JacobiSVD<Matrix3f> full(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
      U = full.matrixU(), V = full.matrixV(), s = full.singularValues();
    } else {
      Eigen::SelfAdjointEigenSolver<Matrix3f> eigen;
      eigen.computeDirect(F.transpose() * F);
      V = eigen.eigenvectors(), s = eigen.eigenvalues().cwiseSqrt();
      U = F * V * s.cwiseInverse().asDiagonal();
    }
    return compute_stress(U * s.cwiseMax(kThreshold).asDiagonal() * V.transpose(), a);
  }
};

EigenLoop::EigenLoop(const tet::Model& model, double activation)
    : impl_(new Impl{model,
                     std::get<material::Muscle>(model.tissues.front().law),
                     static_cast<float>(activation),
                     {},
                     {},
                     {},
                     {}}) {
  for (const Vec3d& x : model.rest_positions) impl_->positions.push_back(to_eigen(x));
  for (const tet::RestShape& shape : model.rest_shapes) {
    Matrix3f inverse;
    for (std::size_t j = 0; j < 3; ++j) {
      inverse.col(static_cast<Eigen::Index>(j)) = to_eigen(shape.Dm_inverse.col(j));
    }
    impl_->rest_inverses.push_back(inverse);
  }
  for (const Vec3f& a : model.fibers) impl_->fibers.emplace_back(a.x, a.y, a.z);
}
EigenLoop::~EigenLoop() = default;

double EigenLoop::evaluate(EigenSvd svd) {
  const tet::Model& model = impl_->model;
  const std::vector<Vector3f>& x = impl_->positions;
  std::vector<Vector3f>& f = impl_->forces;
  f.assign(x.size(), Vector3f::Zero());
  for (std::size_t t = 0; t < model.tets.size(); ++t) {
    const auto& [a, b, c, d] = model.tets[t];
    const Matrix3f& inverse = impl_->rest_inverses[model.rest_shape[t]];
    Matrix3f Ds;
    Ds << x[b] - x[a], x[c] - x[a], x[d] - x[a];
    const Matrix3f P = impl_->compute_clamped_stress(Ds * inverse, impl_->fibers[t], svd);
    const auto volume =
        static_cast<float>(model.rest_shapes[model.rest_shape[t]].volume * model.fill[t]);
    const Matrix3f G = -volume * P * inverse.transpose();
    f[b] += G.col(0), f[c] += G.col(1), f[d] += G.col(2);
    f[a] -= G.col(0) + G.col(1) + G.col(2);
  }
  float largest = 0;
  for (const Vector3f& v : f) largest = std::max(largest, v.cwiseAbs().maxCoeff());
  return static_cast<double>(largest);
}

}  // namespace sinew::bench
