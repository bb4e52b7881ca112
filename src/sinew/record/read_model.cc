#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>

#include "sinew/brick/wrap_muscle.h"
#include "sinew/record/fixed_dataset.h"
#include "sinew/record/model_file.h"
#include "sinew/record/model_layout.h"
#include "sinew/record/recording_layout.h"

namespace sinew::record {
namespace {

using anatomy::MuscleEnd;
using hdf5::File;
using hdf5::Type;
using layout::join;

constexpr std::uint64_t kNumTissueKinds = 4;

// An array that must have a row for each of `rows`.
template <class Item>
std::vector<Item> read_rows(const File& file, const std::string& path, Type type,
                            std::size_t columns, std::size_t rows) {
  std::vector<Item> items = read_fixed<Item>(file, path, type, columns);
  if (items.size() != rows) {
    file.fail(path, fmt::format("has {} rows, {} are allowed", items.size(), rows));
  }
  return items;
}

Vec3d read_point(const File& file, const std::string& path) {
  const Vec3d point = read_rows<Vec3d>(file, path, Type::kF64, 3, 1)[0];
  if (!is_finite(point)) file.fail(path, "holds a number that is not finite");
  return point;
}

bool is_finite(const Vec3f& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

template <class Point>
void check_finite(const File& file, const std::string& path, const std::vector<Point>& points) {
  for (const Point& x : points) {
    if (!is_finite(x)) file.fail(path, "holds a number that is not finite");
  }
}

template <class Item>
void check_below(const File& file, const std::string& path, const std::vector<Item>& items,
                 std::size_t limit) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i] < limit) continue;
    file.fail(path, fmt::format("row {} holds {}, below {} is allowed", i, items[i], limit));
  }
}

// Of tets or vertices; 0 stands for no tissue, which neither may have.
std::vector<std::uint8_t> read_tissues(const File& file, const std::string& path,
                                       std::size_t rows) {
  auto tissues = read_rows<std::uint8_t>(file, path, Type::kU8, 1, rows);
  check_below(file, path, tissues, anatomy::kAponeurosisTissue + 1);
  if (std::find(tissues.begin(), tissues.end(), 0) != tissues.end()) {
    file.fail(path, "holds 0, which is no tissue");
  }
  return tissues;
}

mesh::Surface read_surface(const File& file, const std::string& group) {
  mesh::Surface surface;
  surface.positions = read_fixed<Vec3d>(file, join(group, "vertices"), Type::kF64, 3);
  check_finite(file, join(group, "vertices"), surface.positions);
  surface.triangles =
      read_fixed<std::array<std::uint32_t, 3>>(file, join(group, "triangles"), Type::kU32, 3);
  check_indices(file, join(group, "triangles"), surface.triangles, surface.positions.size());
  return surface;
}

MuscleEnd read_end(const File& file, const std::string& group, std::size_t num_nodes) {
  MuscleEnd end;
  end.bone = file.read_text(group, "bone");
  end.sibling = file.read_text(group, "sibling");
  end.area = file.read_number(group, "area");
  // Models of earlier versions do not say.
  if (file.has_attribute(group, "problem")) end.problem = file.read_text(group, "problem");
  if (!std::isfinite(end.area)) file.fail(group + "@area", "is not a finite number");
  end.center = read_point(file, join(group, "center"));
  end.nodes = read_fixed<std::uint32_t>(file, join(group, "nodes"), Type::kU32, 1);
  check_below(file, join(group, "nodes"), end.nodes, num_nodes);
  if (std::adjacent_find(end.nodes.begin(), end.nodes.end(), std::greater_equal<>()) !=
      end.nodes.end()) {
    file.fail(join(group, "nodes"), "does not increase");
  }
  return end;
}

mesh::BccLattice read_lattice(const File& file, const std::string& group) {
  mesh::BccLattice lattice{};
  lattice.spacing = file.read_number(group, "spacing");
  if (!std::isfinite(lattice.spacing) || lattice.spacing <= 0) {
    file.fail(group + "@spacing", "is not a positive length");
  }
  lattice.origin = read_point(file, join(group, "lattice_origin"));
  const std::string path = join(group, "lattice_cells");
  const auto cells = read_rows<std::uint32_t>(file, path, Type::kU32, 1, 3);
  check_below(file, path, cells, 1U << 20);
  for (std::size_t a = 0; a < 3; ++a) lattice.cells[a] = static_cast<std::int32_t>(cells[a]);
  return lattice;
}

// Engines take a tetrahedron's shape at rest from its orientation, not from its nodes: the two must
// agree, up to the rounding of positions that lie many cells from the frame's origin.
void check_shapes(const File& file, const std::string& path, const mesh::TetMesh& mesh,
                  double spacing) {
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const auto& x = mesh.rest_positions;
    const auto& tet = mesh.tets[t];
    const Mat3d& edges = mesh.edge_matrices[mesh.orientation[t]];
    for (std::size_t e = 0; e < 3; ++e) {
      if (norm(x[tet[e + 1]] - x[tet[0]] - edges.col(e)) < 1e-6 * spacing) continue;
      file.fail(path, fmt::format("row {} has not the shape of its orientation", t));
    }
  }
}

mesh::TetMesh read_mesh(const File& file, const std::string& group,
                        const mesh::BccLattice& lattice) {
  mesh::TetMesh mesh;
  mesh.rest_positions = read_fixed<Vec3d>(file, join(group, "nodes"), Type::kF64, 3);
  check_finite(file, join(group, "nodes"), mesh.rest_positions);
  mesh.tets = read_fixed<std::array<std::uint32_t, 4>>(file, join(group, "tets"), Type::kU32, 4);
  check_indices(file, join(group, "tets"), mesh.tets, mesh.rest_positions.size());
  const std::size_t num_tets = mesh.tets.size();
  mesh.fill = read_rows<double>(file, join(group, "fill"), Type::kF64, 1, num_tets);
  for (const double fill : mesh.fill) {
    if (!(fill > 0 && fill <= 1)) file.fail(join(group, "fill"), "must lie in (0, 1]");
  }
  mesh.orientation =
      read_rows<std::uint8_t>(file, join(group, "orientation"), Type::kU8, 1, num_tets);
  check_below(file, join(group, "orientation"), mesh.orientation, mesh::kNumOrientations);
  const std::uint64_t num_corners = file.read_count(group, "num_corners");
  if (num_corners > mesh.rest_positions.size()) {
    file.fail(group + "@num_corners", "is more than there are nodes");
  }
  mesh.num_corners = static_cast<std::uint32_t>(num_corners);
  for (int o = 0; o < mesh::kNumOrientations; ++o) {
    mesh.edge_matrices.push_back(mesh::edge_matrix(o) * lattice.spacing);
  }
  check_shapes(file, join(group, "tets"), mesh, lattice.spacing);
  return mesh;
}

void read_embedding(const File& file, const std::string& group, anatomy::Muscle& muscle) {
  const std::size_t count = muscle.surface.positions.size();
  const auto tets =
      read_rows<std::uint32_t>(file, join(group, "vertex_tets"), Type::kU32, 1, count);
  check_below(file, join(group, "vertex_tets"), tets, muscle.mesh.tets.size());
  const auto weights =
      read_rows<std::array<double, 4>>(file, join(group, "vertex_weights"), Type::kF64, 4, count);
  for (std::size_t v = 0; v < count; ++v) {
    double sum = 0;
    for (const double w : weights[v]) sum += w;
    if (!(std::abs(sum - 1) < 1e-6)) {
      file.fail(join(group, "vertex_weights"), fmt::format("row {} does not add up to 1", v));
    }
    muscle.embedding.push_back({tets[v], weights[v]});
  }
  muscle.end = read_rows<std::uint8_t>(file, join(group, "vertex_end"), Type::kU8, 1, count);
  check_below(file, join(group, "vertex_end"), muscle.end, anatomy::kInsertionEnd + 1);
  muscle.vertex_tissue = read_tissues(file, join(group, "vertex_tissue"), count);
}

std::vector<std::vector<Vec3f>> read_lines(const File& file, const std::string& group) {
  const auto points = read_fixed<Vec3f>(file, join(group, "fiber_points"), Type::kF32, 3);
  check_finite(file, join(group, "fiber_points"), points);
  const std::string path = join(group, "fiber_starts");
  const auto starts = read_fixed<std::uint32_t>(file, path, Type::kU32, 1);
  check_below(file, path, starts, points.size() + 1);
  std::vector<std::vector<Vec3f>> lines;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    if (starts[i] > starts[i + 1]) file.fail(path, "does not increase");
    lines.emplace_back(points.begin() + starts[i], points.begin() + starts[i + 1]);
  }
  return lines;
}

std::optional<anatomy::MuscleBricks> read_bricks(const File& file, const std::string& muscle) {
  if (!file.has_attribute(muscle, model_layout::kNumBricks)) return {};
  const std::uint64_t count = file.read_count(muscle, model_layout::kNumBricks);
  const std::string group = join(muscle, model_layout::kBricks);
  anatomy::MuscleBricks bricks;
  const std::string counts_path = join(group, "counts");
  const auto counts = read_rows<std::uint32_t>(file, counts_path, Type::kU32, 1, 3);
  check_below(file, counts_path, counts, brick::kMaxAlong + 1);
  for (std::size_t a = 0; a < 3; ++a) bricks.settings.counts[a] = static_cast<int>(counts[a]);
  bricks.settings.axis = read_point(file, join(group, "axis"));
  bricks.settings.levels = read_fixed<double>(file, join(group, "levels"), Type::kF64, 1);
  bricks.nodes = read_fixed<Vec3d>(file, join(group, "nodes"), Type::kF64, 3);
  check_finite(file, join(group, "nodes"), bricks.nodes);
  const std::string elements_path = join(group, "elements");
  bricks.elements =
      read_rows<std::array<std::uint32_t, 20>>(file, elements_path, Type::kU32, 20, count);
  check_indices(file, elements_path, bricks.elements, bricks.nodes.size());
  const std::string wrong = brick::check_bricks(bricks);
  if (!wrong.empty()) file.fail(group, wrong);
  return bricks;
}

anatomy::Muscle read_muscle(const File& file, const std::string& name) {
  const std::string group = join(model_layout::kMuscles, name);
  anatomy::Muscle muscle;
  muscle.name = name;
  muscle.regions = file.read_texts(group, "regions");
  muscle.lattice = read_lattice(file, group);
  muscle.mesh = read_mesh(file, group, muscle.lattice);
  const std::size_t num_tets = muscle.mesh.tets.size();
  muscle.tissue = read_tissues(file, join(group, "tissue"), num_tets);
  const auto region =
      read_rows<std::uint32_t>(file, join(group, "region"), Type::kU32, 1, num_tets);
  check_below(file, join(group, "region"), region, muscle.regions.size());
  for (const std::uint32_t r : region) muscle.region.push_back(static_cast<std::uint16_t>(r));
  muscle.fibers = read_rows<Vec3f>(file, join(group, "fibers"), Type::kF32, 3, num_tets);
  for (const Vec3f& a : muscle.fibers) {
    if (!(std::abs(norm(a) - 1) < 1e-3F)) {
      file.fail(join(group, "fibers"), "holds a direction that has not the length 1");
    }
  }
  const std::size_t num_nodes = muscle.mesh.rest_positions.size();
  muscle.origin = read_end(file, join(group, "origin"), num_nodes);
  muscle.insertion = read_end(file, join(group, "insertion"), num_nodes);
  muscle.surface = read_surface(file, group);
  read_embedding(file, group, muscle);
  muscle.fiber_lines = read_lines(file, group);
  muscle.bricks = read_bricks(file, group);
  return muscle;
}

anatomy::Tissue read_tissue(const File& file, const std::string& name) {
  const std::string group = join(model_layout::kTissues, name);
  const std::uint64_t kind = file.read_count(group, "kind");
  if (kind >= kNumTissueKinds) file.fail(group + "@kind", "is none of the kinds that are known");
  return {name, static_cast<anatomy::TissueKind>(kind), read_surface(file, group)};
}

anatomy::JointSettings read_joint(const File& file, const std::string& name) {
  const std::string group = join(model_layout::kJoints, name);
  anatomy::JointSettings joint;
  joint.name = name;
  joint.type = file.read_text(group, "type");
  joint.parent = file.read_text(group, "parent");
  joint.child = file.read_text(group, "child");
  joint.center = read_point(file, join(group, "center"));
  joint.axes = read_fixed<Vec3d>(file, join(group, "axes"), Type::kF64, 3);
  check_finite(file, join(group, "axes"), joint.axes);
  return joint;
}

template <class Part>
std::vector<Part> read_parts(const File& file, const char* group,
                             Part (*read)(const File&, const std::string&)) {
  std::vector<Part> parts;
  for (const std::string& name : read_names(file, group, layout::is_body_name)) {
    parts.push_back(read(file, name));
  }
  return parts;
}

PartNames name_parts(const File& file) {
  return {read_names(file, model_layout::kMuscles, layout::is_body_name),
          read_names(file, model_layout::kTissues, layout::is_body_name)};
}

File open_model(const std::string& path) {
  File file = File::open(find_model(path));
  if (file.read_text("/", "format") != model_layout::kFormat) {
    file.fail("/@format", "is an HDF5 file, but no model");
  }
  const std::uint64_t version = file.read_count("/", "format_version");
  if (version != model_layout::kFormatVersion) {
    file.fail("/@format_version", fmt::format("is {}, this program reads {}: build the model again",
                                              version, model_layout::kFormatVersion));
  }
  return file;
}

}  // namespace

std::string find_model(const std::string& path) {
  return find_file(path, model_layout::kKind);
}

PartNames read_part_names(const std::string& path) {
  return name_parts(open_model(path));
}

mesh::Surface read_part_surface(const std::string& path, const std::string& part) {
  const File file = open_model(path);
  const PartNames names = name_parts(file);
  for (const auto& [group, known] : {std::pair{model_layout::kMuscles, &names.muscles},
                                     std::pair{model_layout::kTissues, &names.tissues}}) {
    if (std::find(known->begin(), known->end(), part) == known->end()) continue;
    return read_surface(file, join(group, part));
  }
  file.fail("/", fmt::format("has no part \"{}\"", part));
}

anatomy::Model read_model(const std::string& path) {
  const File file = open_model(path);
  anatomy::Model model;
  model.name = file.read_text("/", "name");
  model.tissues = read_parts(file, model_layout::kTissues, read_tissue);
  model.muscles = read_parts(file, model_layout::kMuscles, read_muscle);
  model.joints = read_parts(file, model_layout::kJoints, read_joint);
  return model;
}

bool is_model(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  return fs::path(path).filename() == kModelFile || fs::exists(fs::path(path) / kModelFile, error);
}

}  // namespace sinew::record
