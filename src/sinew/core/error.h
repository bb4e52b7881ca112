// What can go wrong, and how it is said. Bad input is an InputError thrown at the border, with the
// file and the place; a broken invariant is a std::logic_error of SINEW_CHECK, always on. A method
// that does not converge is neither: it returns a report.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace sinew {

class InputError : public std::runtime_error {
 public:
  // `file` as the user named it; `place` such as "line 12", "bodies[0].resolution" or
  // "/frames/time", empty where the whole file is meant; `message` says what was found, what is
  // allowed and, where there is one, the fix.
  InputError(std::string file, std::string place, const std::string& message)
      : std::runtime_error(file + (place.empty() ? "" : ": " + place) + ": " + message),
        file_(std::move(file)),
        place_(std::move(place)) {}

  const std::string& file() const { return file_; }
  const std::string& place() const { return place_; }

 private:
  std::string file_;
  std::string place_;
};

[[noreturn]] void fail_check(const char* condition, const char* file, int line,
                             const std::string& message);

}  // namespace sinew

// An invariant of ours, checked in every build.
#define SINEW_CHECK(condition, message)                                               \
  do {                                                                                \
    if (!(condition)) ::sinew::fail_check(#condition, __FILE__, __LINE__, (message)); \
  } while (false)
