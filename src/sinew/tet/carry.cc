#include "sinew/tet/carry.h"

#include <cmath>
#include <span>

#include "sinew/core/parallel.h"
#include "sinew/mesh/edge_ways.h"
#include "sinew/tet/drive.h"

namespace sinew::tet {
namespace {

constexpr std::size_t kGrain = 2048;

// From where a point is to where the attachment takes it.
struct Move {
  Mat3d rotation;
  Vec3d translation;
};

Move find_move(const Model& model, const Attachment& attachment, double from, double to) {
  const engine::RigidPose before = find_pose(model, attachment, from);
  const engine::RigidPose after = find_pose(model, attachment, to);
  const Mat3d rotation = after.rotation * transpose(before.rotation);
  return {rotation, after.translation - rotation * before.translation};
}

bool is_still(const Move& move) {
  return move.rotation.columns == Mat3d::identity().columns && move.translation == Vec3d{};
}

// Turns inverse squares into parts of one; a held node is its attachment's alone.
void share(std::span<std::vector<float>> weights) {
  for (std::size_t n = 0; n < weights[0].size(); ++n) {
    double sum = 0;
    for (const std::vector<float>& one : weights) sum += static_cast<double>(one[n]);
    if (sum <= 0) continue;
    for (std::vector<float>& one : weights)
      one[n] = static_cast<float>(static_cast<double>(one[n]) / sum);
  }
}

}  // namespace

// Equation (17).
std::vector<std::vector<float>> make_carry_weights(const Model& model) {
  std::vector<std::vector<float>> weights(model.attachments.size());
  for (std::size_t b = 0, first = 0; b < model.bodies.size(); ++b) {
    std::size_t last = first;
    while (last < model.attachments.size() && model.attachments[last].body == b) ++last;
    if (last - first > 1) {
      const Body& body = model.bodies[b];
      const mesh::EdgeGraph graph(
          std::span(model.rest_positions)
              .subspan(body.nodes.begin, body.nodes.end - body.nodes.begin),
          std::span(model.tets).subspan(body.tets.begin, body.tets.end - body.tets.begin),
          body.nodes.begin);
      for (std::size_t a = first; a < last; ++a) {
        const std::vector<double> ways = graph.measure_ways(model.attachments[a].nodes);
        weights[a].reserve(ways.size());
        const double least = 1e-3 * body.spacing;
        for (const double way : ways)
          weights[a].push_back(static_cast<float>(1 / ((way + least) * (way + least))));
      }
      share(std::span(weights).subspan(first, last - first));
    }
    first = last;
  }
  return weights;
}

bool carry_nodes(const Model& model, double from, double to, std::vector<Vec3d>& positions) {
  bool moved = false;
  std::vector<Vec3d> shifts;
  for (std::size_t a = 0; a < model.attachments.size(); ++a) {
    const Attachment& attachment = model.attachments[a];
    const Move move = find_move(model, attachment, from, to);
    if (is_still(move)) continue;
    moved = true;
    if (shifts.empty()) shifts.resize(positions.size());
    const Range nodes = model.bodies[attachment.body].nodes;
    const std::vector<float>& weights = model.carry_weights[a];
    parallel_for(nodes.end - nodes.begin, kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const double part = weights.empty() ? 1 : static_cast<double>(weights[i]);
        const Vec3d& x = positions[nodes.begin + i];
        shifts[nodes.begin + i] += (move.rotation * x + move.translation - x) * part;
      }
    });
  }
  for (std::size_t n = 0; n < shifts.size(); ++n) positions[n] += shifts[n];
  return moved;
}

}  // namespace sinew::tet
