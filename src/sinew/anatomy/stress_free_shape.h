// The inverse problem that fan2014 leaves open (section 9): an active muscle is imaged under load,
// so that its imaged shape is not free of stress. Finds the stress-free active shape with which a
// simulator shows what was imaged, by running it again and again.
//
// Source: Sellier 2011 (the rest shape is corrected by what the simulated shape misses), with
// Anderson acceleration (Walker and Ni 2011); docs/theory/active_shapes.md, equations (9)-(11).
//
// What cannot be found: a tension that leaves no trace in the shape. A straight muscle of constant
// section that is held at both ends looks the same at any activation; loads must show.
#pragma once

#include <functional>
#include <vector>

#include "sinew/anatomy/active_map.h"

namespace sinew::anatomy {

// Where the material points are when the muscle with this active shape is active and loaded, m; as
// many as there are points. Throws what it likes where it fails.
using LoadedShape = std::function<std::vector<Vec3d>(const ActiveMap& map)>;

struct StressFreeSettings {
  int max_iterations = 30;  // runs of the simulator, > 0
  double tolerance = 1e-5;  // m, rms of what the simulated shape misses
  double relaxation = 1;    // of the correction, in (0, 1]
  int memory = 5;           // earlier iterations that acceleration uses; 0: none
};

struct StressFreeShape {
  ActiveMap map;                  // the best that was found
  double distance = 0;            // m, rms of what its loaded shape misses
  std::vector<double> distances;  // m, of each iteration
  bool converged = false;
};

// `points` are passive material points, `imaged` their places in the loaded active muscle (for
// instance by the map of fit_active_shape from the passive to the imaged shape). `start` is the
// map to begin with: that same map is what the paper uses as it is.
StressFreeShape find_stress_free_shape(const std::vector<Vec3d>& points,
                                       const std::vector<Vec3d>& imaged, const ActiveMap& start,
                                       const LoadedShape& simulate,
                                       const StressFreeSettings& settings = {});

// The spline on `lattice` nearest to values at scattered points by least squares, with a little
// weight (1e-6) on differences between neighbouring coefficients, which decides where there are no
// points. By conjugate gradients to 1e-9.
std::vector<Vec3d> approximate_scattered(const SplineLattice& lattice,
                                         const std::vector<Vec3d>& points,
                                         const std::vector<Vec3d>& values);

}  // namespace sinew::anatomy
