// The command `sinew`: reads the command line and hands over to a verb.
#include <cstdio>
#include <exception>
#include <functional>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/version.h"
#include "sinew/engine/tissue_engine.h"

#include "live.h"
#include "report.h"
#include "verbs.h"
#include "view.h"

namespace {

using namespace sinew;
using namespace sinew::app;

struct Common {
  bool json = false;
  int threads = 0;  // 0: as many as the machine has
};

void add_common(CLI::App& verb, Common& common) {
  verb.add_flag("--json", common.json, "Print one JSON document instead of a table");
  verb.add_option("--threads", common.threads,
                  "Threads to use (default: all); results are the same")
      ->check(CLI::Range(1, 1024));
}

CLI::App* add_verb(CLI::App& app, const std::string& name, const std::string& description,
                   const std::string& example) {
  CLI::App* verb = app.add_subcommand(name, description);
  verb->footer("Example:\n  " + example);
  return verb;
}

// Runs a verb and says what went wrong in one line, never with a stack trace.
int guarded(const std::string& name, bool json, const std::function<int()>& verb) {
  const auto fail = [&](int code, const std::string& message) {
    fmt::print(stderr, "sinew {}: {}\n", name, message);
    if (json) print({name, false, {}, {}, {}, message}, true);
    return code;
  };
  try {
    return verb();
  } catch (const InputError& e) {
    return fail(kBadInput, e.what());
  } catch (const engine::StepFailure& e) {
    return fail(kRunFailed, std::string(e.what()) + "; what was recorded until then is kept");
  } catch (const std::bad_alloc&) {
    return fail(kRunFailed, "not enough memory; a coarser resolution needs less");
  } catch (const std::exception& e) {
    return fail(kRunFailed, e.what());
  }
}

int start(int argc, char** argv) {
  CLI::App app{"Sinew: volumetric muscles and soft tissue, simulated, recorded and looked at"};
  app.set_version_flag("--version", std::string("sinew ") + kVersion);
  app.footer("Start with:\n  sinew run scenes/torus-puddle.toml\n  sinew view out/torus-puddle");
  app.require_subcommand(1);
  Common common;
  int code = kSuccess;

  PhantomOptions phantom_options;
  CLI::App* phantom_verb =
      add_verb(app, "phantom", "Write a built-in anatomy: label volume and model file",
               "sinew phantom arm -o arm && sinew build arm/model.toml");
  phantom_verb->add_option("name", phantom_options.name, "Which one")
      ->required()
      ->check(CLI::IsMember({"arm", "eye", "calf"}));
  phantom_verb->add_option("-o,--output", phantom_options.output, "Folder (default: NAME)");
  phantom_verb->add_option("--voxel", phantom_options.voxel, "Edge of a voxel, m");

  BuildOptions build_options;
  CLI::App* build_verb =
      add_verb(app, "build", "Make a model of a label volume or surfaces",
               "sinew build arm/model.toml -o out/arm    # then look at out/arm/report.html");
  build_verb->add_option("model", build_options.path, "Model file (TOML)")->required();
  build_verb->add_option("-o,--output", build_options.output, "Folder (default: out/NAME)");
  build_verb->add_option("--data", build_options.data,
                         "Folder of the files that the model file names");
  build_verb->add_option("--volume", build_options.volume,
                         "Label volume instead of the model file's");
  build_verb->add_flag("-q,--quiet", build_options.quiet, "No progress");

  RunOptions run_options;
  CLI::App* run_verb = add_verb(app, "run", "Simulate a scene and record it",
                                "sinew run scenes/torus-puddle.toml -o out/puddle");
  run_verb->add_option("scene", run_options.scene, "Scene file (TOML)")->required();
  run_verb->add_option("-o,--output", run_options.output, "Folder of the run (default: out/NAME)");
  run_verb->add_flag("--resume", run_options.resume, "Go on from the folder's last checkpoint");
  run_verb->add_flag("-q,--quiet", run_options.quiet, "No progress");

  CheckOptions check_options;
  CLI::App* check_verb = add_verb(
      app, "check", "Validate a scene, a recording, a volume, a mesh, a surface or a model",
      "sinew check out/torus-puddle");
  check_verb
      ->add_option("path", check_options.path,
                   "Scene, model file, recording, label volume, tetrahedral mesh, surface, or "
                   "the folder of a run or model")
      ->required();

  ExportOptions export_options;
  CLI::App* export_verb =
      add_verb(app, "export", "Write a recording for other programs",
               "sinew export out/torus-puddle --to vtu    # for ParaView: open vtu/surface.pvd");
  export_verb->add_option("recording", export_options.path, "Folder of a run or recording file")
      ->required();
  export_verb->add_option("--to", export_options.format, "Format")
      ->required()
      ->check(CLI::IsMember({"vtu", "obj", "csv", "png"}));
  export_verb->add_option("-o,--output", export_options.output, "Folder (default: in the run's)");
  export_verb->add_option("--first", export_options.first, "First frame");
  export_verb->add_option("--last", export_options.last, "Last frame");
  export_verb->add_option("--stride", export_options.stride, "Take every n-th frame")
      ->check(CLI::Range(1, 1000000));

  CompareOptions compare_options;
  CLI::App* compare_verb = add_verb(app, "compare", "Measure how far two recordings are apart",
                                    "sinew compare out/bar-tet out/bar-eulerian -o compare.csv");
  compare_verb->add_option("first", compare_options.first, "Folder of a run or recording file")
      ->required();
  compare_verb->add_option("second", compare_options.second, "Another one")->required();
  compare_verb->add_option("--body", compare_options.bodies,
                           "NAME or A=B: bodies that belong together (default: equal names)");
  compare_verb->add_option("-o,--output", compare_options.output, "Table of all moments (.csv)");
  compare_verb->add_option("--stride", compare_options.stride, "Take every n-th common frame")
      ->check(CLI::Range(1, 1000000));

  IkOptions ik_options;
  CLI::App* ik_verb = add_verb(app, "ik", "Find the motion of a skeleton from recorded markers",
                               "sinew ik arm26.osim elbow_flex.trc -o elbow_flex.mot");
  ik_verb->add_option("model", ik_options.model, "OpenSim model (.osim)")->required();
  ik_verb->add_option("markers", ik_options.markers, "Recorded markers (.trc)")->required();
  ik_verb->add_option("-o,--output", ik_options.output, "Motion to write (.mot)")->required();
  ik_verb->add_option("--setup", ik_options.setup,
                      "OpenSim setup file with the markers' tasks and the time range");
  ik_verb->add_option("--weight", ik_options.weights,
                      "NAME=VALUE: a marker's weight (default: 1; 0: not used); may be repeated");
  ik_verb->add_option("--from", ik_options.from, "First time, s");
  ik_verb->add_option("--to", ik_options.to, "Last time, s");

  ActivationsOptions activations_options;
  CLI::App* activations_verb =
      add_verb(app, "activations", "Find the muscle activations that a motion needs",
               "sinew activations arm26.osim elbow_flex.mot -o act.sto");
  activations_verb->add_option("model", activations_options.model, "OpenSim model (.osim)")
      ->required();
  activations_verb->add_option("motion", activations_options.motion, "Motion (.mot, .sto)")
      ->required();
  activations_verb
      ->add_option("-o,--output", activations_options.output,
                   "Activations to write (.sto); forces and reserves go beside it")
      ->required();
  activations_verb->add_option("--loads", activations_options.loads,
                               "Measured forces on bodies: OpenSim ExternalLoads file (.xml)");
  activations_verb
      ->add_option("--cutoff", activations_options.cutoff,
                   "Low-pass filter of the motion, Hz (default: 6; 0: none)")
      ->check(CLI::Range(0.0, 1e6));
  activations_verb
      ->add_option("--exponent", activations_options.exponent,
                   "Minimise the sum of activations to this power (default: 2)")
      ->check(CLI::Range(1.0, 20.0));
  activations_verb->add_flag("--quasi-static", activations_options.quasi_static,
                             "Each pose at rest, without rates and accelerations");
  activations_verb->add_flag("--passive", activations_options.passive,
                             "Count passive forces of stretched fibres");
  activations_verb
      ->add_option("--wrap", activations_options.wrap, "How paths wrap (default: geodesic)")
      ->check(CLI::IsMember({"geodesic", "opensim"}));

  LabOptions lab_options;
  CLI::App* lab_verb =
      add_verb(app, "lab", "Run an experiment of the muscle lab; without a name: list them",
               "sinew lab tension-length    # then look at out/lab/tension-length/index.html");
  lab_verb->add_option("name", lab_options.name, "Which one");
  lab_verb->add_option("-o,--output", lab_options.output, "Folder (default: out/lab/NAME)");
  lab_verb->add_option("--on", lab_options.models, "Models that take part (default: all)")
      ->delimiter(',')
      ->check(CLI::IsMember({"line", "tets", "bricks", "grids"}));
  lab_verb
      ->add_option("--emit", lab_options.emit,
                   "Do not run: write the cases as input of FEBio (feb) or CalculiX (inp)")
      ->check(CLI::IsMember({"feb", "inp"}));

  CalibrateOptions calibrate_options;
  CLI::App* calibrate_verb = add_verb(
      app, "calibrate", "Make a model's muscles as strong as their lines of action",
      "sinew calibrate out/arm --muscle brachialis    # then calibrated = true in [[models]]");
  calibrate_verb->add_option("model", calibrate_options.model, "Folder of a built model")
      ->required();
  calibrate_verb->add_option("--muscle", calibrate_options.muscles,
                             "Name of a muscle (default: all); may be repeated");
  calibrate_verb
      ->add_option("--tolerance", calibrate_options.tolerance,
                   "Of the line's force (default: 0.01)")
      ->check(CLI::Range(1e-3, 0.5));
  calibrate_verb->add_flag("-q,--quiet", calibrate_options.quiet, "No progress");

  BenchOptions bench_options;
  CLI::App* bench_verb =
      add_verb(app, "bench", "Measure the speed of this machine", "sinew bench tet --json");
  bench_verb->add_option("name", bench_options.name, "Which one")
      ->required()
      ->check(CLI::IsMember({"step", "tet", "implicit", "brick", "eulerian", "build", "skeleton"}));
  bench_verb->add_option("--repeats", bench_options.repeats, "Best of so many")
      ->check(CLI::Range(1, 1000));
  bench_verb->add_option("--data", bench_options.data,
                         "Folder of models for skeleton (default: SINEW_DATA, or ../shared/data)");

  ViewOptions view_options;
  CLI::App* view_verb = add_verb(app, "view", "Look at a recording in the browser (127.0.0.1 only)",
                                 "sinew view out/torus-puddle");
  view_verb->add_option("path", view_options.path, "Folder of a run or recording file")->required();
  view_verb->add_option("--port", view_options.port, "First port to try; 0: any free one")
      ->check(CLI::Range(0, 65535));

  LiveOptions live_options;
  CLI::App* live_verb =
      add_verb(app, "live", "Run a scene on and on and steer it in the browser (127.0.0.1 only)",
               "sinew live scenes/live-muscle.toml    # drag the muscle, move the sliders");
  live_verb->add_option("scene", live_options.scene, "Scene file (TOML)")->required();
  live_verb->add_option("-o,--output", live_options.output,
                        "Folder of what is recorded (default: out/NAME-live)");
  live_verb->add_option("--rate", live_options.frame_rate, "Frames a simulated second")
      ->check(CLI::Range(1.0, 1000.0));
  live_verb->add_option("--port", live_options.port, "First port to try; 0: any free one")
      ->check(CLI::Range(0, 65535));
  live_verb->add_option("--threads", common.threads, "Threads to use (default: all)")
      ->check(CLI::Range(1, 1024));

  const auto report = [&](CLI::App* verb, const std::function<Report()>& body) {
    add_common(*verb, common);
    verb->callback([&, verb, body] {
      code = guarded(verb->get_name(), common.json, [&] {
        const int threads = common.threads > 0 ? common.threads : hardware_threads();
        const ThreadLimit limit(threads);
        bench_options.threads = threads;
        lab_options.json = common.json;
        const Report result = body();
        print(result, common.json);
        return result.ok ? kSuccess : kRunFailed;
      });
    });
  };
  report(phantom_verb, [&] { return phantom(phantom_options); });
  report(build_verb, [&] { return build(build_options); });
  report(run_verb, [&] { return run(run_options); });
  report(check_verb, [&] { return check(check_options); });
  report(export_verb, [&] { return export_recording(export_options); });
  report(compare_verb, [&] { return compare(compare_options); });
  report(ik_verb, [&] { return ik(ik_options); });
  report(activations_verb, [&] { return activations(activations_options); });
  report(lab_verb, [&] { return lab(lab_options); });
  report(calibrate_verb, [&] { return calibrate(calibrate_options); });
  report(bench_verb, [&] { return bench(bench_options); });
  live_verb->callback([&] {
    code = guarded("live", false, [&] {
      const ThreadLimit limit(common.threads > 0 ? common.threads : hardware_threads());
      return live(live_options);
    });
  });
  view_verb->callback([&] { code = guarded("view", false, [&] { return view(view_options); }); });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? kSuccess : kBadInput;
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return start(argc, argv);
  } catch (...) {
    std::fputs("sinew: failed before it could start; is there memory left?\n", stderr);
    return kRunFailed;
  }
}
