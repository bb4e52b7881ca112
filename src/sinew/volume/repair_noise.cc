// Noise at boundaries: is there any, and which voxels.
#include <map>

#include "sinew/core/parallel.h"
#include "sinew/volume/label_kernel.h"
#include "sinew/volume/neighborhood.h"
#include "sinew/volume/repair_record.h"
#include "sinew/volume/repair_steps.h"

namespace sinew::volume {
namespace {

// Noise is a label that spills over a face into the next voxel. The more neighbours across faces
// agree with a voxel, the likelier its label is right, and the likelier it was spilt from one of
// them: the two cancel. So across faces only neighbours for another label count, and from this
// weight on they win; across edges and corners those for its own label are taken off. The weights
// are from the regression that label_kernel.cc tells of.
constexpr std::int32_t kEnough = 4350;
// More for a voxel without a neighbour of its own across a face: nothing could have spilt into it,
// it is rather part of something thin.
constexpr std::int32_t kAlone = 1450;
// Part of the voxels at boundaries that are outvoted: clean segmentations have 0.2 to 1.3 %,
// those with noise about 4 %.
constexpr double kNoisy = 0.023;

// Of a smaller label, noise and shape cannot be told apart: a few voxels are a
// part in a hundred.
constexpr std::size_t kFewVoxels = 300;

struct Change {
  std::size_t at;
  std::uint16_t label;
};

struct SliceVotes {
  std::vector<Change> changes;
  std::size_t boundary = 0;  // voxels next to another label
  std::size_t outvoted = 0;  // of these
};

// Is a voxel's label thick here, a neighbour or the one after it being all inside? Only then may
// the vote take it away: thin tendons and sheets are at a boundary everywhere.
bool is_thick(const LabelVolume& labels, const Index& index) {
  const std::uint16_t label = labels.voxels[offset_of(labels.grid, index)];
  for (std::int32_t n = 0; n < 125; ++n) {
    const Index at = {index[0] + n % 5 - 2, index[1] + n / 5 % 5 - 2, index[2] + n / 25 - 2};
    if (!contains(labels.grid, at)) continue;
    if (labels.voxels[offset_of(labels.grid, at)] == label && !has_other_neighbor(labels, at)) {
      return true;
    }
  }
  return false;
}

bool is_outvoted(const Vote& vote) {
  const std::int32_t enough = kEnough + (vote.own_faces == 0 ? kAlone : 0);
  return vote.best != kUnknownLabel && vote.faces + vote.rest - vote.own_rest > enough;
}

SliceVotes vote_slice(const LabelVolume& labels, const LabelKernel& kernel, std::int32_t k) {
  SliceVotes votes;
  const Index& size = labels.grid.size;
  for (std::int32_t j = 0; j < size[1]; ++j) {
    for (std::int32_t i = 0; i < size[0]; ++i) {
      const Index index = {i, j, k};
      if (!has_other_neighbor(labels, index)) continue;
      ++votes.boundary;
      const std::size_t at = offset_of(labels.grid, index);
      const Vote vote = count_votes(labels, kernel, index);
      if (!is_outvoted(vote)) continue;
      ++votes.outvoted;
      if (labels.voxels[at] == 0 || is_thick(labels, index)) {
        votes.changes.push_back({at, vote.best});
      }
    }
  }
  return votes;
}

// What the vote changes, in the order of offsets; nothing where it would change no more than it
// does in a clean volume.
std::vector<Change> find_noise(const LabelVolume& labels) {
  const LabelKernel kernel = make_fitted_kernel(labels);
  const auto slices = static_cast<std::size_t>(labels.grid.size[2]);
  std::vector<SliceVotes> votes(slices);
  parallel_for(slices, 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      votes[k] = vote_slice(labels, kernel, static_cast<std::int32_t>(k));
    }
  });
  std::size_t outvoted = 0, boundary = 0;
  std::vector<Change> changes;
  for (const SliceVotes& slice : votes) {
    outvoted += slice.outvoted;
    boundary += slice.boundary;
    changes.insert(changes.end(), slice.changes.begin(), slice.changes.end());
  }
  if (static_cast<double>(outvoted) < kNoisy * static_cast<double>(boundary)) changes.clear();
  return changes;
}

std::vector<bool> find_small_labels(const LabelVolume& labels) {
  std::vector<std::size_t> counts(std::size_t{kUnknownLabel} + 1);
  for (const Run& run : find_runs(labels)) {
    counts[run.label] += static_cast<std::size_t>(run.length);
  }
  std::vector<bool> small(counts.size());
  for (std::size_t label = 1; label < small.size(); ++label) {
    small[label] = counts[label] < kFewVoxels;
  }
  return small;
}

}  // namespace

std::vector<Repair> smooth_boundary_noise(LabelVolume& labels, const RepairSettings& settings) {
  std::vector<Change> changes = find_noise(labels);
  const std::vector<bool> small = find_small_labels(labels);
  std::erase_if(changes, [&](const Change& change) {
    return small[change.label] || small[labels.voxels[change.at]];
  });
  std::map<std::uint16_t, ChangedVoxels> by_label;
  for (const Change& change : changes) {
    std::uint16_t& label = labels.voxels[change.at];
    by_label[label != 0 ? label : change.label].add(index_at(labels.grid, change.at));
    label = change.label;
  }
  std::vector<Repair> repairs;
  repairs.reserve(by_label.size());
  for (const auto& [label, voxels] : by_label) {
    repairs.push_back(
        voxels.make_repair(labels.grid, "boundary noise", name_of(settings, label), {}));
  }
  return repairs;
}

}  // namespace sinew::volume
