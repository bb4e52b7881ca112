#include "sinew/volume/check_volume.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "sinew/volume/connected_components.h"
#include "sinew/volume/distance_transform.h"

namespace sinew::volume {
namespace {

constexpr std::size_t kMaxLabelRows = 300;
constexpr double kMillimetresPerMetre = 1e3;
constexpr double kMaxAnisotropy = 10;  // slices farther apart than that hold no shape between them

struct LabelSummary {
  std::size_t voxels = 0;
  std::size_t pieces = 0;
  std::size_t at_border = 0;  // pieces that touch it
};

void add_grid_rows(const Grid& grid, std::vector<CheckRow>& rows) {
  constexpr std::array<const char*, 3> kAxes = {"i", "j", "k"};
  const Vec3d spacing = spacing_of(grid);
  for (std::size_t a = 0; a < 3; ++a)
    rows.push_back({fmt::format("size along {}", kAxes[a]), "voxels",
                    static_cast<double>(grid.size[a]), "> 1", grid.size[a] > 1});
  for (std::size_t a = 0; a < 3; ++a)
    rows.push_back({fmt::format("spacing along {}", kAxes[a]), "mm",
                    spacing[a] * kMillimetresPerMetre, "> 0", spacing[a] > 0});
  const double longest = std::max({spacing.x, spacing.y, spacing.z});
  const double ratio = longest / std::min({spacing.x, spacing.y, spacing.z});
  rows.push_back({"longest to shortest spacing", "", ratio, fmt::format("<= {}", kMaxAnisotropy),
                  ratio <= kMaxAnisotropy});
  double cosine = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::size_t b = (a + 1) % 3;
    cosine = std::max(
        cosine, std::abs(dot(grid.axes.col(a), grid.axes.col(b))) / (spacing[a] * spacing[b]));
  }
  rows.push_back({"axes off right angles", "deg",
                  std::asin(std::min(cosine, 1.0)) * 180 / std::numbers::pi, "", true});
  rows.push_back(
      {"handedness (1 right, -1 left)", "", determinant(grid.axes) > 0 ? 1.0 : -1.0, "", true});
}

std::map<std::uint16_t, LabelSummary> summarize(const LabelVolume& volume) {
  std::map<std::uint16_t, LabelSummary> labels;
  for (const Component& piece : find_components(volume).items) {
    if (piece.label == 0) continue;
    LabelSummary& label = labels[piece.label];
    label.voxels += piece.voxels;
    label.pieces += 1;
    label.at_border += piece.at_border ? 1 : 0;
  }
  return labels;
}

}  // namespace

std::vector<CheckRow> check_volume(const LabelVolume& volume) {
  std::vector<CheckRow> rows;
  add_grid_rows(volume.grid, rows);
  const std::map<std::uint16_t, LabelSummary> labels = summarize(volume);
  std::size_t labelled = 0, loose = 0;
  for (const auto& [label, summary] : labels) {
    labelled += summary.voxels;
    loose += summary.pieces > 1 ? 1 : 0;
  }
  const auto count = static_cast<double>(labels.size());
  rows.push_back({"labels", "", count, "> 0", !labels.empty()});
  rows.push_back({"labels in several pieces", "", static_cast<double>(loose), "", true});
  rows.push_back({"voxels with a label", "%",
                  100 * static_cast<double>(labelled) / static_cast<double>(volume.voxels.size()),
                  "", true});
  std::size_t shown = 0;
  for (const auto& [label, summary] : labels) {
    if (++shown > kMaxLabelRows) break;
    const std::string name = fmt::format("label {}", label);
    const auto voxels = static_cast<double>(summary.voxels);
    rows.push_back({name + ": voxels", "", voxels, "", true});
    rows.push_back({name + ": volume", "cm3", voxels * voxel_volume(volume.grid) * 1e6, "", true});
    rows.push_back({name + ": pieces", "", static_cast<double>(summary.pieces), "", true});
    rows.push_back({name + ": pieces at the scan's border", "",
                    static_cast<double>(summary.at_border), "", true});
  }
  return rows;
}

}  // namespace sinew::volume
