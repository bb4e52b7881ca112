// Bytes packed on the way into a string, piece by piece. For the writers of volumes.
#pragma once

#include <memory>
#include <span>
#include <string>

struct z_stream_s;

namespace sinew::volume {

enum class Wrapper { kGzip, kZlib };

class Deflater {
 public:
  explicit Deflater(Wrapper wrapper);
  ~Deflater();
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void add(std::span<const char> bytes);
  // Ends the packed data and hands them over; nothing may be added after it.
  std::string finish();

 private:
  void run(int flush);

  std::unique_ptr<z_stream_s> stream_;
  std::string packed_;
};

}  // namespace sinew::volume
