#include "sinew/volume/phantom_model_file.h"

#include <fmt/format.h>

#include "sinew/volume/units.h"

namespace sinew::volume {
namespace {

std::string vector_text(const Vec3d& v) {
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", v.x, v.y, v.z);
}

std::string tissue_text(const std::string& name, const std::string& kind, std::uint16_t label) {
  return fmt::format("[[tissues]]\nname = \"{}\"\nkind = \"{}\"\nlabels = [{}]\n\n", name, kind,
                     label);
}

std::string end_text(const char* key, const EndPlan& end) {
  std::string bones;
  for (const std::string& bone : end.bones) {
    bones += fmt::format("{}\"{}\"", bones.empty() ? "" : ", ", bone);
  }
  std::string text =
      fmt::format("[muscles.{}]\nbones = [{}]\nkind = \"{}\"\n", key, bones, end.kind);
  if (!end.sibling.empty()) text += fmt::format("sibling = \"{}\"\n", end.sibling);
  return text;
}

std::string aponeurosis_text(const char* key, const std::optional<AponeurosisPlan>& sheet) {
  if (!sheet) return "";
  return fmt::format("{} = {{ side = {}, cover = {} }}\n", key, vector_text(sheet->side),
                     sheet->cover);
}

std::string muscle_text(const MusclePlan& muscle, std::size_t m) {
  const FiberPlan& fibers = muscle.fibers;
  const bool has_tendon = muscle.belly_begin > 0 || muscle.belly_end < 1;
  std::string text = fmt::format("[[muscles]]\nname = \"{}\"\n", muscle.name);
  if (has_tendon) {
    text += fmt::format("labels = [{}, {}]\ntendon_labels = [{}]\n", belly_label(m),
                        tendon_label(m), tendon_label(m));
  } else {
    text += fmt::format("labels = [{}]\n", belly_label(m));
  }
  text += end_text("origin", muscle.origin) + end_text("insertion", muscle.insertion);
  text += "[muscles.fibers]\nkind = \"auto\"\n";
  text += aponeurosis_text("origin_aponeurosis", fibers.origin);
  text += aponeurosis_text("insertion_aponeurosis", fibers.insertion);
  return text + fmt::format("reference_length = {:.6g}\nreference_pennation = {:.6g}\n\n",
                            fibers.length * kMillimetre, fibers.pennation);
}

std::string joint_text(const JointPlan& joint) {
  std::string axes;
  for (const Vec3d& axis : joint.axes) axes += (axes.empty() ? "" : ", ") + vector_text(axis);
  return fmt::format(
      "[[joints]]\nname = \"{}\"\ntype = \"{}\"\nparent = \"{}\"\nchild = \"{}\"\n"
      "center = {}\n{}\n",
      joint.name, joint.type, joint.parent, joint.child, vector_text(kMillimetre * joint.center),
      axes.empty() ? "" : "axes = [" + axes + "]\n");
}

}  // namespace

std::string write_model_file(const AnatomyPlan& plan, double voxel) {
  std::string text = fmt::format(
      "# A built-in anatomy of the right side; metres, +x to the left, +y to the back, +z up.\n"
      "name = \"{}\"\nvolume = \"labels.nrrd\"\n\n"
      "[build]\nvoxel = {:.6g}\ncell = {:.6g}\nrepair = false\n\n",
      plan.name, voxel, plan.cell * kMillimetre);
  for (std::size_t t = 0; t < plan.tissues.size(); ++t) {
    text += tissue_text(plan.tissues[t].name, plan.tissues[t].kind, tissue_label(t));
  }
  if (plan.cartilage > 0) text += tissue_text("cartilage", "cartilage", cartilage_label(plan));
  text += tissue_text("fat", "fat", fat_label(plan));
  for (std::size_t m = 0; m < plan.muscles.size(); ++m) text += muscle_text(plan.muscles[m], m);
  for (const JointPlan& joint : plan.joints) text += joint_text(joint);
  return text;
}

}  // namespace sinew::volume
