// The energy whose minimum is the map of an active shape: an elastic solid, nearly of constant
// volume, that is pulled from the passive surface onto the active one. For active_shape.cc.
//
// Source: docs/theory/active_shapes.md, equations (5)-(8).
#pragma once

#include <utility>
#include <vector>

#include "sinew/anatomy/active_map.h"
#include "sinew/mesh/shape.h"

namespace sinew::anatomy {

// A point of a surface that stands for some of its area.
struct SurfacePoint {
  Vec3d place;   // m
  Vec3d normal;  // unit, outward
  double area;   // m^2
};

// Means of mapped surface points (or single ones) that are drawn to a place by springs.
struct FitSpring {
  std::vector<std::pair<Vec3d, double>> points;  // passive places with weights that sum to one
  Vec3d target;                                  // m
  double stiffness;                              // times mu, m
};

struct FitWeights {
  double surface = 1;     // of squared distances, times mu / spacing
  double springs = 1;     // factor on all springs
  double bulk = 20;       // bulk modulus over mu, inside
  double outside = 0.05;  // stiffness of the space around, over that inside
};

class ActiveFit {
 public:
  // `volume_ratio` is what the volume of the inside should be multiplied by.
  ActiveFit(const mesh::Shape& passive, const mesh::Shape& active,
            std::vector<SurfacePoint> passive_points, std::vector<SurfacePoint> active_points,
            double volume_ratio, ActiveMap map);

  void set_weights(const FitWeights& weights);
  void set_springs(const std::vector<FitSpring>& springs);
  // Gives every point of the active surface the passive one that is mapped nearest to it.
  void match();

  // Energy over mu and its gradient by the coefficients (3 a coefficient); infinite where the map
  // would turn space inside out.
  double evaluate(const std::vector<double>& coefficients, std::vector<double>& gradient) const;
  std::vector<double> compute_diagonal() const;

  void set_coefficients(const std::vector<double>& coefficients);
  std::vector<double> coefficients() const;
  const ActiveMap& map() const { return map_; }

 private:
  static constexpr std::size_t kPoints = 8;  // of quadrature a cell
  struct Cell {
    std::size_t first;  // coefficient
    double inside[kPoints];
    std::size_t stride;  // from point to point: cells of the space around have two
  };
  struct Sample {  // a linear function of the coefficients: a mapped point
    Vec3d rest;
    std::size_t first;
    double weights[64];
  };
  struct Match {
    std::size_t sample;
    SurfacePoint target;
  };
  struct Spring {
    std::vector<std::pair<Sample, double>> points;
    Vec3d target;
    double stiffness;
  };

  Sample make_sample(const Vec3d& X) const;
  Vec3d place_of(const Sample& sample, const double* coefficients) const;
  void add_gradient(const Sample& sample, const Vec3d& gradient, double* result) const;
  double add_elastic(const std::vector<double>& x, std::vector<double>& gradient) const;
  double evaluate_cell(const Cell& cell, const double* x, double* block) const;
  double add_surfaces(const std::vector<double>& x, std::vector<double>& gradient) const;

  mesh::Shape active_;
  std::vector<SurfacePoint> passive_points_, active_points_;
  double volume_ratio_;
  ActiveMap map_;
  Mat3d turn_;
  FitWeights weights_;
  std::size_t offsets_[64];    // of a stencil's coefficients from its first
  Vec3d slopes_[kPoints][64];  // 1/m
  std::vector<Cell> cells_;
  std::vector<Sample> samples_;  // of the passive points
  std::vector<Match> matches_;
  std::vector<Spring> springs_;
};

}  // namespace sinew::anatomy
