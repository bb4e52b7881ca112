#include "tet_kernel.h"

#include <set>

#include <fmt/format.h>

#include "sinew/core/instruction_set.h"
#include "sinew/core/parallel.h"
#include "sinew/material/presets.h"
#include "sinew/tet/kernel.h"

#include "count_flops.h"
#include "eigen_loop.h"
#include "machine.h"

namespace sinew::bench {
namespace {

constexpr double kActivation = 0.5;

tet::Model make_torus(double resolution) {
  tet::Settings settings;
  tet::BodySettings body;
  body.name = "torus";
  body.shape.form = mesh::Torus{{0, 0, 0}, {0, 1, 0}, 0.1, 0.04};
  body.resolution = resolution;
  body.material = material::make_preset("muscle");
  body.fibers = [](const Vec3d& x) { return normalized(Vec3d{x.z, 0.1, -x.x}); };  // around it
  settings.bodies.push_back(body);
  return tet::make_model(settings);
}

template <class Real>
Field3<Real> deform(const tet::Model& model, double height) {
  Field3<Real> field(model.rest_positions.size());
  for (std::size_t n = 0; n < field.size(); ++n) {
    const Vec3d& x = model.rest_positions[n];
    field.set(n, {static_cast<Real>(1.05 * x.x), static_cast<Real>(height * x.y),
                  static_cast<Real>(0.97 * x.z + 0.05 * x.x)});
  }
  return field;
}

// Floating-point operations a tetrahedron: the law's, F and forces on a lattice, and for an
// averaged dilatation F and its determinant once more, without the logarithm.
double flops_a_tet(const material::Material& tissue) {
  constexpr double kGradient = 24, kForces = 34, kDeterminant = 17, kLogarithm = 20;
  const double law = count_stress_flops(std::get<material::Muscle>(tissue.law));
  const double averaging = tissue.average_dilatation ? kGradient + kDeterminant - kLogarithm : 0;
  return law + kGradient + kForces + averaging;
}

// Bytes that one evaluation must move a tetrahedron: the kernel's arrays, and at each node
// positions read, forces read and written.
template <class Real>
double bytes_a_tet(const tet::Model& model, const tet::Kernel<Real>& kernel) {
  const auto nodes = static_cast<double>(model.rest_positions.size());
  return (static_cast<double>(kernel.bytes()) + nodes * 9 * sizeof(Real)) /
         static_cast<double>(model.tets.size());
}

struct Measurement {
  int repeats;
  const MachinePeaks& peaks;
  std::string size, threads;  // in the names of figures
};

template <class Real>
void measure(const tet::Model& model, const std::string& law, const Measurement& m,
             std::vector<Figure>& figures) {
  constexpr bool kFloat = sizeof(Real) == sizeof(float);
  tet::Kernel<Real> kernel(model);
  tet::KernelInput input{std::vector<double>(model.regions.size(), kActivation),
                         std::vector<double>(model.bodies.size(), 1.0), tet::Continuation::kStress};
  Field3<Real> forces;
  const auto name = [&](const std::string& what) {
    return fmt::format("{}.{}.{}.{}.{}", what, law, kFloat ? "float" : "double", m.size, m.threads);
  };
  const auto rate = [&](double height) {
    const Field3<Real> positions = deform<Real>(model, height);
    const double ms =
        best_milliseconds(m.repeats, [&] { kernel.compute_forces(input, positions, forces); });
    return static_cast<double>(model.tets.size()) / ms * 1e3;
  };
  const double hybrid = rate(0.98), svd = rate(-0.1);
  figures.push_back({name("hybrid"), hybrid / 1e6, "Mtets/s"});
  figures.push_back({name("svd"), svd / 1e6, "Mtets/s"});
  const double peak = kFloat ? m.peaks.float_flops : m.peaks.double_flops;
  figures.push_back(
      {name("part_of_peak"), hybrid * flops_a_tet(model.tissues.front()) / peak, "1"});
  figures.push_back(
      {name("part_of_bandwidth"), hybrid * bytes_a_tet(model, kernel) / m.peaks.bandwidth, "1"});
  figures.push_back({name("bytes"),
                     static_cast<double>(kernel.bytes()) / static_cast<double>(model.tets.size()),
                     "B/tet"});
}

void measure_eigen(const tet::Model& model, int repeats, double kernel_rate,
                   std::vector<Figure>& figures) {
  EigenLoop loop(model, kActivation);
  const auto add = [&](const std::string& name, EigenSvd svd) {
    const double ms = best_milliseconds(std::min(repeats, 3), [&] { loop.evaluate(svd); });
    const double rate = static_cast<double>(model.tets.size()) / ms / 1e3;
    figures.push_back({"eigen." + name, rate, "Mtets/s"});
    figures.push_back({"ratio_to_eigen." + name, kernel_rate / rate, "1"});
  };
  add("none", EigenSvd::kNone);
  add("direct", EigenSvd::kDirect);
  add("jacobi", EigenSvd::kJacobi);
}

double find(const std::vector<Figure>& figures, const std::string& name) {
  for (const Figure& figure : figures) {
    if (figure.name == name) return figure.value;
  }
  return 0;
}

}  // namespace

std::vector<Figure> bench_tet_kernel(int repeats, int threads) {
  std::vector<Figure> figures;
  figures.push_back({fmt::format("instruction_set.{}", name_of(instruction_set())), 1, "1"});
  for (const double resolution : {0.0076, 0.0035}) {
    tet::Model model = make_torus(resolution);
    const material::Material muscle = model.tissues.front();
    const std::string size = resolution > 0.005 ? "100k" : "1M";
    figures.push_back({"tets." + size, static_cast<double>(model.tets.size()), "1"});
    for (const int used : std::set<int>{1, threads}) {
      const ThreadLimit limit(used);
      const MachinePeaks peaks = measure_machine(repeats, used);
      const Measurement m{repeats, peaks, size, fmt::format("{}thread", used)};
      if (size == "100k") {
        figures.push_back({"peak.float." + m.threads, peaks.float_flops / 1e9, "Gflop/s"});
        figures.push_back({"peak.double." + m.threads, peaks.double_flops / 1e9, "Gflop/s"});
        figures.push_back({"bandwidth." + m.threads, peaks.bandwidth / 1e9, "GB/s"});
      }
      model.tissues.front() = muscle;
      measure<float>(model, "muscle", m, figures);
      measure<double>(model, "muscle", m, figures);
      model.tissues.front() = material::make_preset("teran2005");
      measure<float>(model, "teran2005", m, figures);
      measure<double>(model, "teran2005", m, figures);
    }
    if (size == "100k") {
      measure_eigen(model, repeats, find(figures, "hybrid.teran2005.float.100k.1thread"), figures);
    }
  }
  return figures;
}

}  // namespace sinew::bench
