#include "skeleton_activation.h"

#include <cmath>

#include <fmt/format.h>

#include "sinew/activation/force_distribution.h"

namespace sinew::bench {
namespace {

constexpr int kPoses = 100;

// A pose in a movement: torques and moments change smoothly with its number.
activation::PoseDemand make_pose(std::size_t muscles, std::size_t coordinates, int number) {
  activation::PoseDemand demand{
      solver::DenseMatrix(coordinates, muscles), std::vector<double>(coordinates),
      std::vector<double>(coordinates, 50.0), std::vector<double>(muscles, 0.0),
      std::vector<double>(muscles, 1.0)};
  for (std::size_t i = 0; i < coordinates; ++i) {
    const auto row = static_cast<double>(i);
    demand.moments[i] = 10 * std::sin(0.05 * number + row);
    for (std::size_t j = 0; j < muscles; ++j) {
      const auto column = static_cast<double>(j);
      // A muscle acts on a few neighbouring coordinates.
      const double reach = std::cos(0.7 * row - 2.1 * column);
      demand.torques(i, j) = reach > 0.5 ? 20 * std::sin(3.7 * column + row + 0.01 * number) : 0;
    }
  }
  return demand;
}

double measure(std::size_t muscles, std::size_t coordinates, int repeats) {
  std::vector<activation::PoseDemand> poses;
  poses.reserve(kPoses);
  for (int n = 0; n < kPoses; ++n) poses.push_back(make_pose(muscles, coordinates, n));
  return best_milliseconds(repeats, [&] {
    std::vector<double> last;
    for (const activation::PoseDemand& pose : poses) {
      last = activation::distribute(pose, {}, last).activations;
    }
  });
}

}  // namespace

std::vector<Figure> bench_force_distribution(int repeats) {
  std::vector<Figure> figures;
  for (const auto& [muscles, coordinates] : {std::pair{6UL, 2UL}, {33UL, 8UL}, {164UL, 14UL}}) {
    figures.push_back({fmt::format("static_optimization_{}_muscles", muscles),
                       1000 * measure(muscles, coordinates, repeats) / kPoses, "us"});
  }
  return figures;
}

}  // namespace sinew::bench
