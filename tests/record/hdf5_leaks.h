// libhdf5 1.10 forgets some of its own memory when it gives up on a damaged file. A program that
// defines the function below to return kKnownLeaks tells the leak checker of sanitized builds, so
// that leaks of ours still show.
#pragma once

namespace sinew::record {

inline constexpr const char* kKnownLeaks = "leak:libhdf5";

}  // namespace sinew::record

extern "C" const char* known_hdf5_leaks() __asm__("__lsan_default_suppressions");
