// How the kernel lays tetrahedra out for SIMD lanes and for threads. For kernel.cc and for the
// files in kernels/, which read these plain arrays and nothing else of the model.
//
// Tetrahedra of one tissue and region stand in *batches*, one a lane. A batch is filled by
// *segments*: neighbours along x, whose four nodes each grow by one from lane to lane, so that
// positions are loaded, and forces stored, as whole registers. All tetrahedra of a lattice are one
// shape in 12 orientations; turned into its frame (docs/theory/muscle.md) they are the same for the
// kernel, and a batch may mix them.
//
// *Slabs* cut a body across z or y, thicker than any of its tetrahedra. A slab shares nodes with
// the next one only: all even slabs may run at once, then all odd ones, adding forces where they
// belong, and every sum has one order whatever the threads do.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/tet/kernel_task.h"
#include "sinew/tet/model.h"

namespace sinew::tet {

// Data a lane are in the order of the batches, `width` lanes each; empty lanes have volume zero.
template <class Real>
struct KernelLayout {
  int width;
  std::array<std::vector<Slab>, 2> slabs;  // even, odd
  std::vector<Group> groups;
  std::vector<std::uint32_t> first_segment;  // (num_batches + 1)
  std::vector<Segment> segments;
  std::vector<Real> fibers;         // (num_batches x 3 x width) in the frame of the tetrahedron
  std::vector<Real> volumes;        // (num_batches x width) m^3, filled
  std::vector<Real> rest_inverses;  // (batches not on a lattice x 9 x width) D_m^-1 by columns, 1/m

  // Where the lanes of tetrahedra with an active shape are: their rest matrices and fibres change
  // with activation. Offsets of a first number; the others follow `width` apart.
  struct ActiveLane {
    std::uint32_t tet;
    std::size_t rest_inverse, fiber;
  };
  std::vector<ActiveLane> active_lanes;

  std::size_t bytes() const;
  // Part of all lanes that hold a tetrahedron.
  double efficiency() const;
};

// All tetrahedra whose `wanted` is set, for registers of `width` lanes.
template <class Real>
KernelLayout<Real> make_layout(const Model& model, const std::vector<char>& wanted, int width);

extern template struct KernelLayout<float>;
extern template struct KernelLayout<double>;
extern template KernelLayout<float> make_layout(const Model&, const std::vector<char>&, int);
extern template KernelLayout<double> make_layout(const Model&, const std::vector<char>&, int);

}  // namespace sinew::tet
