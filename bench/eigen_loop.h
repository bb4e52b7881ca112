// The force loop as one writes it first: a plain loop over tetrahedra with Eigen's small matrices.
// The yardstick for what the kernel gains; float, one thread, forces added at the nodes.
#pragma once

#include <memory>

#include "sinew/tet/model.h"

namespace sinew::bench {

enum class EigenSvd { kNone, kDirect, kJacobi };  // kDirect: closed-form eigenvectors of F^T F

class EigenLoop {
 public:
  // The law is Muscle; the first tissue's is taken for all. `model` must outlive the loop.
  EigenLoop(const tet::Model& model, double activation);
  ~EigenLoop();
  EigenLoop(const EigenLoop&) = delete;
  EigenLoop& operator=(const EigenLoop&) = delete;

  // One force evaluation at the rest positions; returns the largest component (N).
  double evaluate(EigenSvd svd);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::bench
