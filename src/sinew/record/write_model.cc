#include "sinew/core/temporary_file.h"
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

void write_surface(File& file, const std::string& group, const mesh::Surface& surface) {
  write_fixed(file, join(group, "vertices"), Type::kF64, 3, surface.positions);
  write_fixed(file, join(group, "triangles"), Type::kU32, 3, surface.triangles);
}

void write_end(File& file, const std::string& group, const MuscleEnd& end) {
  file.make_group(group);
  file.write_text(group, "bone", end.bone);
  file.write_text(group, "sibling", end.sibling);
  file.write_number(group, "area", end.area);
  file.write_text(group, "problem", end.problem);
  write_fixed(file, join(group, "center"), Type::kF64, 3, std::vector{end.center});
  write_fixed(file, join(group, "nodes"), Type::kU32, 1, end.nodes);
}

void write_lattice(File& file, const std::string& group, const anatomy::Muscle& muscle) {
  file.write_number(group, "spacing", muscle.lattice.spacing);
  write_fixed(file, join(group, "lattice_origin"), Type::kF64, 3,
              std::vector{muscle.lattice.origin});
  const std::vector<std::uint32_t> cells(muscle.lattice.cells.begin(), muscle.lattice.cells.end());
  write_fixed(file, join(group, "lattice_cells"), Type::kU32, 1, cells);
  write_fixed(file, join(group, "nodes"), Type::kF64, 3, muscle.mesh.rest_positions);
  file.write_count(group, "num_corners", muscle.mesh.num_corners);
  write_fixed(file, join(group, "tets"), Type::kU32, 4, muscle.mesh.tets);
  write_fixed(file, join(group, "fill"), Type::kF64, 1, muscle.mesh.fill);
  write_fixed(file, join(group, "orientation"), Type::kU8, 1, muscle.mesh.orientation);
}

void write_embedding(File& file, const std::string& group, const anatomy::Muscle& muscle) {
  std::vector<std::uint32_t> tets;
  std::vector<std::array<double, 4>> weights;
  for (const mesh::EmbeddedPoint& point : muscle.embedding) {
    tets.push_back(point.tet);
    weights.push_back(point.weights);
  }
  write_fixed(file, join(group, "vertex_tets"), Type::kU32, 1, tets);
  write_fixed(file, join(group, "vertex_weights"), Type::kF64, 4, weights);
  write_fixed(file, join(group, "vertex_end"), Type::kU8, 1, muscle.end);
  write_fixed(file, join(group, "vertex_tissue"), Type::kU8, 1, muscle.vertex_tissue);
}

void write_lines(File& file, const std::string& group,
                 const std::vector<std::vector<Vec3f>>& lines) {
  model_layout::FlatLines flat{{}, {0}};
  for (const auto& line : lines) {
    flat.points.insert(flat.points.end(), line.begin(), line.end());
    flat.starts.push_back(static_cast<std::uint32_t>(flat.points.size()));
  }
  write_fixed(file, join(group, "fiber_points"), Type::kF32, 3, flat.points);
  write_fixed(file, join(group, "fiber_starts"), Type::kU32, 1, flat.starts);
}

// The count says that there are any.
void write_bricks(File& file, const std::string& muscle, const anatomy::MuscleBricks& bricks) {
  file.write_count(muscle, model_layout::kNumBricks, bricks.elements.size());
  const std::string group = join(muscle, model_layout::kBricks);
  file.make_group(group);
  const auto& counts = bricks.settings.counts;
  write_fixed(file, join(group, "counts"), Type::kU32, 1,
              std::vector<std::uint32_t>(counts.begin(), counts.end()));
  write_fixed(file, join(group, "axis"), Type::kF64, 3, std::vector{bricks.settings.axis});
  write_fixed(file, join(group, "levels"), Type::kF64, 1, bricks.settings.levels);
  write_fixed(file, join(group, "nodes"), Type::kF64, 3, bricks.nodes);
  write_fixed(file, join(group, "elements"), Type::kU32, 20, bricks.elements);
}

void write_muscle(File& file, const anatomy::Muscle& muscle) {
  const std::string group = join(model_layout::kMuscles, muscle.name);
  file.make_group(group);
  file.write_texts(group, "regions", muscle.regions);
  write_lattice(file, group, muscle);
  write_fixed(file, join(group, "tissue"), Type::kU8, 1, muscle.tissue);
  const std::vector<std::uint32_t> region(muscle.region.begin(), muscle.region.end());
  write_fixed(file, join(group, "region"), Type::kU32, 1, region);
  write_fixed(file, join(group, "fibers"), Type::kF32, 3, muscle.fibers);
  write_end(file, join(group, "origin"), muscle.origin);
  write_end(file, join(group, "insertion"), muscle.insertion);
  write_surface(file, group, muscle.surface);
  write_embedding(file, group, muscle);
  write_lines(file, group, muscle.fiber_lines);
  if (muscle.bricks) write_bricks(file, group, *muscle.bricks);
}

void write_tissue(File& file, const anatomy::Tissue& tissue) {
  const std::string group = join(model_layout::kTissues, tissue.name);
  file.make_group(group);
  file.write_count(group, "kind", static_cast<std::uint64_t>(tissue.kind));
  write_surface(file, group, tissue.surface);
}

void write_joint(File& file, const anatomy::JointSettings& joint) {
  const std::string group = join(model_layout::kJoints, joint.name);
  file.make_group(group);
  file.write_text(group, "type", joint.type);
  file.write_text(group, "parent", joint.parent);
  file.write_text(group, "child", joint.child);
  write_fixed(file, join(group, "center"), Type::kF64, 3, std::vector{joint.center});
  write_fixed(file, join(group, "axes"), Type::kF64, 3, joint.axes);
}

// A group of named parts, which remembers their order.
template <class Part>
void write_parts(File& file, const char* group, const std::vector<Part>& parts,
                 void (*write)(File&, const Part&)) {
  file.make_group(group);
  std::vector<std::string> names;
  for (const Part& part : parts) {
    names.push_back(part.name);
    write(file, part);
  }
  file.write_texts(group, layout::kNames, names);
}

}  // namespace

void write_model(const std::string& path, const anatomy::Model& model) {
  TemporaryFile temporary(path);
  {
    File file = File::create(temporary.path(), path, hdf5::Growth::kWhole);
    file.write_text("/", "format", std::string(model_layout::kFormat));
    file.write_count("/", "format_version", model_layout::kFormatVersion);
    file.write_text("/", "name", model.name);
    write_parts(file, model_layout::kTissues, model.tissues, write_tissue);
    write_parts(file, model_layout::kMuscles, model.muscles, write_muscle);
    write_parts(file, model_layout::kJoints, model.joints, write_joint);
    file.flush();
  }
  temporary.put_in_place();
}

}  // namespace sinew::record
