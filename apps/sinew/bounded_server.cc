#include "bounded_server.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sinew::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kBacklog = 1024;
// Bytes of answers that wait to be taken: the system's own choice, megabytes a connection, would
// let those who ask and take nothing keep the server busy with filling them.
constexpr int kSendBuffer = 256 << 10;
constexpr auto kRequestTime = std::chrono::seconds(kRequestSeconds);

// What a client did with its time, for whoever has to choose which connection gives way.
struct Pace {
  std::atomic<bool> is_answered = false;  // its request is there; false: it is being waited for
  std::atomic<Clock::time_point> since = Clock::now();  // it waits, or its answer last moved
};

// Waits until the socket can be read or written without waiting. False: not before `deadline`.
bool wait_for(socket_t socket, short what, Clock::time_point deadline) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd one{socket, what, 0};
    const int ready = ::poll(&one, 1, static_cast<int>(left));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

// A connection as httplib reads and writes it, with deadlines for whole requests and answers.
class Wire : public httplib::Stream {
 public:
  Wire(socket_t socket, Pace& pace) : socket_(socket), pace_(pace) {}

  // Waits for the first byte of the next request. False: none comes, or not in time.
  bool wait_for_request() {
    pace_.since = Clock::now();
    pace_.is_answered = false;
    fault_ = nullptr;
    has_written_ = false;
    deadline_ = Clock::now() + kRequestTime;
    num_read_ = end_ - begin_;
    if (begin_ == end_ && !fill()) {
      fault_ = nullptr;  // an idle connection ends without a word
      return false;
    }
    deadline_ = Clock::now() + kRequestTime;
    return true;
  }

  // The request is there and is being answered.
  void start_answer() {
    pace_.since = Clock::now();
    pace_.is_answered = true;
  }

  // Why the request was not read to its end; null where it was, or where the client left.
  const char* fault() const { return fault_; }

  bool is_readable() const override {
    return begin_ < end_ || wait_for(socket_, POLLIN, deadline_);
  }
  bool is_writable() const override {
    return wait_for(socket_, POLLOUT, Clock::now() + kRequestTime);
  }

  ssize_t read(char* bytes, std::size_t size) override {
    if (begin_ == end_ && !fill()) return -1;
    const std::size_t taken = std::min(size, end_ - begin_);
    std::copy_n(buffer_.data() + begin_, taken, bytes);
    begin_ += taken;
    return static_cast<ssize_t>(taken);
  }

  using httplib::Stream::write;
  ssize_t write(const char* bytes, std::size_t size) override {
    if (fault_ != nullptr) return -1;  // that is what has to be answered
    start_answer();
    has_written_ = true;
    return send_all({bytes, size}) ? static_cast<ssize_t>(size) : -1;
  }

  // The answer to a request that was not read to its end.
  void write_fault() {
    if (fault_ == nullptr || has_written_) return;
    send_all(std::string("HTTP/1.1 ") + fault_ +
             "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  }

  void get_remote_ip_and_port(std::string&, int&) const override {}  // it is this machine
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return socket_; }

 private:
  bool fill() {
    if (num_read_ >= kMaxRequest) fault_ = "431 Request Header Fields Too Large";
    if (fault_ != nullptr) return false;
    if (!wait_for(socket_, POLLIN, deadline_)) {
      fault_ = "408 Request Timeout";
      return false;
    }
    const ssize_t got = ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    begin_ = 0;
    end_ = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    num_read_ += end_;
    return end_ > 0;
  }

  bool send_all(std::string_view bytes) {
    const auto slowest = std::chrono::milliseconds(bytes.size() * 1000 / kLeastBytesASecond);
    const Clock::time_point deadline = Clock::now() + kRequestTime + slowest;
    while (!bytes.empty()) {
      if (!wait_for(socket_, POLLOUT, deadline)) return false;
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
      pace_.since = Clock::now();
    }
    return true;
  }

  const socket_t socket_;
  Pace& pace_;
  Clock::time_point deadline_;
  const char* fault_ = nullptr;
  bool has_written_ = false;
  std::size_t num_read_ = 0;  // of this request; what came with the one before counts
  std::array<char, 4096> buffer_{};
  std::size_t begin_ = 0, end_ = 0;  // what is in the buffer and not yet read
};

// All connections, each with its thread. httplib knows it as what runs its tasks, each of which is
// a connection that was accepted; they are taken in at once, so that accepting never waits.
class Connections : public httplib::TaskQueue {
 public:
  using Serve = std::function<void(Wire&)>;

  void enqueue(std::function<void()> task) override { task(); }

  // Runs `serve` in a thread of its own and closes the socket after it.
  void take_in(socket_t socket, const Serve& serve) {
    const std::lock_guard lock(mutex_);
    remove_ended();
    make_room();
    // Those that were told to go need a moment, unless something computes for very many of them.
    if (all_.size() >= 2 * std::size_t{kMaxConnections}) {
      ::close(socket);
      return;
    }
    ::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &kSendBuffer, sizeof kSendBuffer);
    Connection& one = all_.emplace_back();
    one.socket = socket;
    try {
      one.thread = std::thread([this, &one, serve] { run(one, serve); });
    } catch (const std::system_error&) {  // no thread is to be had
      ::close(socket);
      all_.pop_back();
    }
  }

  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      for (Connection& one : all_) tell_to_go(one);
    }
    for (Connection& one : all_) one.thread.join();  // nobody adds any more
    all_.clear();
  }

 private:
  struct Connection {
    socket_t socket = -1;  // -1: closed
    bool has_to_go = false;
    Pace pace;
    std::thread thread;
  };

  void run(Connection& one, const Serve& serve) {
    Wire wire(one.socket, one.pace);
    try {
      serve(wire);
    } catch (...) {  // memory ran out, for one; the others go on
    }
    ::shutdown(one.socket, SHUT_WR);
    // Closing over bytes that were not read would take back what was just sent.
    std::array<char, 4096> rest;
    for (int i = 0; i < 16 && ::recv(one.socket, rest.data(), rest.size(), MSG_DONTWAIT) > 0; ++i) {
    }
    const std::lock_guard lock(mutex_);
    ::close(one.socket);
    one.socket = -1;
  }

  void remove_ended() {
    all_.remove_if([](Connection& one) {
      if (one.socket >= 0) return false;
      one.thread.join();
      return true;
    });
  }

  // Where all places are taken: tells the slowest to go.
  void make_room() {
    const auto stay = std::count_if(all_.begin(), all_.end(),
                                    [](const Connection& one) { return !one.has_to_go; });
    if (stay < kMaxConnections) return;
    const auto gives_way_before = [](const Connection& a, const Connection& b) {
      if (a.has_to_go != b.has_to_go) return b.has_to_go;
      const bool a_answered = a.pace.is_answered, b_answered = b.pace.is_answered;
      if (a_answered != b_answered) return b_answered;
      return a.pace.since.load() < b.pace.since.load();
    };
    tell_to_go(*std::min_element(all_.begin(), all_.end(), gives_way_before));
  }

  // Its reads and writes fail from now on.
  static void tell_to_go(Connection& one) {
    one.has_to_go = true;
    if (one.socket >= 0) ::shutdown(one.socket, SHUT_RDWR);
  }

  std::mutex mutex_;
  std::list<Connection> all_;  // a thread keeps the address of its own
};

class BoundedServer : public httplib::Server {
 public:
  BoundedServer() {
    new_task_queue = [this] {
      // httplib lets five wait to be accepted; of a burst the sixth would be asked again after 1 s.
      ::listen(svr_sock_, kBacklog);
      return connections_ = new Connections;  // httplib deletes it when it has stopped
    };
  }

 private:
  bool process_and_close_socket(socket_t socket) override {
    connections_->take_in(socket, [this](Wire& wire) { serve(wire); });
    return true;
  }

  void serve(Wire& wire) {
    for (std::size_t left = keep_alive_max_count_; left > 0 && svr_sock_ != INVALID_SOCKET;
         --left) {
      bool is_closed = false;
      const bool goes_on =
          wire.wait_for_request() &&
          process_request(wire, left == 1, is_closed, [&wire](httplib::Request& request) {
            if (request.method != "POST") wire.start_answer();
          });
      if (goes_on && !is_closed && wire.fault() == nullptr) continue;
      wire.write_fault();
      return;
    }
  }

  Connections* connections_ = nullptr;
};

}  // namespace

std::unique_ptr<httplib::Server> make_bounded_server() {
  return std::make_unique<BoundedServer>();
}

}  // namespace sinew::app
