#include "sinew/mesh/cut_rings.h"

#include <algorithm>
#include <utility>

namespace sinew::mesh {
namespace {

constexpr int kLeastCuts = 3, kMostCuts = 4;  // halvings
constexpr std::uint16_t kNoStep = 0xffff;

// Works on marks of its own, which name the sectors: new ones come after the old.
class RingCutter {
 public:
  explicit RingCutter(CellPieces& cell) : cell_(cell), grid_(tet_grid(cell.n)) {
    steps_.resize(grid_.nodes.size());
    second_.resize(grid_.nodes.size());
  }

  void run() {
    std::vector<Piece> sectors;
    std::vector<std::uint16_t> labels(cell_.labels.size(), CellPieces::kOutside);
    for (std::size_t p = 0; p < cell_.pieces.size(); ++p) {
      add_sectors(static_cast<std::uint16_t>(p), sectors, labels);
    }
    const std::vector<PieceTopology> topology = measure_topology(grid_, labels, sectors.size());
    for (std::size_t s = 0; s < sectors.size(); ++s) sectors[s].topology = topology[s];
    cell_.pieces = std::move(sectors);
    cell_.labels = std::move(labels);
  }

 private:
  using Samples = std::vector<std::uint16_t>;

  void add_sectors(std::uint16_t piece, std::vector<Piece>& sectors,
                   std::vector<std::uint16_t>& labels);
  void halve(Samples samples, int cuts, std::vector<Samples>& out);
  void spread(std::uint16_t seed, std::uint16_t within, std::vector<std::uint16_t>& steps);
  std::uint16_t find_farthest(const Samples& samples) const;
  bool is_simple(const Samples& samples);

  CellPieces& cell_;
  const TetGrid& grid_;
  std::vector<std::uint16_t> marks_;           // (num_nodes) the set that a sample is in
  std::vector<std::uint16_t> steps_, second_;  // (num_nodes) from either seed
};

// Steps from a seed to all samples with its mark `within`.
void RingCutter::spread(std::uint16_t seed, std::uint16_t within,
                        std::vector<std::uint16_t>& steps) {
  std::fill(steps.begin(), steps.end(), kNoStep);
  steps[seed] = 0;
  Samples front{seed};
  for (std::size_t at = 0; at < front.size(); ++at) {
    const std::uint16_t from = front[at];
    visit_neighbours(grid_.nodes[from], grid_.n, [&](const GridNode& node) {
      const std::size_t to = node_index(node);
      if (marks_[to] != within || steps[to] != kNoStep) return;
      steps[to] = static_cast<std::uint16_t>(steps[from] + 1);
      front.push_back(static_cast<std::uint16_t>(to));
    });
  }
}

std::uint16_t RingCutter::find_farthest(const Samples& samples) const {
  return *std::max_element(samples.begin(), samples.end(), [&](std::uint16_t a, std::uint16_t b) {
    return steps_[a] != kNoStep && (steps_[b] == kNoStep ? false : steps_[a] < steps_[b]);
  });
}

bool RingCutter::is_simple(const Samples& samples) {
  std::vector<std::uint16_t> alone(marks_.size(), 1);
  for (const std::uint16_t s : samples) alone[s] = 0;
  return measure_topology(grid_, alone, 1).front().euler == 1;
}

// Between two samples far apart: what is nearer to the first, and the rest.
void RingCutter::halve(Samples samples, int cuts, std::vector<Samples>& out) {
  const bool enough = cuts >= kMostCuts || (cuts >= kLeastCuts && is_simple(samples));
  if (enough || samples.size() < 2) {
    out.push_back(std::move(samples));
    return;
  }
  for (const std::uint16_t s : samples) marks_[s] = 1;
  spread(samples.front(), 1, steps_);
  const std::uint16_t first = find_farthest(samples);
  spread(first, 1, steps_);
  const std::uint16_t last = find_farthest(samples);
  spread(last, 1, second_);
  Samples near, far;
  for (const std::uint16_t s : samples) (steps_[s] <= second_[s] ? near : far).push_back(s);
  for (const std::uint16_t s : samples) marks_[s] = 0;
  halve(std::move(near), cuts + 1, out);
  if (!far.empty()) halve(std::move(far), cuts + 1, out);
}

void RingCutter::add_sectors(std::uint16_t piece, std::vector<Piece>& sectors,
                             std::vector<std::uint16_t>& labels) {
  Samples samples;
  for (std::size_t i = 0; i < cell_.labels.size(); ++i) {
    if (cell_.labels[i] == piece) samples.push_back(static_cast<std::uint16_t>(i));
  }
  const double whole = static_cast<double>(samples.size());
  std::vector<Samples> sets;
  if (cell_.pieces[piece].topology.euler < 1) {
    marks_.assign(cell_.labels.size(), 0);
    halve(std::move(samples), 0, sets);
  } else {
    sets.push_back(std::move(samples));
  }
  for (const Samples& set : sets) {
    for (const std::uint16_t s : set) labels[s] = static_cast<std::uint16_t>(sectors.size());
    sectors.push_back(cell_.pieces[piece]);
    sectors.back().fill *= static_cast<double>(set.size()) / whole;
  }
}

}  // namespace

bool has_ring(const CellPieces& cell) {
  return !cell.is_cut() && std::any_of(cell.pieces.begin(), cell.pieces.end(),
                                       [](const Piece& p) { return p.topology.euler < 1; });
}

void cut_rings(CellPieces& cell) {
  RingCutter(cell).run();
}

}  // namespace sinew::mesh
