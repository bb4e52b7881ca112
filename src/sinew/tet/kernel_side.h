// The few tetrahedra that do not go through lanes (laws without them): one by one in double, summed
// at their nodes in fixed order. For kernel.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/core/field3.h"
#include "sinew/tet/kernel_input.h"
#include "sinew/tet/model.h"

namespace sinew::tet {

class SideList {
 public:
  SideList() = default;
  SideList(const Model& model, std::vector<std::uint32_t> tets);

  bool empty() const { return tets_.empty(); }
  // Adds to `forces` (N); returns the energy (J).
  template <class Real>
  double add_forces(const Model& model, const KernelInput& input, const Field3<Real>& positions,
                    Field3<Real>& forces);
  // Adds K direction to `result` (N).
  template <class Real>
  void add_tangent(const Model& model, const KernelInput& input, const Field3<Real>& positions,
                   const Field3<Real>& direction, bool projected, Field3<Real>& result);

 private:
  template <class Real>
  void sum_at_nodes(Field3<Real>& result) const;

  std::vector<std::uint32_t> tets_;
  std::vector<std::uint32_t> nodes_;         // that they have
  std::vector<std::uint32_t> first_corner_;  // (num_nodes + 1) into corners_
  std::vector<Corner> corners_;              // by node; `tet` is the place in tets_
  std::vector<Mat3d> element_forces_;        // on corners 1..3
};

}  // namespace sinew::tet
