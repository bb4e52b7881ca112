#include "sinew/anatomy/build_muscle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "sinew/anatomy/aponeurosis.h"
#include "sinew/anatomy/attachments.h"
#include "sinew/anatomy/fibers.h"
#include "sinew/anatomy/one_piece.h"
#include "sinew/anatomy/tendon.h"
#include "sinew/core/disjoint_sets.h"
#include "sinew/core/error.h"
#include "sinew/core/to_float.h"
#include "sinew/levelset/distance_field.h"
#include "sinew/mesh/bridge_pieces.h"
#include "sinew/mesh/glue_components.h"
#include "sinew/mesh/isosurface.h"
#include "sinew/mesh/loose_tets.h"
#include "sinew/mesh/shape.h"
#include "sinew/mesh/split_lattice.h"
#include "sinew/mesh/surface_distance.h"

namespace sinew::anatomy {
namespace {

constexpr int kMargin = 4;  // voxels of distance around the muscle
// Voxels a cell of the isosurface, and the part of its volume that it may lose before a finer one
// is tried. Triangles are somewhat smaller than cells.
constexpr std::array<double, 3> kSurfaceCells = {1.5, 1, 0.75};
constexpr double kSurfaceLoss = 0.008;
constexpr double kSurfaceCrumbs = 3e-4;       // part of the volume that may lie in loose pieces
constexpr int kSamplesAVoxel = 2;             // of doubtful lattice cells; more tell nothing new
constexpr double kAponeurosisDepth = 0.0015;  // m

// What the steps of a muscle share.
struct Work {
  const MuscleInput& input;
  std::shared_ptr<const volume::Field> distance;
  mesh::Shape shape;
  volume::Image<std::uint8_t> tissue;  // of the voxels of `distance`
  Fibers fibers;
  std::vector<std::shared_ptr<const mesh::SurfaceDistance>> regions;
};

std::shared_ptr<const mesh::SurfaceDistance> read_selecting_surface(const std::string& path,
                                                                    double scale) {
  mesh::Surface surface = mesh::read_surface(path, scale);
  mesh::check_closed(surface, path);
  return std::make_shared<mesh::SurfaceDistance>(std::move(surface));
}

// The point itself inside the muscle, else the nearest of its surface: where
// elements that reach beyond it ask what they are.
Vec3d move_inside(const Work& work, const Vec3d& x) {
  const mesh::DistanceSample sample = mesh::sample_distance(work.shape, x);
  if (sample.distance <= 0) return x;
  return x - sample.normal * (sample.distance + 0.5 * work.input.solid.voxel());
}

// What most voxels around one outside the muscle are; muscle where all are outside.
std::uint8_t find_tissue_around(const volume::Image<std::uint8_t>& tissue,
                                const volume::Index& center) {
  std::array<int, 4> votes{};
  for (int n = 0; n < 27; ++n) {
    const volume::Index index = {center[0] + n % 3 - 1, center[1] + n / 3 % 3 - 1,
                                 center[2] + n / 9 - 1};
    if (volume::contains(tissue.grid, index)) {
      ++votes[tissue.voxels[volume::offset_of(tissue.grid, index)]];
    }
  }
  const auto best = std::max_element(votes.begin() + 1, votes.end());
  return *best > 0 ? static_cast<std::uint8_t>(best - votes.begin()) : kMuscleTissue;
}

std::uint8_t tissue_at(const Work& work, const Vec3d& x) {
  const volume::Grid& grid = work.tissue.grid;
  const Vec3d at = volume::index_of(grid, x);
  volume::Index index;
  for (std::size_t a = 0; a < 3; ++a) {
    index[a] = std::clamp(static_cast<std::int32_t>(std::lround(at[a])), 0, grid.size[a] - 1);
  }
  const std::uint8_t here = work.tissue.voxels[volume::offset_of(grid, index)];
  return here != 0 ? here : find_tissue_around(work.tissue, index);
}

std::uint16_t region_at(const Work& work, const Vec3d& x) {
  for (std::size_t r = work.regions.size(); r > 0; --r) {
    if (work.regions[r - 1]->sample(x).distance <= 0) return static_cast<std::uint16_t>(r);
  }
  return 0;
}

// Fibres, tissue and region of each element, asked for at its middle.
void fill_elements(const Work& work, Muscle& muscle) {
  const std::size_t num_tets = muscle.mesh.tets.size();
  muscle.tissue.resize(num_tets);
  muscle.region.resize(num_tets);
  muscle.fibers.resize(num_tets);
  for (std::size_t t = 0; t < num_tets; ++t) {
    const Vec3d x =
        move_inside(work, mesh::compute_middle(muscle.mesh.rest_positions, muscle.mesh.tets[t]));
    muscle.tissue[t] = tissue_at(work, x);
    muscle.region[t] = region_at(work, x);
    muscle.fibers[t] = to_float(work.fibers.field(x));
  }
}

// Nodes of the elements that carry an end's patch. A node of both belongs to
// the end of which more vertices hang on it.
void hold_nodes(const Attachments& ends, Muscle& muscle) {
  std::vector<std::array<std::uint32_t, 2>> votes(muscle.mesh.rest_positions.size(), {0, 0});
  for (std::size_t v = 0; v < ends.end.size(); ++v) {
    if (ends.end[v] == kNoEnd) continue;
    for (const std::uint32_t n : muscle.mesh.tets[muscle.embedding[v].tet]) {
      ++votes[n][ends.end[v] == kOriginEnd ? 0 : 1];
    }
  }
  for (std::uint32_t n = 0; n < votes.size(); ++n) {
    if (votes[n][0] + votes[n][1] == 0) continue;
    (votes[n][0] >= votes[n][1] ? muscle.origin : muscle.insertion).nodes.push_back(n);
  }
}

MuscleEnd describe(const AttachedEnd& end) {
  MuscleEnd out;
  out.bone = end.bone;
  out.sibling = end.sibling;
  out.center = end.centroid;
  out.area = end.area;
  out.problem = end.problem;
  return out;
}

int count_samples(const MuscleInput& input) {
  const double wanted = kSamplesAVoxel * input.cell / input.solid.voxel();
  int samples = 4;
  while (samples < wanted && samples < 32) samples *= 2;
  return samples;
}

double part_of_tendon(const Muscle& muscle) {
  double tendon = 0, all = 0;
  for (std::size_t t = 0; t < muscle.tissue.size(); ++t) {
    all += muscle.mesh.fill[t];
    if (muscle.tissue[t] != kMuscleTissue) tendon += muscle.mesh.fill[t];
  }
  return tendon / all;
}

// Distance from the level set of which a part `p` of the surface, by its
// vertices and the middles of its triangles, is nearer.
double measure_fit(const levelset::LevelSet& solid, const mesh::Surface& surface, double p) {
  std::vector<double> distances;
  for (const Vec3d& x : surface.positions) distances.push_back(std::abs(solid.value(x)));
  for (const auto& t : surface.triangles) {
    const auto& x = surface.positions;
    distances.push_back(std::abs(solid.value((x[t[0]] + x[t[1]] + x[t[2]]) / 3.0)));
  }
  const auto at = distances.begin() +
                  static_cast<std::ptrdiff_t>(p * static_cast<double>(distances.size() - 1));
  std::nth_element(distances.begin(), at, distances.end());
  return *at;
}

// Lengths of the fibres that do not run in tendon: what the literature measures.
Spread measure_belly(const Work& work) {
  std::vector<double> lengths;
  for (const auto& line : work.fibers.lines) {
    double length = 0;
    for (std::size_t i = 1; i < line.size(); ++i) {
      const Vec3d middle = 0.5 * (line[i - 1] + line[i]);
      if (tissue_at(work, middle) == kMuscleTissue) length += norm(line[i] - line[i - 1]);
    }
    lengths.push_back(length);
  }
  if (lengths.empty()) return {};
  std::sort(lengths.begin(), lengths.end());
  const auto at = [&](double p) {
    return lengths[static_cast<std::size_t>(p * static_cast<double>(lengths.size() - 1))];
  };
  return {at(0.1), at(0.5), at(0.9)};
}

void fill_report(const MuscleInput& input, const mesh::SplitReport& split, const Muscle& muscle,
                 MuscleReport& report) {
  report.name = muscle.name;
  report.volume = input.solid.volume();
  report.surface_volume = mesh::compute_volume(muscle.surface);
  const double tet_volume = std::pow(muscle.lattice.spacing, 3) / 12;
  for (const double fill : muscle.mesh.fill) report.filled_volume += fill * tet_volume;
  report.surface_p99 = measure_fit(input.solid, muscle.surface, 0.99);
  report.tendon_part = part_of_tendon(muscle);
  report.num_tets = muscle.mesh.tets.size();
  report.num_nodes = muscle.mesh.rest_positions.size();
  report.split = split;
}

volume::Image<std::uint8_t> find_tissue(const Work& work, const mesh::Surface& surface,
                                        const Attachments& ends) {
  const MuscleSettings& settings = work.input.settings;
  std::vector<std::shared_ptr<const mesh::SurfaceDistance>> tendons;
  std::vector<const mesh::SurfaceDistance*> selecting;
  for (const std::string& path : settings.tendon_surfaces) {
    tendons.push_back(read_selecting_surface(path, work.input.surface_scale));
    selecting.push_back(tendons.back().get());
  }
  return mark_tissue(
      *work.distance, surface, ends, settings.origin.kind, settings.insertion.kind,
      {selecting, work.input.labels, settings.tendon_labels, settings.source.labels});
}

// Volume of the largest connected piece of a surface, m^3.
double largest_piece(const mesh::Surface& surface) {
  DisjointSets pieces(surface.positions.size());
  for (const auto& t : surface.triangles) {
    pieces.join(t[0], t[1]);
    pieces.join(t[0], t[2]);
  }
  std::vector<double> volumes(surface.positions.size(), 0.0);
  for (const auto& t : surface.triangles) {
    const auto& x = surface.positions;
    volumes[pieces.find(t[0])] += dot(x[t[0]], cross(x[t[1]], x[t[2]])) / 6;
  }
  return *std::max_element(volumes.begin(), volumes.end());
}

// As coarse as keeps the volume and its pieces together: thin tendons fall through coarse cells.
mesh::Surface make_fine_surface(const Work& work) {
  const double volume = levelset::compute_volume(*work.distance);
  mesh::Surface surface;
  for (const double cell : kSurfaceCells) {
    surface = mesh::make_isosurface(work.shape, cell * work.input.solid.voxel());
    const double found = mesh::compute_volume(surface);
    const bool whole = largest_piece(surface) > (1 - kSurfaceCrumbs) * found;
    if (whole && std::abs(found - volume) < kSurfaceLoss * volume) break;
  }
  return surface;
}

// Ends, tissue and fibres, which need the surface and the voxels only.
Attachments lay_out(Work& work, const mesh::Surface& surface) {
  const MuscleInput& input = work.input;
  const MuscleSettings& settings = input.settings;
  Attachments ends =
      find_attachments(surface, settings.origin, settings.insertion, input.bones, input.siblings,
                       input.labels != nullptr ? &input.labels->grid : nullptr);
  work.tissue = find_tissue(work, surface, ends);
  const std::vector<std::uint8_t> sheets = mark_aponeuroses(surface, ends.end, settings.fibers);
  std::vector<std::uint32_t> marked;
  for (std::uint32_t v = 0; v < sheets.size(); ++v) {
    if (sheets[v] != kNoEnd && ends.end[v] == kNoEnd) marked.push_back(v);
  }
  mark_near(work.tissue, surface, marked, kAponeurosisDepth, kAponeurosisTissue);
  work.fibers = lay_fibers(*work.distance, surface, ends.end, settings.fibers);
  for (const ActivationRegionSettings& region : settings.regions) {
    work.regions.push_back(read_selecting_surface(region.surface, input.surface_scale));
  }
  return ends;
}

std::vector<std::vector<Vec3f>> to_floats(const std::vector<std::vector<Vec3d>>& lines) {
  std::vector<std::vector<Vec3f>> out;
  out.reserve(lines.size());
  for (const auto& line : lines) out.push_back(to_float(line));
  return out;
}

}  // namespace

BuiltMuscle build_muscle(const MuscleInput& input) {
  auto distance = std::make_shared<volume::Field>(*input.solid.sample(kMargin));
  const OnePieceReport one_piece = make_one_piece(*distance);
  Work work{input, std::move(distance), {}, {}, {}, {}};
  work.shape = {mesh::Sampled{work.distance}};
  BuiltMuscle built;
  Muscle& muscle = built.muscle;
  muscle.name = input.settings.name;
  muscle.regions = {"belly"};
  for (const auto& region : input.settings.regions) muscle.regions.push_back(region.name);
  muscle.surface = make_fine_surface(work);
  const Attachments ends = lay_out(work, muscle.surface);
  mesh::SplitSettings split_settings;
  split_settings.samples = count_samples(input);
  mesh::SplitLattice split = mesh::make_split_lattice(work.shape, input.cell, split_settings);
  mesh::glue_components(split);
  if (split.lattice.mesh.tets.empty()) {
    throw std::invalid_argument("no cell of its lattice is filled; use a smaller cell");
  }
  muscle.embedding = mesh::embed(split, muscle.surface.positions);
  muscle.lattice = split.lattice.lattice;
  muscle.mesh = std::move(split.lattice.mesh);
  const std::size_t num_tets = muscle.mesh.tets.size();
  const std::size_t num_pieces = mesh::drop_loose_tets(muscle.mesh, muscle.embedding).num_pieces;
  built.report.num_loose_tets = num_tets - muscle.mesh.tets.size();
  built.report.bridges = mesh::bridge_pieces(muscle.lattice, muscle.surface.triangles,
                                             std::numbers::pi * std::pow(input.solid.voxel(), 2),
                                             muscle.mesh, muscle.embedding);
  built.report.num_firm_pieces = num_pieces - built.report.bridges.size();
  fill_elements(work, muscle);
  muscle.origin = describe(ends.origin);
  muscle.insertion = describe(ends.insertion);
  hold_nodes(ends, muscle);
  muscle.end = ends.end;
  for (const Vec3d& x : muscle.surface.positions) {
    muscle.vertex_tissue.push_back(tissue_at(work, move_inside(work, x)));
  }
  muscle.fiber_lines = to_floats(work.fibers.lines);
  fill_report(input, split.report, muscle, built.report);
  built.report.origin = ends.origin;
  built.report.insertion = ends.insertion;
  built.report.length = ends.length;
  built.report.one_piece = one_piece;
  built.report.fibers = work.fibers.report;
  built.report.belly_length = measure_belly(work);
  built.report.reference_length = input.settings.fibers.reference_length;
  built.report.reference_pennation = input.settings.fibers.reference_pennation;
  if (input.make_mesh) {
    built.mesh = mesh::make_conforming_mesh(work.shape, {input.cell, 0, 0});
    built.report.meshing = built.mesh->report;
  }
  return built;
}

}  // namespace sinew::anatomy
