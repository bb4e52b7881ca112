// Ctrl-C and SIGTERM while something must not be cut off: the first is noted, said on standard
// error and waited with; the second ends the program at once, as both do where no Interrupts lives.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace sinew {

// The notice of whoever puts down what is ready.
inline constexpr std::string_view kWriting =
    "\nending as soon as the files are written; again: at once\n";

class Interrupts {
 public:
  // `notice` is what a first signal says. Signals that were ignored from outside (nohup) stay so.
  // One at a time.
  explicit Interrupts(std::string_view notice);
  // Ends the program by a signal that came and was not taken.
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  // What a signal says from now on; at most 200 bytes of it.
  void set_notice(std::string_view notice);
  // The signal that came, or 0. It counts as taken: whoever asks has to end.
  int take();
};

// What was asked to end has ended, and nothing is half done. The exit code is 128 + signal.
class Interrupted : public std::runtime_error {
 public:
  Interrupted(int signal, const std::string& message)
      : std::runtime_error(message), signal_(signal) {}
  int signal() const { return signal_; }

 private:
  int signal_;
};

}  // namespace sinew
