#include "brick.h"
#include "build.h"
#include "eulerian.h"
#include "implicit.h"
#include "skeleton.h"
#include "step.h"
#include "tet_kernel.h"
#include "verbs.h"

namespace sinew::app {
namespace {

std::vector<bench::Figure> measure(const BenchOptions& options) {
  if (options.name == "brick") return bench::bench_brick(options.repeats);
  if (options.name == "build") return bench::bench_build();
  if (options.name == "eulerian") return bench::bench_eulerian(options.repeats, options.threads);
  if (options.name == "skeleton") return bench::bench_skeleton(options.repeats, options.data);
  if (options.name == "tet") return bench::bench_tet_kernel(options.repeats, options.threads);
  if (options.name == "implicit") return bench::bench_implicit(options.repeats, options.threads);
  return bench::bench_step(options.repeats, options.threads);
}

}  // namespace

Report bench(const BenchOptions& options) {
  Report report{"bench", true, {}, {}, {}, ""};
  for (const bench::Figure& figure : measure(options)) {
    report.rows.push_back({figure.name, figure.value, figure.unit, "", {}});
  }
  return report;
}

}  // namespace sinew::app
