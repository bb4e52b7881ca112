#include "sinew/live/broadcast.h"

#include <utility>

namespace sinew::live {

void Broadcast::publish(std::string bytes) {
  {
    const std::lock_guard lock(mutex_);
    const std::uint64_t number = newest_ ? newest_->number + 1 : 1;
    newest_ = std::make_shared<const Message>(Message{number, std::move(bytes)});
  }
  changed_.notify_all();
}

void Broadcast::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

bool Broadcast::is_closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

std::shared_ptr<const Broadcast::Message> Broadcast::wait(std::uint64_t after,
                                                          std::chrono::milliseconds time) const {
  std::unique_lock lock(mutex_);
  const auto has_news = [&] { return newest_ && newest_->number > after; };
  changed_.wait_for(lock, time, [&] { return closed_ || has_news(); });
  return !closed_ && has_news() ? newest_ : nullptr;
}

}  // namespace sinew::live
