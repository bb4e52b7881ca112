#include "sinew/tet/ties.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "sinew/core/parallel.h"

namespace sinew::tet {
namespace {

std::size_t find_body(const Settings& settings, const std::string& name) {
  const auto found = std::find_if(settings.bodies.begin(), settings.bodies.end(),
                                  [&](const BodySettings& body) { return body.name == name; });
  return static_cast<std::size_t>(found - settings.bodies.begin());
}

// How far a carrier may extrapolate: to about four cells away. Forces on what it carries act on its
// own nodes as many times as large.
constexpr double kMostOutside = 6;

// A node that another body is asked to carry.
struct Wish {
  std::uint32_t node;
  std::size_t attachment;  // that holds it otherwise
  std::size_t carrier;     // body
};

std::vector<Wish> collect_wishes(const Settings& settings, const Model& model) {
  std::vector<Wish> wishes;
  std::size_t a = 0;
  for (const BodySettings& body : settings.bodies) {
    for (const AttachmentSettings& attachment : body.attachments) {
      const std::size_t carrier = find_body(settings, attachment.tied_to);
      const bool known = !attachment.tied_to.empty() && carrier < settings.bodies.size();
      for (const std::uint32_t n : model.attachments[a].nodes)
        if (known) wishes.push_back({n, a, carrier});
      ++a;
    }
  }
  return wishes;
}

// The tetrahedron of a body that has to extrapolate least to carry a node, at rest; none of whose
// nodes asks to be carried itself. None where all are too far away.
std::optional<Tie> find_carrier(const Model& model, const Body& body, const std::vector<char>& asks,
                                std::uint32_t node) {
  std::optional<Tie> best;
  double least = kMostOutside;
  for (std::uint32_t t = body.tets.begin; t < body.tets.end; ++t) {
    const std::array<std::uint32_t, 4>& nodes = model.tets[t];
    const Vec3d part = model.rest_shapes[model.rest_shape[t]].Dm_inverse *
                       (model.rest_positions[node] - model.rest_positions[nodes[0]]);
    const std::array<double, 4> weights = {1 - part.x - part.y - part.z, part.x, part.y, part.z};
    const double outside = mesh::outsideness(weights);
    if (outside >= least) continue;
    if (std::any_of(nodes.begin(), nodes.end(), [&](std::uint32_t n) { return asks[n] != 0; }))
      continue;
    least = outside;
    best = Tie{node, nodes, weights};
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
  const std::vector<Wish> wishes = collect_wishes(settings, model);
  std::vector<char> asks(model.rest_positions.size(), 0);
  for (const Wish& wish : wishes) asks[wish.node] = 1;
  std::vector<std::optional<Tie>> ties(wishes.size());
  parallel_for(wishes.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      ties[i] = find_carrier(model, model.bodies[wishes[i].carrier], asks, wishes[i].node);
  });
  std::vector<char> carried(model.attachments.size(), 0);
  std::vector<std::vector<std::uint32_t>> left(model.attachments.size());
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    const std::size_t a = wishes[i].attachment;
    if (ties[i]) {
      carried[a] = 1;
      model.ties.push_back(*ties[i]);
    } else {
      left[a].push_back(wishes[i].node);
    }
  }
  std::vector<Attachment> kept;
  for (std::size_t a = 0; a < model.attachments.size(); ++a) {
    if (carried[a] != 0) model.attachments[a].nodes = left[a];
    if (!model.attachments[a].nodes.empty()) kept.push_back(std::move(model.attachments[a]));
  }
  model.attachments = std::move(kept);
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

void hand_over(const Model& model, std::vector<Vec3d>& forces) {
  for (const Tie& tie : model.ties) {
    const Vec3d force = std::exchange(forces[tie.node], Vec3d{});
    for (std::size_t i = 0; i < 4; ++i) forces[tie.nodes[i]] += force * tie.weights[i];
  }
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
