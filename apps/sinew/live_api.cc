#include "live_api.h"

#include <chrono>
#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

#include "bodies_json.h"
#include "live_messages.h"
#include "message_json.h"

namespace sinew::app {

using nlohmann::json;

namespace {

constexpr auto kWait = std::chrono::seconds(1);
constexpr std::uint64_t kOnTheWay = 1;  // snapshots that a page has not drawn yet

json point_of(const Vec3f& x) {
  return json::array({x.x, x.y, x.z});
}

}  // namespace

// What one page sees: a greeting, then always the newest snapshot. When it ends, so does the page's
// pull, or a tab that was closed would pull for ever.
class LiveApi::PageStream : public Stream {
 public:
  PageStream(LiveApi& api, std::uint64_t page)
      : api_(api),
        page_(page),
        greeting_(std::make_shared<const std::string>(write_greeting(page))) {}
  ~PageStream() override { api_.close_page(page_); }
  PageStream(const PageStream&) = delete;
  PageStream& operator=(const PageStream&) = delete;

  std::shared_ptr<const std::string> next() override {
    if (!std::exchange(greeted_, true)) return greeting_;
    // What is on its way cannot be called back: behind a slow page it would grow old by seconds.
    // Only a write shows that a page has gone: one that may get no snapshot is greeted again.
    if (!api_.wait_until_seen(page_, sent_)) return greeting_;
    const auto message = api_.broadcast_.wait(newest_, kWait);
    if (!message) return nullptr;
    newest_ = message->number;
    ++sent_;
    return {message, &message->bytes};
  }
  bool has_ended() const override { return api_.broadcast_.is_closed(); }

 private:
  LiveApi& api_;
  const std::uint64_t page_;
  const std::shared_ptr<const std::string> greeting_;
  bool greeted_ = false;
  std::uint64_t newest_ = 0;  // number of the last message
  std::uint64_t sent_ = 0;    // snapshots
};

LiveApi::LiveApi(live::LiveRun run)
    : session_(std::move(run),
               [this](const live::Snapshot& s) { broadcast_.publish(write_snapshot(s)); }),
      started_(std::to_string(std::chrono::system_clock::now().time_since_epoch().count())) {
  session_.start();
}

LiveApi::~LiveApi() {
  session_.stop();
}

void LiveApi::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  seen_.notify_all();
  broadcast_.close();
  session_.stop();
}

Reply LiveApi::describe() const {
  const record::RecordingInfo& info = session_.info();
  json controls = json::array();
  for (const engine::Control& c : session_.first_controls()) {
    controls.push_back({{"name", c.name},
                        {"unit", c.unit},
                        {"low", c.low},
                        {"high", c.high},
                        {"value", c.value},
                        {"logarithmic", c.scale == engine::ControlScale::kLogarithmic},
                        {"whole", c.whole}});
  }
  return json_reply({{"session", started_},
                     {"scene_name", info.scene_name},
                     {"version", info.version},
                     {"up", info.up},
                     {"frame_rate", info.frame_rate},
                     {"bounds", json::array({point_of(session_.first_bounds()[0]),
                                             point_of(session_.first_bounds()[1])})},
                     {"bodies", describe_bodies(info.bodies)},
                     {"certificate", describe_fields(info.certificate)},
                     {"controls", std::move(controls)}});
}

Reply LiveApi::answer(const std::string& path, const std::string&) {
  try {
    const auto parts = split_path(path);
    if (path == "/api/live") return describe();
    if (parts.size() == 4 && parts[1] == "body" && parts[3] == "topology") {
      const auto& bodies = session_.info().bodies;
      return topology_reply(bodies[parse_index(parts[2], bodies.size(), "body")]);
    }
    throw NotFound{"no such page"};
  } catch (const NotFound& absent) {
    return {404, "text/plain", absent.message + "\n"};
  }
}

// The number of the command; 0 for a message that is none.
std::uint64_t LiveApi::read(const std::string& text) {
  const ReadMessage message = read_message(text);
  // Held while it is sent: a page that goes meanwhile lets go afterwards, not before.
  const std::lock_guard lock(mutex_);
  if (message.page && !pages_.contains(*message.page)) {
    throw BadMessage{"\"page\" is none that has a stream open"};
  }
  if (const auto* command = std::get_if<live::Command>(&message.content)) {
    return session_.send(*command);
  }
  const Seen& seen = std::get<Seen>(message.content);
  pages_[seen.page] = seen.messages;
  seen_.notify_all();
  return 0;
}

// Whether the page may get another snapshot, of which it was sent some; waits for that a moment.
bool LiveApi::wait_until_seen(std::uint64_t page, std::uint64_t sent) {
  std::unique_lock lock(mutex_);
  const auto& drawn = pages_[page];
  const auto may_get = [&] { return !drawn || *drawn + kOnTheWay > sent; };
  seen_.wait_for(lock, kWait, [&] { return ended_ || may_get(); });
  return !ended_ && may_get();
}

Reply LiveApi::obey(const std::string& message) {
  try {
    return json_reply({{"number", read(message)}});
  } catch (const BadMessage& bad) {
    return {400, "text/plain", bad.reason + "\n"};
  } catch (const std::invalid_argument& bad) {
    return {400, "text/plain", std::string(bad.what()) + "\n"};
  } catch (const live::Session::Busy&) {
    return {503, "text/plain", "too many messages wait; try again later\n"};
  }
}

std::unique_ptr<Stream> LiveApi::open_stream() {
  const std::lock_guard lock(mutex_);
  if (pages_.size() >= kMaxStreams) return nullptr;
  pages_[++last_page_] = std::nullopt;
  return std::make_unique<PageStream>(*this, last_page_);
}

void LiveApi::close_page(std::uint64_t page) {
  const std::lock_guard lock(mutex_);
  pages_.erase(page);
  try {
    session_.send(live::ReleasePull{page});
  } catch (const live::Session::Busy&) {
    // Ten thousand commands wait: the queue is not being emptied, nobody pulls.
  }
}

}  // namespace sinew::app
