// What the viewer's server asks: paths in, replies out. It knows nothing of HTTP but paths and
// status codes, so that the server stays a thin shell around it; docs/viewer.md lists the paths and
// the layouts.
#pragma once

#include <charconv>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::app {

struct Reply {
  int status = 200;  // as in HTTP: 200, 404 (no such thing), 503 (it cannot be read now)
  std::string content_type;
  std::string body;  // of a failure: one line that says what is wrong
};

inline constexpr const char* kJsonType = "application/json";
inline constexpr const char* kBinaryType = "application/octet-stream";

// Bytes that go to one page as they come, until either side ends it.
class Stream {
 public:
  virtual ~Stream() = default;
  // Waits for the next bytes, a second at the most. Null: none came.
  virtual std::shared_ptr<const std::string> next() = 0;
  virtual bool has_ended() const = 0;
};

class Api {
 public:
  virtual ~Api() = default;
  // The page that shows it, such as "/index.html".
  virtual const char* page() const = 0;
  // Answers `path`, which starts with "/api/"; `from` is the query's value, empty where absent.
  // Any number of threads may ask at once. Never throws for what the file or the caller did wrong.
  virtual Reply answer(const std::string& path, const std::string& from) = 0;

  // The path that messages are posted to, as JSON of at most kMaxMessage bytes; empty: none.
  virtual std::string message_path() const { return {}; }
  virtual Reply obey(const std::string& /*message*/) {
    return {405, "text/plain", "no messages\n"};
  }
  // The path that is answered by a stream; empty: none.
  virtual std::string stream_path() const { return {}; }
  // Null: there are too many.
  virtual std::unique_ptr<Stream> open_stream() { return nullptr; }
  // The server stops: streams end.
  virtual void end() {}
};

inline constexpr std::size_t kMaxMessage = 4096;

// The caller asked for something that is not there: a 404 with this line.
struct NotFound {
  std::string message;
};

// An index below `limit`. Throws NotFound.
std::size_t parse_index(std::string_view text, std::size_t limit, const char* what);

// "/api/body/0" as {"api", "body", "0"}.
std::vector<std::string_view> split_path(std::string_view path);

template <class T>
void append_bytes(std::string& out, const std::vector<T>& values) {
  out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

}  // namespace sinew::app
