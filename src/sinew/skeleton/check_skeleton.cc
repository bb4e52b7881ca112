#include "sinew/skeleton/check_skeleton.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/skeleton/display_surfaces.h"
#include "sinew/skeleton/kinematics.h"
#include "sinew/skeleton/paths.h"

namespace sinew::skeleton {
namespace {

constexpr double kLeastArm = 1e-7;      // m or 1; less is no action
constexpr std::size_t kMaxNotes = 300;  // rows of a kind

CheckRow plain(const std::string& name, double value, const std::string& unit) {
  return {name, unit, value, "", true};
}
CheckRow count_row(const std::string& name, std::size_t count) {
  return plain(name, static_cast<double>(count), "");
}

// Principal moments a, b, c of a real body have a + b >= c; the diagonal has it in any axes.
bool is_possible(const Mat3d& i) {
  const double slack = 1e-6 * trace(i);
  return i(0, 0) + i(1, 1) >= i(2, 2) - slack && i(1, 1) + i(2, 2) >= i(0, 0) - slack &&
         i(2, 2) + i(0, 0) >= i(1, 1) - slack;
}

void add_counts(const Skeleton& skeleton, std::vector<CheckRow>& rows) {
  std::size_t coupled = 0, locked = 0, disabled = 0;
  for (const Coordinate& coordinate : skeleton.coordinates) {
    coupled += coordinate.coupler ? 1 : 0;
    locked += coordinate.locked ? 1 : 0;
  }
  for (const Muscle& muscle : skeleton.muscles) disabled += muscle.disabled ? 1 : 0;
  rows.push_back(count_row("bodies with the ground", skeleton.bodies.size()));
  rows.push_back(count_row("coordinates", skeleton.coordinates.size()));
  rows.push_back(count_row("coordinates that follow others", coupled));
  rows.push_back(count_row("coordinates that are locked", locked));
  rows.push_back(count_row("muscles", skeleton.muscles.size()));
  rows.push_back(count_row("muscles that are disabled", disabled));
  rows.push_back(count_row("forces on joints besides muscles", skeleton.joint_forces.size()));
  rows.push_back(
      count_row("of these disabled", static_cast<std::size_t>(std::ranges::count(
                                         skeleton.joint_forces, true, &JointForce::disabled))));
  rows.push_back(count_row("wrap objects", skeleton.wrap_objects.size()));
  rows.push_back(count_row("markers", skeleton.markers.size()));
  rows.push_back(count_row("surfaces to show", skeleton.geometry.size()));
  rows.push_back(count_row("point constraints", skeleton.constraints.size()));
}

void add_masses(const Skeleton& skeleton, std::vector<CheckRow>& rows) {
  double mass = 0;
  std::size_t massless = 0, impossible = 0;
  for (std::size_t b = 1; b < skeleton.bodies.size(); ++b) {
    mass += skeleton.bodies[b].mass;
    massless += skeleton.bodies[b].mass > 0 ? 0 : 1;
    impossible += is_possible(skeleton.bodies[b].inertia) ? 0 : 1;
  }
  rows.push_back(plain("mass", mass, "kg"));
  rows.push_back(count_row("bodies without mass", massless));
  rows.push_back(count_row("bodies with an impossible inertia", impossible));
}

void add_pose(const Skeleton& skeleton, const Kinematics& kinematics, const std::vector<double>& q,
              std::vector<CheckRow>& rows) {
  std::size_t outside = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const auto& range = skeleton.coordinates[i].range;
    outside += q[i] < range[0] || q[i] > range[1] ? 1 : 0;
  }
  rows.push_back(count_row("rest values outside their range", outside));
  for (const PointConstraint& constraint : skeleton.constraints) {
    const Vec3d a = apply(kinematics.bodies[constraint.bodies[0]], constraint.locations[0]);
    const Vec3d b = apply(kinematics.bodies[constraint.bodies[1]], constraint.locations[1]);
    rows.push_back(plain(fmt::format("{}: gap at rest", constraint.name), norm(a - b) * 1e3, "mm"));
  }
}

void add_muscles(const Skeleton& skeleton, const Kinematics& kinematics,
                 const std::vector<double>& q, std::vector<CheckRow>& rows) {
  PathWorkspace workspace;
  PathTable table;
  evaluate_paths(skeleton, kinematics, q, WrapRules::kGeodesic, workspace, table);
  const auto bad = static_cast<std::size_t>(
      std::ranges::count_if(table.lengths, [](double l) { return !(l > 0 && std::isfinite(l)); }));
  rows.push_back(
      {"muscles without a length at rest", "", static_cast<double>(bad), "= 0", bad == 0});
  const std::size_t num_coordinates = q.size();
  for (std::size_t m = 0; m < skeleton.muscles.size(); ++m) {
    const std::string& name = skeleton.muscles[m].name;
    rows.push_back(plain(fmt::format("{}: length", name), table.lengths[m] * 1e3, "mm"));
    for (std::size_t i = 0; i < num_coordinates; ++i) {
      const double arm = table.moment_arms[m * num_coordinates + i];
      if (!(std::abs(arm) > kLeastArm)) continue;
      const Coordinate& coordinate = skeleton.coordinates[i];
      rows.push_back(plain(fmt::format("{}: moment arm, {}", name, coordinate.name),
                           coordinate.rotational ? arm * 1e3 : arm,
                           coordinate.rotational ? "mm" : ""));
    }
  }
}

void add_unsupported(const Skeleton& skeleton, std::vector<CheckRow>& rows) {
  const auto& all = skeleton.unsupported;
  rows.push_back(count_row("not acted upon", all.size()));
  for (std::size_t i = 0; i < std::min(all.size(), kMaxNotes); ++i) {
    rows.push_back(count_row(
        fmt::format("not acted upon: {} {} ({}{})", all[i].type, all[i].name, all[i].consequence,
                    all[i].acts ? "; activations and two-way runs want it ignored by name" : ""),
        1));
  }
}

void add_display_files(const Skeleton& skeleton, std::vector<CheckRow>& rows) {
  const std::vector<DisplayFile> left_out = read_display_surfaces(skeleton).left_out;
  rows.push_back(count_row("surface files left out", left_out.size()));
  for (std::size_t i = 0; i < std::min(left_out.size(), kMaxNotes); ++i) {
    rows.push_back(count_row(
        fmt::format("surface file left out: {} ({})", left_out[i].file, left_out[i].why), 1));
  }
}

std::string name_law(const Muscle& muscle) {
  switch (muscle.law) {
    case Muscle::Law::kThelen:
      return "Thelen 2003";
    case Muscle::Law::kMillard:
      // Fibres of that kind have a mass between them and the tendon.
      return muscle.kind == "Millard2012AccelerationMuscle"
                 ? "Millard et al. 2013, without its mass"
                 : "Millard et al. 2013";
    case Muscle::Law::kDeGroote:
      return "De Groote et al. 2016";
    case Muscle::Law::kHill:
      break;
  }
  return "Zajac 1989 in place of its own";
}

}  // namespace

std::vector<MuscleLaw> list_muscle_laws(const Skeleton& skeleton) {
  std::vector<MuscleLaw> laws;
  for (const Muscle& muscle : skeleton.muscles) {
    if (!muscle.kind.empty()) laws.push_back({muscle.name, muscle.kind, name_law(muscle)});
  }
  return laws;
}

std::vector<CheckRow> check_skeleton(const Skeleton& skeleton) {
  std::vector<CheckRow> rows;
  const std::vector<double> q = rest_pose(skeleton);
  Kinematics kinematics;
  evaluate_kinematics(skeleton, q, kinematics);
  add_counts(skeleton, rows);
  add_masses(skeleton, rows);
  add_pose(skeleton, kinematics, q, rows);
  add_muscles(skeleton, kinematics, q, rows);
  add_display_files(skeleton, rows);
  add_unsupported(skeleton, rows);
  return rows;
}

}  // namespace sinew::skeleton
