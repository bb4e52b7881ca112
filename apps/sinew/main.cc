// The command `sinew`: reads the command line and hands over to a verb.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "sinew/core/error.h"
#include "sinew/core/interrupt.h"
#include "sinew/core/kept_inputs.h"
#include "sinew/core/parallel.h"
#include "sinew/core/text.h"
#include "sinew/core/version.h"
#include "sinew/engine/tissue_engine.h"

#include "live.h"
#include "report.h"
#include "say.h"
#include "verbs.h"
#include "view.h"

namespace {

using namespace sinew;
using namespace sinew::app;

// What all verbs share while the command line is read; its verbs keep a reference to it.
struct Command {
  CLI::App app{"Sinew: volumetric muscles and soft tissue, simulated, recorded and looked at",
               "sinew"};
  bool json = false;
  int threads = 0;  // 0: as many as the machine has
  int code = kSuccess;
};

int count_threads(const Command& command) {
  return command.threads > 0 ? command.threads : hardware_threads();
}

CLI::App* add_verb(CLI::App& app, const std::string& name, const std::string& description,
                   const std::string& example) {
  CLI::App* verb = app.add_subcommand(name, description);
  verb->footer("Example:\n  " + example);
  return verb;
}

// As CLI::IsMember, with the word that was probably meant.
CLI::Validator one_of(std::vector<std::string> words) {
  const std::vector<std::string_view> shown(words.begin(), words.end());
  const std::string what = join(shown);
  return {[words = std::move(words), what](const std::string& word) -> std::string {
            const std::vector<std::string_view> known(words.begin(), words.end());
            if (std::find(known.begin(), known.end(), word) != known.end()) return {};
            return fmt::format("\"{}\" is none of {}{}", printable(word), what,
                               did_you_mean(word, known));
          },
          "{" + what + "}"};
}

// Runs a verb and says what went wrong in one line, never with a stack trace.
int guarded(const std::string& name, bool json, const std::function<int()>& verb) {
  const auto fail = [&](int code, const std::string& message) {
    say(stderr, "sinew {}: {}\n", name, message);
    try {
      if (json) print({name, false, {}, {}, {}, message}, true);
    } catch (const InputError&) {  // the message has been said on standard error
      return kBadInput;
    }
    return code;
  };
  const KeptInputs inputs;
  try {
    return verb();
  } catch (const Interrupted& e) {
    return fail(128 + e.signal(), e.what());
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

// Makes a verb one that prints a report, which all but view and live do.
void report(Command& command, CLI::App* verb, const std::function<Report()>& body) {
  verb->add_flag("--json", command.json, "Print one JSON document instead of a table");
  verb->add_option("--threads", command.threads,
                   "Threads to use (default: all); results are the same")
      ->check(CLI::Range(1, 1024));
  verb->callback([&command, verb, body] {
    command.code = guarded(verb->get_name(), command.json, [&] {
      const ThreadLimit limit(count_threads(command));
      const Report result = body();
      print(result, command.json);
      return result.ok ? kSuccess : kRunFailed;
    });
  });
}

void add_phantom(Command& command) {
  const auto options = std::make_shared<PhantomOptions>();
  CLI::App* verb =
      add_verb(command.app, "phantom", "Write a built-in anatomy: label volume and model file",
               "sinew phantom arm -o arm && sinew build arm/model.toml");
  verb->add_option("name", options->name, "Which one")
      ->required()
      ->check(one_of({"arm", "eye", "calf"}));
  verb->add_option("-o,--output", options->output, "Folder (default: NAME)");
  verb->add_option("--voxel", options->voxel, "Edge of a voxel, m")->check(CLI::PositiveNumber);
  verb->add_flag("-q,--quiet", options->quiet, "No word of what comes next");
  report(command, verb, [options] { return phantom(*options); });
}

void add_build(Command& command) {
  const auto options = std::make_shared<BuildOptions>();
  CLI::App* verb =
      add_verb(command.app, "build", "Make a model of a label volume or surfaces",
               "sinew build arm/model.toml -o out/arm    # then look at out/arm/report.html");
  verb->add_option("model", options->path, "Model file (TOML)")->required();
  verb->add_option("-o,--output", options->output, "Folder (default: out/NAME)");
  verb->add_option("--data", options->data, "Folder of the files that the model file names");
  verb->add_option("--volume", options->volume, "Label volume instead of the model file's");
  verb->add_flag("-q,--quiet", options->quiet, "No progress");
  report(command, verb, [options] { return build(*options); });
}

void add_run(Command& command) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* verb = add_verb(command.app, "run", "Simulate a scene and record it",
                            "sinew run scenes/torus-puddle.toml -o out/puddle");
  verb->add_option("scene", options->scene, "Scene file (TOML)")->required();
  verb->add_option("-o,--output", options->output, "Folder of the run (default: out/NAME)");
  verb->add_flag("--resume", options->resume, "Go on from the folder's last checkpoint");
  verb->add_flag("-q,--quiet", options->quiet, "No progress");
  report(command, verb, [options] { return run(*options); });
}

void add_check(Command& command) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* verb =
      add_verb(command.app, "check",
               "Validate a scene, a recording, a volume, a mesh, a surface, a model or a motion",
               "sinew check out/torus-puddle");
  verb->add_option("path", options->path,
                   "Scene, model file, recording, label volume, tetrahedral mesh, surface, OpenSim "
                   "model (.osim), motion (.mot, .sto, .trc, .bvh), or the folder of a run or "
                   "model")
      ->required();
  report(command, verb, [options] { return check(*options); });
}

void add_export(Command& command) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* verb =
      add_verb(command.app, "export", "Write a recording for other programs",
               "sinew export out/torus-puddle --to vtu    # for ParaView: open vtu/surface.pvd");
  verb->add_option("recording", options->path, "Folder of a run or recording file")->required();
  verb->add_option("--to", options->format, "Format")
      ->required()
      ->check(one_of({"vtu", "obj", "csv", "png"}));
  verb->add_option("-o,--output", options->output, "Folder (default: in the run's)");
  verb->add_option("--first", options->first, "First frame")->check(CLI::NonNegativeNumber);
  verb->add_option("--last", options->last, "Last frame")->check(CLI::NonNegativeNumber);
  verb->add_option("--stride", options->stride, "Take every n-th frame")
      ->check(CLI::Range(1, 1000000));
  report(command, verb, [options] { return export_recording(*options); });
}

void add_compare(Command& command) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* verb = add_verb(command.app, "compare", "Measure how far two recordings are apart",
                            "sinew compare out/bar-tet out/bar-eulerian -o compare.csv");
  verb->add_option("first", options->first, "Folder of a run or recording file")->required();
  verb->add_option("second", options->second, "Another one")->required();
  verb->add_option("--body", options->bodies,
                   "NAME or A=B: bodies that belong together (default: equal names)");
  verb->add_option("-o,--output", options->output, "Table of all moments (.csv)");
  verb->add_option("--stride", options->stride, "Take every n-th common frame")
      ->check(CLI::Range(1, 1000000));
  report(command, verb, [options] { return compare(*options); });
}

void add_ik(Command& command) {
  const auto options = std::make_shared<IkOptions>();
  CLI::App* verb = add_verb(command.app, "ik",
                            "Find the motion of a skeleton from recorded markers or from goals",
                            "sinew ik arm26.osim elbow_flex.trc -o elbow_flex.mot");
  verb->add_option("model", options->model, "OpenSim model (.osim) or DH table (.toml)")
      ->required();
  verb->add_option("markers", options->markers, "Recorded markers (.trc)");
  CLI::Option* goals =
      verb->add_option("--goals", options->goals,
                       "Instead of markers: points of bodies and where they should be (.toml)");
  verb->add_option("-o,--output", options->output, "Motion to write (.mot)")->required();
  verb->add_option("--setup", options->setup,
                   "OpenSim setup file with the markers' tasks and the time range")
      ->excludes(goals);
  verb->add_option("--weight", options->weights,
                   "NAME=VALUE: a marker's weight (default: 1; 0: not used); may be repeated")
      ->excludes(goals);
  verb->add_option("--from", options->from, "First time, s")->excludes(goals);
  verb->add_option("--to", options->to, "Last time, s")->excludes(goals);
  report(command, verb, [options] { return ik(*options); });
}

void add_activations(Command& command) {
  const auto options = std::make_shared<ActivationsOptions>();
  CLI::App* verb =
      add_verb(command.app, "activations", "Find the muscle activations that a motion needs",
               "sinew activations arm26.osim elbow_flex.mot -o act.sto");
  verb->add_option("model", options->model, "OpenSim model (.osim)")->required();
  verb->add_option("motion", options->motion, "Motion (.mot, .sto)")->required();
  verb->add_option("-o,--output", options->output,
                   "Activations to write (.sto); forces and reserves go beside it")
      ->required();
  verb->add_option("--loads", options->loads,
                   "Measured forces on bodies: OpenSim ExternalLoads file (.xml)");
  verb->add_option("--ignore", options->ignore,
                   "Leave out a force of the model by NAME, or all of a TYPE; may be repeated")
      ->allow_extra_args(false);
  verb->add_option("--cutoff", options->cutoff,
                   "Low-pass filter of the motion, Hz (default: 6; 0: none)")
      ->check(CLI::Range(0.0, 1e6));
  verb->add_option("--exponent", options->exponent,
                   "Minimise the sum of activations to this power (default: 2)")
      ->check(CLI::Range(1.0, 20.0));
  verb->add_flag("--quasi-static", options->quasi_static,
                 "Each pose at rest, without rates and accelerations");
  verb->add_flag("--passive", options->passive, "Count passive forces of stretched fibres");
  verb->add_option("--wrap", options->wrap, "How paths wrap (default: geodesic)")
      ->check(one_of({"geodesic", "opensim"}));
  report(command, verb, [options] { return activations(*options); });
}

void add_lab(Command& command) {
  const auto options = std::make_shared<LabOptions>();
  CLI::App* verb =
      add_verb(command.app, "lab", "Run an experiment of the muscle lab; without a name: list them",
               "sinew lab tension-length    # then look at out/lab/tension-length/index.html");
  verb->add_option("name", options->name, "Which one");
  verb->add_option("-o,--output", options->output, "Folder (default: out/lab/NAME)");
  verb->add_option("--on", options->models, "Models that take part (default: all)")
      ->delimiter(',')
      ->check(one_of({"line", "tets", "bricks", "grids"}));
  verb->add_option("--emit", options->emit,
                   "Do not run: write the cases as input of FEBio (feb) or CalculiX (inp)")
      ->check(one_of({"feb", "inp"}));
  report(command, verb, [&command, options] {
    options->json = command.json;
    return lab(*options);
  });
}

void add_calibrate(Command& command) {
  const auto options = std::make_shared<CalibrateOptions>();
  CLI::App* verb = add_verb(
      command.app, "calibrate", "Make a model's muscles as strong as their lines of action",
      "sinew calibrate out/arm --muscle brachialis    # then calibrated = true in [[models]]");
  verb->add_option("model", options->model, "Folder of a built model")->required();
  verb->add_option("--muscle", options->muscles,
                   "Name of a muscle (default: all); may be repeated");
  verb->add_option("--tolerance", options->tolerance, "Of the line's force (default: 0.01)")
      ->check(CLI::Range(1e-3, 0.5));
  verb->add_flag("-q,--quiet", options->quiet, "No progress");
  report(command, verb, [options] { return calibrate(*options); });
}

void add_bench(Command& command) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App* verb =
      add_verb(command.app, "bench", "Measure the speed of this machine", "sinew bench tet --json");
  verb->add_option("name", options->name, "Which one")
      ->required()
      ->check(one_of({"step", "tet", "implicit", "brick", "eulerian", "build", "skeleton"}));
  verb->add_option("--repeats", options->repeats, "Best of so many")->check(CLI::Range(1, 1000));
  verb->add_option("--data", options->data,
                   "Folder of models for skeleton (default: SINEW_DATA, or ../shared/data)");
  report(command, verb, [&command, options] {
    options->threads = count_threads(command);
    return bench(*options);
  });
}

void add_view(Command& command) {
  const auto options = std::make_shared<ViewOptions>();
  CLI::App* verb = add_verb(command.app, "view",
                            "Look at a recording or a built model in the browser (127.0.0.1 only)",
                            "sinew view out/torus-puddle");
  verb->add_option("path", options->path,
                   "Folder of a run, recording file, or folder of a built model")
      ->required();
  verb->add_option("--port", options->port, "First port to try; 0: any free one")
      ->check(CLI::Range(0, 65535));
  verb->callback([&command, options] {
    command.code = guarded("view", false, [&] { return view(*options); });
  });
}

void add_live(Command& command) {
  const auto options = std::make_shared<LiveOptions>();
  CLI::App* verb = add_verb(
      command.app, "live", "Run a scene on and on and steer it in the browser (127.0.0.1 only)",
      "sinew live scenes/live-muscle.toml    # drag the muscle, move the sliders");
  verb->add_option("scene", options->scene, "Scene file (TOML)")->required();
  verb->add_option("-o,--output", options->output,
                   "Folder of what is recorded (default: out/NAME-live)");
  verb->add_option("--rate", options->frame_rate, "Frames a simulated second")
      ->check(CLI::Range(1.0, 1000.0));
  verb->add_option("--port", options->port, "First port to try; 0: any free one")
      ->check(CLI::Range(0, 65535));
  verb->add_option("--threads", command.threads, "Threads to use (default: all)")
      ->check(CLI::Range(1, 1024));
  verb->callback([&command, options] {
    command.code = guarded("live", false, [&] {
      const ThreadLimit limit(count_threads(command));
      return live(*options);
    });
  });
}

// What CLI11 says only that it lacks or does not expect, and what was probably meant.
std::string explain_verb(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  const std::vector<std::string_view> known(names.begin(), names.end());
  return fmt::format("sinew: \"{}\" is no verb{}; known are {}", printable(word),
                     did_you_mean(word, known), join(known));
}

std::string explain_option(const CLI::App& verb, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  return fmt::format("sinew {0}: \"{1}\" was not expected{2}; \"sinew {0} --help\" shows what is",
                     verb.get_name(), printable(word), did_you_mean(word, known));
}

int exit_of(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining(true);
  if (error.get_exit_code() == 0) return app.exit(error);  // help or version, on standard output
  if (unknown.empty()) {
    say(stderr, "{}\nRun with --help for more information.\n", error.what());
    return kBadInput;
  }
  const std::vector<CLI::App*> verbs = app.get_subcommands();  // those of the command line
  say(stderr, "{}\n",
      verbs.empty() ? explain_verb(app, unknown[0]) : explain_option(*verbs[0], unknown[0]));
  return kBadInput;
}

int start(int argc, char** argv) {
  Command command;
  CLI::App& app = command.app;
  app.set_version_flag("--version", std::string("sinew ") + kVersion);
  app.footer(
      "Start with:\n"
      "  sinew run scenes/torus-puddle.toml && sinew view out/torus-puddle\n"
      "  sinew phantom arm -o arm && sinew build arm/model.toml && sinew view out/arm\n"
      "  sinew live scenes/live-muscle.toml\n"
      "  sinew VERB --help    # each with an example");
  app.require_subcommand(1);
  add_phantom(command);
  add_build(command);
  add_run(command);
  add_check(command);
  add_export(command);
  add_compare(command);
  add_ik(command);
  add_activations(command);
  add_lab(command);
  add_calibrate(command);
  add_bench(command);
  add_view(command);
  add_live(command);
  if (argc < 2) {
    std::fputs(app.help().c_str(), stderr);
    return kBadInput;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return exit_of(app, e);
  }
  return command.code;
}

// Files must not get the numbers of standard streams that are closed, or words for them would be
// written into a recording. Input and output stay as useless as they were; words of progress are
// not missed.
void fill_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    if (::open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY) < 0) return;
  }
}

// Where memory runs out in a thread of a library, or while an error is told, nothing can be thrown
// any more. The end is then at once: what was recorded lies on the disk.
[[noreturn]] void end_at_once() {
  std::string_view reason;
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    reason = "sinew: not enough memory; a coarser resolution needs less\n";
  } catch (const std::system_error&) {
    reason = "sinew: the system gives no more threads or memory\n";
  } catch (const std::exception& fault) {
    say(stderr, "sinew: {}\n", fault.what());
    std::abort();
  } catch (...) {
    std::abort();
  }
  // Straight to the system: nothing that might want memory.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, reason.data(), reason.size());
  std::_Exit(kRunFailed);
}

// Libraries start threads as they are loaded, before main(): they may be short of memory, too.
void prepare_end(int, char**, char**) {
  std::set_terminate(end_at_once);
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)(int, char**,
                                                                             char**) = prepare_end;

// What was said may still be on its way, also by the parser of the command line: an exit code of 0
// promises that it has arrived.
int finish(int code) {
  if (code != kSuccess) return code;
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout) return code;
  say(stderr, "sinew: standard output cannot be written\n");
  return kBadInput;
}

}  // namespace

int main(int argc, char** argv) {
  fill_standard_streams();
  // A file that grows beyond the limit of its size is an error like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return finish(start(argc, argv));
  } catch (...) {
    std::fputs("sinew: failed before it could start; is there memory left?\n", stderr);
    return kRunFailed;
  }
}
