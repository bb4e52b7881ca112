// The API of a live session: what it simulates, a stream of snapshots, messages that steer it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "sinew/live/broadcast.h"
#include "sinew/live/session.h"

#include "api.h"

namespace sinew::app {

class LiveApi : public Api {
 public:
  // Streams a page may hold at once, together; each keeps a connection of the server.
  static constexpr std::size_t kMaxStreams = 16;

  // Starts the session.
  explicit LiveApi(live::LiveRun run);
  ~LiveApi() override;

  const char* page() const override { return "/live.html"; }
  Reply answer(const std::string& path, const std::string& from) override;
  std::string message_path() const override { return "/api/live/command"; }
  Reply obey(const std::string& message) override;
  std::string stream_path() const override { return "/api/live/stream"; }
  std::unique_ptr<Stream> open_stream() override;
  void end() override;

 private:
  class PageStream;
  Reply describe() const;
  std::uint64_t read(const std::string& message);
  bool wait_until_seen(std::uint64_t page, std::uint64_t sent);
  void close_page(std::uint64_t page);

  live::Broadcast broadcast_;
  live::Session session_;
  const std::string started_;  // tells one session from another
  std::mutex mutex_;           // of the following
  // Snapshots that each page said it has drawn; absent: it does not say, and gets all it can take.
  std::map<std::uint64_t, std::optional<std::uint64_t>> pages_;
  std::condition_variable seen_;
  bool ended_ = false;
  std::uint64_t last_page_ = 0;
};

}  // namespace sinew::app
