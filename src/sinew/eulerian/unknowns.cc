#include "sinew/eulerian/unknowns.h"

#include <array>
#include <cstdlib>

namespace sinew::eulerian {
namespace {

struct Part {
  std::size_t node;
  double weight;
};

// What slaves look at: heavy and held nodes of one body.
class Neighbourhood {
 public:
  Neighbourhood(const Block& block, const std::vector<std::uint8_t>& primary)
      : block_(block), primary_(primary) {}

  // v = mean(2 v_a - v_b) over directions with two primary nodes in a row: along the axes, else
  // along any direction; else the mean of primary nodes beside it, else of those within two.
  std::vector<Part> find(std::size_t n) const {
    std::vector<Part> parts = find_lines(n, 1);
    if (parts.empty()) parts = find_lines(n, 3);
    if (parts.empty()) parts = find_near(n, 1);
    if (parts.empty()) parts = find_near(n, 2);
    return parts;
  }

 private:
  std::size_t shifted(std::size_t n, int i, int j, int k) const {
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(n) + i +
                                    j * static_cast<std::ptrdiff_t>(block_.dy) +
                                    k * static_cast<std::ptrdiff_t>(block_.dz));
  }
  template <class Visit>
  void for_each(int reach, const Visit& visit) const {
    for (int k = -reach; k <= reach; ++k)
      for (int j = -reach; j <= reach; ++j)
        for (int i = -reach; i <= reach; ++i) visit(i, j, k);
  }
  // Directions of at most `longest` axes.
  std::vector<Part> find_lines(std::size_t n, int longest) const {
    std::vector<Part> parts;
    for_each(1, [&](int i, int j, int k) {
      const int length = std::abs(i) + std::abs(j) + std::abs(k);
      if (length == 0 || length > longest) return;
      const std::size_t a = shifted(n, i, j, k), b = shifted(n, 2 * i, 2 * j, 2 * k);
      if (primary_[a] == 0 || primary_[b] == 0) return;
      parts.push_back({a, 2});
      parts.push_back({b, -1});
    });
    return scaled(parts, 2.0 / static_cast<double>(parts.size()));
  }
  std::vector<Part> find_near(std::size_t n, int reach) const {
    std::vector<Part> parts;
    for_each(reach, [&](int i, int j, int k) {
      const std::size_t a = shifted(n, i, j, k);
      if (primary_[a] != 0) parts.push_back({a, 1});
    });
    return scaled(parts, 1.0 / static_cast<double>(parts.size()));
  }
  static std::vector<Part> scaled(std::vector<Part> parts, double factor) {
    for (Part& p : parts) p.weight *= factor;
    return parts;
  }

  const Block& block_;
  const std::vector<std::uint8_t>& primary_;
};

// What a node adds to one that follows it.
void add_part(const std::vector<std::int32_t>& code, const Part& part, Follower& follower,
              Unknowns& unknowns) {
  const std::int32_t c = code[part.node];
  if (c >= 0) {
    unknowns.masters.push_back({static_cast<std::uint32_t>(c), part.weight});
    return;
  }
  if (c == kNoNode) return;
  const Follower other = unknowns.followers[follower_of(c)];
  follower.constant += other.constant * part.weight;
  for (std::uint32_t m = other.begin; m < other.end; ++m) {
    const Master master = unknowns.masters[m];
    unknowns.masters.push_back({master.unknown, master.weight * part.weight});
  }
  for (std::uint32_t h = other.held_begin; h < other.held_end; ++h) {
    const Hold hold = unknowns.holds[h];
    unknowns.holds.push_back({hold.held, hold.weight * part.weight});
  }
}

// `own`: of a held node, what it follows of itself.
void add_follower(const std::vector<Part>& parts, std::size_t node, const Vec3d& velocity,
                  const Hold* own, Unknowns& unknowns) {
  std::vector<std::int32_t>& code = unknowns.code.back();
  Follower follower;
  follower.constant = velocity;
  follower.begin = static_cast<std::uint32_t>(unknowns.masters.size());
  follower.held_begin = static_cast<std::uint32_t>(unknowns.holds.size());
  if (own != nullptr) unknowns.holds.push_back(*own);
  for (const Part& p : parts) add_part(code, p, follower, unknowns);
  follower.end = static_cast<std::uint32_t>(unknowns.masters.size());
  follower.held_end = static_cast<std::uint32_t>(unknowns.holds.size());
  code[node] = follower_code(unknowns.followers.size());
  unknowns.followers.push_back(follower);
}

// Held nodes that follow free ones (`lines`), or those that do not.
void add_held(std::span<const HeldNode> held, bool lines, Unknowns& unknowns) {
  for (std::size_t i = 0; i < held.size(); ++i) {
    const HeldNode& h = held[i];
    if ((h.ratio != 0) != lines) continue;
    std::vector<Part> parts;
    if (lines) parts.push_back({h.inner, h.ratio});
    const Hold own{unknowns.held_begin.back() + static_cast<std::uint32_t>(i), 1 - h.ratio};
    add_follower(parts, h.node, h.velocity, &own, unknowns);
  }
}

}  // namespace

void add_unknowns(const Block& block, std::span<const double> mass, double least,
                  std::span<const HeldNode> held, Unknowns& unknowns) {
  if (unknowns.begin.empty()) unknowns.begin.push_back(0);
  std::vector<std::int32_t>& code = unknowns.code.emplace_back(block.size(), kNoNode);
  std::vector<std::uint8_t> primary(block.size(), 0);
  std::vector<std::uint8_t> taken(block.size(), 0);
  for (const HeldNode& h : held) {
    taken[h.node] = 1;
    primary[h.node] = h.ratio == 0 ? 1 : 0;
  }
  add_held(held, false, unknowns);
  std::vector<std::uint32_t> light;
  for (const std::uint32_t n : block.band) {
    if (taken[n] != 0 || mass[n] <= 0) continue;
    if (mass[n] < least) {
      light.push_back(n);
      continue;
    }
    primary[n] = 1;
    code[n] = static_cast<std::int32_t>(unknowns.node.size());
    unknowns.node.push_back(n);
  }
  const Neighbourhood neighbourhood(block, primary);
  for (const std::uint32_t n : light) {
    const std::vector<Part> parts = neighbourhood.find(n);
    if (!parts.empty()) add_follower(parts, n, {}, nullptr, unknowns);
  }
  add_held(held, true, unknowns);
  unknowns.held_begin.push_back(unknowns.held_begin.back() +
                                static_cast<std::uint32_t>(held.size()));
  unknowns.begin.push_back(static_cast<std::uint32_t>(unknowns.node.size()));
}

}  // namespace sinew::eulerian
