#include "step.h"
#include "verbs.h"

namespace sinew::app {

Report bench(const BenchOptions& options) {
  Report report{"bench", true, {}, {}, {}, ""};
  for (const bench::Figure& figure : bench::bench_step(options.repeats, options.threads)) {
    report.rows.push_back({figure.name, figure.value, figure.unit, "", {}});
  }
  return report;
}

}  // namespace sinew::app
