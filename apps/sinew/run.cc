#include "sinew/scene/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/interrupt.h"
#include "sinew/record/recording.h"
#include "sinew/record/summary.h"

#include "say.h"
#include "verbs.h"

namespace sinew::app {
namespace {

std::string format_seconds(double seconds) {
  const long s = std::lround(seconds);
  if (s < 60) return fmt::format("{} s", s);
  return fmt::format("{} min {:02} s", s / 60, s % 60);
}

// Progress on standard error: a moving bar on a terminal, a line now and then elsewhere.
class Progress {
 public:
  explicit Progress(bool quiet) : quiet_(quiet), bar_(is_terminal()) {}

  void show(const scene::RunProgress& p) {
    warn_halvings(*p.state, p.time);
    if (quiet_) return;
    if (first_frame_ == kNone) first_frame_ = p.frame;
    const std::size_t last = p.planned_frames - 1;
    const double done = last == 0 ? 1 : static_cast<double>(p.frame) / static_cast<double>(last);
    const double spent = std::chrono::duration<double>(Clock::now() - start_).count();
    const std::size_t made = p.frame - first_frame_;
    const std::string eta =
        made == 0 || p.frame == last
            ? ""
            : fmt::format("ETA {}", format_seconds(spent / static_cast<double>(made) *
                                                   static_cast<double>(last - p.frame)));
    if (bar_) {
      const auto filled = static_cast<int>(done * 30);
      say(stderr, "\r  [{:=<{}}{: <{}}] {:3.0f} %  {:.2f} / {:.2f} s  {:<20}", "", filled, "",
          30 - filled, done * 100, p.time, p.duration, eta);
      if (p.frame == last) say(stderr, "\n");
    } else if (p.frame == last || p.frame >= next_line_) {
      say(stderr, "  frame {} of {}, {:.2f} / {:.2f} s  {}\n", p.frame, last, p.time, p.duration,
          eta);
      next_line_ = p.frame + std::max<std::size_t>(1, last / 10);
    }
    std::fflush(stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // A step that failed, or one that did not converge, is said, whatever else is quiet.
  void warn_halvings(const engine::Frame& frame, double time) const {
    for (const engine::Measure& m : frame.certificate) {
      if (m.value == 0) continue;
      if (m.name == "halved_steps") {
        leave_bar();
        say(stderr, "warning: until {:.3f} s {} steps failed and were halved\n", time, m.value);
      }
      if (m.name == "tamed_steps") {
        leave_bar();
        say(stderr,
            "warning: until {:.3f} s {} steps were too wild at any length: what moved "
            "within the bodies was stopped, and its energy is lost\n",
            time, m.value);
      }
      if (m.name == "unconverged_steps") {
        leave_bar();
        say(stderr,
            "warning: until {:.3f} s {} steps were kept although their solve did not "
            "reach its tolerance\n",
            time, m.value);
      }
    }
  }

  void leave_bar() const {
    if (bar_) say(stderr, "\n");
  }

  bool quiet_, bar_;
  Clock::time_point start_ = Clock::now();
  std::size_t first_frame_ = kNone;
  std::size_t next_line_ = 0;
};

// Of the whole run, frames from before a resume too: as the recording has them. What is beyond a
// limit of the scene is said, whatever else is quiet.
void add_figures(const std::string& folder, Report& report) {
  std::vector<CheckRow> rows = record::summarize(record::RecordingReader(folder));
  // Wall-clock times are no part of what must be the same in every run.
  std::erase_if(rows, [](const CheckRow& row) { return row.unit == "ms"; });
  for (const CheckRow& row : rows) {
    if (row.pass) continue;
    say(stderr,
        "warning: {} is {:.6g}, allowed is {}: the run is not to be trusted (its frames are "
        "kept); shorter steps may help, or set [limits] in the scene\n",
        row.name, row.value, row.limit);
  }
  add_rows(rows, report);
}

}  // namespace

// Ctrl-C and SIGTERM end a run after the frame that is being made, at which a checkpoint is kept.
class Ending {
 public:
  void begin() { interrupts_.emplace(make_notice("")); }
  // How long a frame may take is known from those before.
  void note_frame() {
    if (!interrupts_) return;
    const double spent = std::chrono::duration<double>(Clock::now() - last_).count();
    last_ = Clock::now();
    if (frames_++ == 0) return;
    slowest_ = std::max(slowest_, spent);
    interrupts_->set_notice(make_notice(fmt::format(", which took up to {:.1f} s", slowest_)));
  }
  bool is_due() {
    signal_ = interrupts_->take();
    return signal_ != 0;
  }
  int signal() const { return signal_; }
  // A run that is over has no need of it.
  void end() {
    if (interrupts_) interrupts_->take();
    interrupts_.reset();
  }

 private:
  using Clock = std::chrono::steady_clock;

  static std::string make_notice(const std::string& duration) {
    return fmt::format(
        "\nending after this frame{}, with a checkpoint to go on from; again: at once\n", duration);
  }

  std::optional<Interrupts> interrupts_;
  Clock::time_point last_ = Clock::now();
  std::size_t frames_ = 0;
  double slowest_ = 0;  // s
  int signal_ = 0;
};

Report run(const RunOptions& options) {
  const scene::Scene scene = scene::read_scene(options.scene);
  warn(scene.notes);
  if (scene.skeleton) warn(scene.skeleton->notes);
  const std::string folder = options.output.empty() ? "out/" + scene.name : options.output;
  if (!options.quiet) say(stderr, "{} -> {}\n", options.scene, folder);
  Progress progress(options.quiet);
  const auto start = std::chrono::steady_clock::now();
  Ending ending;
  const scene::RunResult result =
      scene::run(scene, {folder, options.resume,
                         [&](const scene::RunProgress& p) {
                           progress.show(p);
                           ending.note_frame();
                         },
                         [&] { ending.begin(); },
                         [](const std::string& note) { say(stderr, "  note: {}\n", note); },
                         [&] { return ending.is_due(); }});
  ending.end();
  if (!result.finished) {
    throw Interrupted(
        ending.signal(),
        fmt::format("ended after frame {} of {}; `sinew run {} -o {} --resume` goes "
                    "on from there",
                    result.frames - 1, scene::last_frame(scene), options.scene, folder));
  }
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  Report report{"run", true, {}, {}, {folder}, ""};
  report.rows.push_back({"frames", static_cast<double>(result.frames), "1", "", {}});
  if (options.resume) {
    report.rows.push_back(
        {"resumed_from_frame", static_cast<double>(result.resumed_from), "1", "", {}});
  }
  report.rows.push_back({"wall_time", wall, "s", "", {}});
  add_figures(folder, report);
  report.state_hash = fmt::format("{:016x}", result.state_hash);
  return report;
}

}  // namespace sinew::app
