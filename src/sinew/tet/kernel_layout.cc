#include "sinew/tet/kernel_layout.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "sinew/tet/active_rest.h"

namespace sinew::tet {
namespace {

constexpr std::size_t kBlock = 1536;  // tets whose nodes fit the first cache
constexpr double kSlabsWanted = 48;   // a body: enough for threads to share evenly
constexpr std::uint32_t kNobody = 0xffffffff;

// The rotation Q from a lattice tetrahedron's frame to the body's: its columns are the directions
// of x3 - x2, of x1 - x0 and from the middle of the one to the middle of the other.
struct Frame {
  Mat3d Q;
  bool on_lattice;
  double inverse_spacing;
};

Frame find_frame(const RestShape& shape) {
  const Mat3d Dm = inverse(shape.Dm_inverse);
  const double h = norm(Dm.col(0));
  const Mat3d Q = {
      {(Dm.col(2) - Dm.col(1)) / h, Dm.col(0) / h, (Dm.col(1) + Dm.col(2) - Dm.col(0)) / h}};
  const Mat3d error = transpose(Q) * Q - Mat3d::identity();
  return {Q, inner(error, error) < 1e-20, 1 / h};
}

// Neighbours in node ids: may they share a segment?
bool follows(const Model& model, std::uint32_t before, std::uint32_t tet) {
  for (std::size_t c = 0; c < 4; ++c) {
    if (model.tets[tet][c] != model.tets[before][c] + 1) return false;
  }
  return true;
}

// Which slab each tetrahedron of a body belongs to.
std::vector<std::uint32_t> assign_slabs(const Model& model, const Body& body) {
  const auto span = [&](std::uint32_t t, std::size_t d) {
    double low = model.rest_positions[model.tets[t][0]][d], high = low;
    for (const std::uint32_t n : model.tets[t]) {
      low = std::min(low, model.rest_positions[n][d]);
      high = std::max(high, model.rest_positions[n][d]);
    }
    return std::pair{low, high};
  };
  std::size_t axis = 2;
  double most = 0, least_low = 0, thickness = 1, extent = 1;
  for (const std::size_t d : {std::size_t{2}, std::size_t{1}}) {
    double low = 1e300, high = -1e300, widest = 0;
    for (std::uint32_t t = body.tets.begin; t < body.tets.end; ++t) {
      const auto [a, b] = span(t, d);
      low = std::min(low, a), high = std::max(high, b), widest = std::max(widest, b - a);
    }
    // Thicker than any tetrahedron, by a margin that rounding cannot eat.
    const double thinnest = 1.001 * widest;
    const double layers = (high - low) / thinnest;
    if (layers < 1.5 * most) continue;  // across z runs are longest in the cache
    axis = d, most = layers, least_low = low, extent = widest;
    thickness = thinnest * std::max(1.0, std::round(layers / kSlabsWanted));
  }
  std::vector<std::uint32_t> slabs;
  for (std::uint32_t t = body.tets.begin; t < body.tets.end; ++t) {
    // A quarter off the layers of a lattice, which would lie on the borders.
    const double place = (span(t, axis).first - least_low + 0.25 * extent) / thickness;
    slabs.push_back(static_cast<std::uint32_t>(std::max(0.0, place)));
  }
  return slabs;
}

// Cuts lists of tetrahedra into batches and appends them to a layout.
template <class Real>
class Builder {
 public:
  Builder(const Model& model, int width) : model_(model) {
    layout_.width = width;
    for (const RestShape& shape : model.rest_shapes) frames_.push_back(find_frame(shape));
  }

  // A slab of one phase; `tets` in the mesh's order.
  void add_slab(const std::vector<std::uint32_t>& tets, std::size_t phase,
                const std::vector<std::uint32_t>& owners, std::uint32_t owner) {
    owners_ = &owners, owner_ = owner;
    Slab slab{count(layout_.groups.size()), 0};
    for (std::size_t begin = 0; begin < tets.size(); begin += kBlock) {
      add_block(
          {tets.begin() + static_cast<std::ptrdiff_t>(begin),
           tets.begin() + static_cast<std::ptrdiff_t>(std::min(tets.size(), begin + kBlock))});
    }
    slab.end_group = count(layout_.groups.size());
    layout_.slabs[phase].push_back(slab);
  }

  KernelLayout<Real> finish() {
    layout_.first_segment.push_back(count(layout_.segments.size()));
    return std::move(layout_);
  }

 private:
  static std::uint32_t count(std::size_t n) { return static_cast<std::uint32_t>(n); }
  std::size_t width() const { return static_cast<std::size_t>(layout_.width); }

  // Is its rest shape, active or not, that of the lattice?
  bool on_lattice(std::uint32_t t) const {
    return frames_[model_.rest_shape[t]].on_lattice && !has_active_shape(model_, t);
  }

  auto key_of(std::uint32_t t) const {
    return std::tuple(model_.tissue[t], model_.region[t], on_lattice(t));
  }

  void add_block(std::vector<std::uint32_t> tets) {
    std::stable_sort(tets.begin(), tets.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key_of(a) < key_of(b); });
    for (std::size_t begin = 0; begin < tets.size();) {
      std::size_t end = begin + 1;
      while (end < tets.size() && key_of(tets[end]) == key_of(tets[begin])) ++end;
      add_group(&tets[begin], &tets[begin] + (end - begin));
      begin = end;
    }
  }

  // Whole registers first, then the ends of runs, several to a batch.
  void add_group(const std::uint32_t* begin, const std::uint32_t* end) {
    const Frame& frame = frames_[model_.rest_shape[*begin]];
    const std::uint32_t rest = on_lattice(*begin) ? kLattice : count(layout_.rest_inverses.size());
    Group group{count(layout_.first_segment.size()),
                0,
                rest,
                model_.tissue[*begin],
                model_.region[*begin],
                frame.inverse_spacing};
    std::vector<std::pair<const std::uint32_t*, std::size_t>> tails;
    for (const std::uint32_t* run = begin; run < end;) {
      const std::uint32_t* stop = run + 1;
      while (stop < end && follows(model_, stop[-1], *stop)) ++stop;
      for (; stop - run >= layout_.width; run += layout_.width) {
        open_batch(group);
        add_segment(run, width());
      }
      if (run < stop) tails.emplace_back(run, static_cast<std::size_t>(stop - run));
      run = stop;
    }
    filled_ = width();
    for (auto [run, length] : tails) {
      while (length > 0) {
        if (filled_ == width() || !fits(*run)) open_batch(group);
        const std::size_t part = std::min(length, width() - filled_);
        add_segment(run, part);
        run += part, length -= part;
      }
    }
    group.end_batch = count(layout_.first_segment.size());
    layout_.groups.push_back(group);
  }

  void open_batch(const Group& group) {
    layout_.first_segment.push_back(count(layout_.segments.size()));
    // An empty lane has a fibre too, so that it computes what is finite.
    layout_.fibers.resize(layout_.fibers.size() + width(), Real(1));
    layout_.fibers.resize(layout_.fibers.size() + 2 * width(), Real(0));
    layout_.volumes.resize(layout_.volumes.size() + width());
    if (group.first_rest != kLattice) {
      layout_.rest_inverses.resize(layout_.rest_inverses.size() + 9 * width());
    }
    filled_ = 0;
  }

  // Is lane 0 of a segment that begins in the next free lane a node at all?
  bool fits(std::uint32_t tet) const {
    const auto& nodes = model_.tets[tet];
    return std::all_of(nodes.begin(), nodes.end(), [&](std::uint32_t n) { return n >= filled_; });
  }

  void add_segment(const std::uint32_t* tets, std::size_t length) {
    Segment segment{
        {}, static_cast<std::uint8_t>(filled_), static_cast<std::uint8_t>(filled_ + length), 0};
    for (std::size_t c = 0; c < 4; ++c) {
      segment.nodes[c] = model_.tets[*tets][c] - count(filled_);
      if (owns(segment.nodes[c]))
        segment.inside = static_cast<std::uint8_t>(segment.inside | 1U << c);
    }
    layout_.segments.push_back(segment);
    for (std::size_t i = 0; i < length; ++i) fill_lane(tets[i], filled_ + i);
    filled_ += length;
  }

  bool owns(std::uint32_t first_node) const {
    if (first_node + width() > owners_->size()) return false;
    const auto begin = owners_->begin() + first_node;
    return std::all_of(begin, begin + layout_.width, [&](std::uint32_t o) { return o == owner_; });
  }

  void fill_lane(std::uint32_t tet, std::size_t lane) {
    const RestShape& shape = model_.rest_shapes[model_.rest_shape[tet]];
    const Frame& frame = frames_[model_.rest_shape[tet]];
    const Vec3f& a = model_.fibers[tet];
    Vec3d fiber{double{a.x}, double{a.y}, double{a.z}};
    if (on_lattice(tet)) fiber = transpose(frame.Q) * fiber;
    for (std::size_t i = 0; i < 3; ++i) {
      layout_.fibers[layout_.fibers.size() - (3 - i) * width() + lane] =
          static_cast<Real>(fiber[i]);
    }
    layout_.volumes[layout_.volumes.size() - width() + lane] =
        static_cast<Real>(shape.volume * model_.fill[tet]);
    if (on_lattice(tet)) return;
    if (has_active_shape(model_, tet)) {
      layout_.active_lanes.push_back({tet, layout_.rest_inverses.size() - 9 * width() + lane,
                                      layout_.fibers.size() - 3 * width() + lane});
    }
    for (std::size_t i = 0; i < 9; ++i) {
      layout_.rest_inverses[layout_.rest_inverses.size() - (9 - i) * width() + lane] =
          static_cast<Real>(shape.Dm_inverse(i % 3, i / 3));
    }
  }

  const Model& model_;
  KernelLayout<Real> layout_;
  std::vector<Frame> frames_;
  std::size_t filled_ = 0;  // lanes of the open batch
  const std::vector<std::uint32_t>* owners_ = nullptr;
  std::uint32_t owner_ = 0;
};

// Who in a phase owns each node; two slabs of a phase must not share one.
void claim_nodes(const Model& model, const std::vector<std::uint32_t>& tets, std::uint32_t owner,
                 std::vector<std::uint32_t>& owners) {
  for (const std::uint32_t t : tets) {
    for (const std::uint32_t n : model.tets[t]) {
      if (owners[n] != kNobody && owners[n] != owner) {
        throw std::logic_error("two slabs of the force kernel share a node");
      }
      owners[n] = owner;
    }
  }
}

}  // namespace

template <class Real>
KernelLayout<Real> make_layout(const Model& model, const std::vector<char>& wanted, int width) {
  std::vector<std::vector<std::uint32_t>> slabs[2];
  for (const Body& body : model.bodies) {
    const std::vector<std::uint32_t> slab_of = assign_slabs(model, body);
    if (slab_of.empty()) continue;
    std::vector<std::vector<std::uint32_t>> all(1 +
                                                *std::max_element(slab_of.begin(), slab_of.end()));
    for (std::uint32_t t = body.tets.begin; t < body.tets.end; ++t) {
      if (wanted[t]) all[slab_of[t - body.tets.begin]].push_back(t);
    }
    for (std::size_t s = 0; s < all.size(); ++s) {
      if (!all[s].empty()) slabs[s % 2].push_back(std::move(all[s]));
    }
  }
  Builder<Real> builder(model, width);
  for (std::size_t phase = 0; phase < 2; ++phase) {
    std::vector<std::uint32_t> owners(model.rest_positions.size(), kNobody);
    for (std::uint32_t s = 0; s < slabs[phase].size(); ++s) {
      claim_nodes(model, slabs[phase][s], s, owners);
    }
    for (std::uint32_t s = 0; s < slabs[phase].size(); ++s) {
      builder.add_slab(slabs[phase][s], phase, owners, s);
    }
  }
  return builder.finish();
}

template <class Real>
std::size_t KernelLayout<Real>::bytes() const {
  return (slabs[0].size() + slabs[1].size()) * sizeof(Slab) + groups.size() * sizeof(Group) +
         first_segment.size() * sizeof(std::uint32_t) + segments.size() * sizeof(Segment) +
         (fibers.size() + volumes.size() + rest_inverses.size()) * sizeof(Real);
}

template <class Real>
double KernelLayout<Real>::efficiency() const {
  double used = 0;
  for (const Segment& segment : segments) used += segment.end - segment.begin;
  return used / std::max(1.0, static_cast<double>(volumes.size()));
}

template struct KernelLayout<float>;
template struct KernelLayout<double>;
template KernelLayout<float> make_layout(const Model&, const std::vector<char>&, int);
template KernelLayout<double> make_layout(const Model&, const std::vector<char>&, int);

}  // namespace sinew::tet
