#include "sinew/tet/ties.h"

#include <algorithm>
#include <limits>

#include "sinew/core/parallel.h"

namespace sinew::tet {
namespace {

std::size_t find_body(const Settings& settings, const std::string& name) {
  const auto found = std::find_if(settings.bodies.begin(), settings.bodies.end(),
                                  [&](const BodySettings& body) { return body.name == name; });
  return static_cast<std::size_t>(found - settings.bodies.begin());
}

// The tetrahedron of a body that has to extrapolate least to carry a node, at rest; none of whose
// nodes is itself carried.
Tie find_carrier(const Model& model, const Body& body, const std::vector<char>& tied,
                 std::uint32_t node) {
  Tie best{node, {}, {}};
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t t = body.tets.begin; t < body.tets.end; ++t) {
    const std::array<std::uint32_t, 4>& nodes = model.tets[t];
    const Vec3d part = model.rest_shapes[model.rest_shape[t]].Dm_inverse *
                       (model.rest_positions[node] - model.rest_positions[nodes[0]]);
    const std::array<double, 4> weights = {1 - part.x - part.y - part.z, part.x, part.y, part.z};
    const double outside = mesh::outsideness(weights);
    if (outside >= least) continue;
    if (std::any_of(nodes.begin(), nodes.end(), [&](std::uint32_t n) { return tied[n] != 0; }))
      continue;
    least = outside;
    best.nodes = nodes, best.weights = weights;
  }
  return best;
}

template <class Real>
Vec3<Real> carry(const Tie& tie, const Field3<Real>& values) {
  Vec3<Real> sum{};
  for (std::size_t i = 0; i < 4; ++i)
    sum += values[tie.nodes[i]] * static_cast<Real>(tie.weights[i]);
  return sum;
}

}  // namespace

void add_ties(const Settings& settings, Model& model) {
  std::vector<Attachment> kept;
  std::vector<char> tied(model.rest_positions.size(), 0);
  std::vector<std::size_t> carriers;  // (num_ties) bodies
  std::size_t a = 0;
  for (const BodySettings& body : settings.bodies) {
    for (const AttachmentSettings& attachment : body.attachments) {
      Attachment& made = model.attachments[a++];
      const std::size_t carrier = find_body(settings, attachment.tied_to);
      if (attachment.tied_to.empty() || carrier == settings.bodies.size()) {
        kept.push_back(std::move(made));
        continue;
      }
      for (const std::uint32_t n : made.nodes) {
        model.ties.push_back({n, {}, {}});
        carriers.push_back(carrier);
        tied[n] = 1;
      }
    }
  }
  model.attachments = std::move(kept);
  parallel_for(model.ties.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      model.ties[i] = find_carrier(model, model.bodies[carriers[i]], tied, model.ties[i].node);
  });
}

void place_tied(const Model& model, std::vector<Vec3d>& positions) {
  for (const Tie& tie : model.ties) {
    Vec3d sum{};
    for (std::size_t i = 0; i < 4; ++i) sum += positions[tie.nodes[i]] * tie.weights[i];
    positions[tie.node] = sum;
  }
}

template <class Real>
void place_tied(const Model& model, Field3<Real>& positions) {
  for (const Tie& tie : model.ties) positions.set(tie.node, carry(tie, positions));
}

template <class Real>
void hand_over(const Model& model, Field3<Real>& forces) {
  for (const Tie& tie : model.ties) {
    const Vec3<Real> force = forces[tie.node];
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint32_t n = tie.nodes[i];
      forces.set(n, forces[n] + force * static_cast<Real>(tie.weights[i]));
    }
    forces.set(tie.node, {0, 0, 0});
  }
}

template void place_tied(const Model& model, Field3f& positions);
template void place_tied(const Model& model, Field3d& positions);
template void hand_over(const Model& model, Field3f& forces);
template void hand_over(const Model& model, Field3d& forces);

}  // namespace sinew::tet
