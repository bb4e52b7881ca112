#include "server.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <string_view>
#include <thread>
#include <utility>

#include <httplib.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "sinew/core/error.h"
#include "sinew/record/model_file.h"

#include "assets.h"
#include "model_api.h"
#include "recording_api.h"

namespace sinew::app {

namespace {

constexpr const char* kAddress = "127.0.0.1";
constexpr int kPortsToTry = 20;
// A browser keeps six connections a tab, each of which holds a thread while it lives.
constexpr std::size_t kNumThreads = 32;

bool is_own_host(std::string_view host) {
  for (const std::string_view name : {"127.0.0.1", "localhost"}) {
    if (!host.starts_with(name)) continue;
    const std::string_view port = host.substr(name.size());
    if (port.empty()) return true;
    // Any port: the page may be looked at through a tunnel. Only the name tells a foreign page.
    return port.size() > 1 && port.front() == ':' &&
           port.find_first_not_of("0123456789", 1) == port.npos;
  }
  return false;
}

void refuse(httplib::Response& response, int status, const std::string& message) {
  response.status = status;
  // What follows in the connection may be the body of the refused request.
  response.set_header("Connection", "close");
  response.set_content(message + "\n", "text/plain");
}

const char* content_type_of(std::string_view path) {
  if (path.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (path.ends_with(".css")) return "text/css; charset=utf-8";
  if (path.ends_with(".svg")) return "image/svg+xml";
  return "text/html; charset=utf-8";
}

// By a content provider, because httplib would squeeze a plain body by Brotli at its slowest
// setting, seconds for what crosses the loopback in a millisecond.
void send_asset(const Asset& asset, httplib::Response& response) {
  response.set_header("Cache-Control", "no-cache");
  response.set_content_provider(
      asset.bytes.size(), content_type_of(asset.path),
      [bytes = asset.bytes](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        if (offset > bytes.size()) return false;
        const auto part = bytes.subspan(offset, std::min(length, bytes.size() - offset));
        return sink.write(reinterpret_cast<const char*>(part.data()), part.size());
      });
}

void send_page(const std::string& wanted, httplib::Response& response) {
  const auto all = assets();
  const auto found = std::ranges::find(all, wanted, &Asset::path);
  if (found == all.end()) {
    refuse(response, 404, "no such page");
  } else {
    response.status = 200;
    send_asset(*found, response);
  }
}

void send_reply(Reply reply, httplib::Response& response) {
  response.status = reply.status;
  const std::size_t size = reply.body.size();
  if (size == 0) return;
  response.set_content_provider(
      size, reply.content_type,
      [body = std::move(reply.body)](std::size_t offset, std::size_t length,
                                     httplib::DataSink& sink) {
        if (offset > body.size()) return false;
        return sink.write(body.data() + offset, std::min(length, body.size() - offset));
      });
}

httplib::Headers security_headers() {
  return {{"Content-Security-Policy",
           "default-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'none'; "
           "frame-ancestors 'none'"},
          {"X-Content-Type-Options", "nosniff"},
          {"Cross-Origin-Resource-Policy", "same-origin"},
          {"Referrer-Policy", "no-referrer"}};
}

}  // namespace

struct Server::Impl {
  explicit Impl(const std::string& path) : api(open(path)) {}

  static std::unique_ptr<Api> open(const std::string& path) {
    if (record::is_model(path)) return std::make_unique<ModelApi>(path);
    return std::make_unique<RecordingApi>(path);
  }

  void handle(const httplib::Request& request, httplib::Response& response) {
    if (request.get_header_value_count("Host") != 1 ||
        !is_own_host(request.get_header_value("Host"))) {
      return refuse(response, 403, "only requests to 127.0.0.1 or localhost are answered");
    }
    if (request.method != "GET" && request.method != "HEAD") {
      response.set_header("Allow", "GET, HEAD");
      return refuse(response, 405, "only GET and HEAD are answered");
    }
    if (!request.ranges.empty()) {
      response.status = 416;  // nothing here is long enough to be sent in parts
      return;
    }
    if (!request.path.starts_with("/api/")) {
      const char* front = has_viewer_page() ? api->page() : "/index.html";
      return send_page(request.path == "/" ? front : request.path, response);
    }
    response.set_header("Cache-Control", "no-store");
    try {
      send_reply(api->answer(request.path, request.get_param_value("from")), response);
    } catch (const std::exception& error) {
      refuse(response, 500, error.what());
    }
  }

  const std::unique_ptr<Api> api;
  httplib::Server http;
  std::atomic<bool> serving = false;
  std::atomic<bool> stopped = false;
};

Server::Server(const std::string& path) : impl_(std::make_unique<Impl>(path)) {
  httplib::Server& http = impl_->http;
  http.new_task_queue = [] { return new httplib::ThreadPool(kNumThreads); };
  // httplib's own choice, SO_REUSEPORT, would let two viewers share a port and answer by turns.
  http.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  http.set_tcp_nodelay(true);
  http.set_keep_alive_timeout(1);  // s; also the longest that stop() waits for an idle connection
  http.set_read_timeout(2);        // s
  http.set_keep_alive_max_count(10000);
  http.set_default_headers(security_headers());
  // All routing is here: exact names, no patterns, no files.
  http.set_pre_routing_handler(
      [impl = impl_.get()](const httplib::Request& request, httplib::Response& response) {
        impl->handle(request, response);
        return httplib::Server::HandlerResponse::Handled;
      });
}

Server::~Server() = default;

int Server::bind(int port) {
  if (port == 0) {
    const int chosen = impl_->http.bind_to_any_port(kAddress);
    if (chosen > 0) return chosen;
  }
  for (int tried = port; port > 0 && tried < port + kPortsToTry && tried < 65536; ++tried) {
    if (impl_->http.bind_to_port(kAddress, tried)) return tried;
  }
  throw InputError("--port " + std::to_string(port), "",
                   "no free port there on 127.0.0.1; allowed are 0 (any free one) to 65535");
}

bool Server::serve() {
  impl_->serving = true;
  if (!impl_->stopped) impl_->http.listen_after_bind();
  impl_->serving = false;
  return impl_->stopped;
}

void Server::stop() {
  impl_->stopped = true;
  // httplib forgets a stop that comes before it runs.
  while (impl_->serving && !impl_->http.is_running()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  impl_->http.stop();
}

}  // namespace sinew::app
