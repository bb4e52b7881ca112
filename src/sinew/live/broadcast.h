// The newest message, for any number of listeners: who is slow misses some, and holds up nobody.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace sinew::live {

class Broadcast {
 public:
  struct Message {
    std::uint64_t number;  // 1, 2, ...
    std::string bytes;
  };

  void publish(std::string bytes);
  // Listeners get nothing more, and those that wait return.
  void close();
  bool is_closed() const;

  // The newest message if it is later than `after`; else waits for one. Null where none came in
  // `time`, or it was closed.
  std::shared_ptr<const Message> wait(std::uint64_t after, std::chrono::milliseconds time) const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::shared_ptr<const Message> newest_;
  bool closed_ = false;
};

}  // namespace sinew::live
