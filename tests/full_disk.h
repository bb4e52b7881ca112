// A disk without room, for a test: files of this process may not grow beyond so many bytes.
#pragma once

#include <csignal>
#include <cstddef>

#include <sys/resource.h>

namespace sinew {

class FullDisk {
 public:
  explicit FullDisk(std::size_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    const struct rlimit small { bytes, limit_.rlim_max };
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, before_);
  }

 private:
  void (*before_)(int);
  struct rlimit limit_ {};
};

}  // namespace sinew
