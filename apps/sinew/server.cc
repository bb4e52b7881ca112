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

#include "assets.h"
#include "bounded_server.h"

namespace sinew::app {

namespace {

constexpr const char* kAddress = "127.0.0.1";
constexpr int kPortsToTry = 20;

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
  if (path.ends_with(".txt")) return "text/plain; charset=utf-8";
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

// A browser says which page asks. Programs say nothing and are not stopped: they could do worse.
bool is_from_elsewhere(const httplib::Request& request) {
  const std::string own = "http://" + request.get_header_value("Host");
  if (request.get_header_value_count("Origin") > 1) return true;
  if (request.has_header("Origin") && request.get_header_value("Origin") != own) return true;
  const std::string site = request.get_header_value("Sec-Fetch-Site");
  return request.path.starts_with("/api/") && !site.empty() && site != "same-origin" &&
         site != "none";
}

// Before a byte of a message is read: what it says of itself. Refuses it where that is not allowed.
bool may_be_read(const httplib::Request& request, httplib::Response& response) {
  const std::string type = request.get_header_value("Content-Type");
  const std::string length = request.get_header_value("Content-Length");
  if (type != kJsonType) {
    refuse(response, 415, "messages must be application/json");
  } else if (request.has_header("Transfer-Encoding") || length.empty() ||
             request.get_header_value_count("Content-Length") != 1 ||
             length.find_first_not_of("0123456789") != length.npos) {
    refuse(response, 411, "a message must say its Content-Length");
  } else if (length.size() > 6 || std::stoul(length) > kMaxMessage) {
    refuse(response, 413, "a message has at most " + std::to_string(kMaxMessage) + " bytes");
  } else {
    return true;
  }
  return false;
}

// It waits for bytes, and for a page that is slow to take them, in the thread of its connection.
void start_stream(Api& api, httplib::Response& response) {
  std::shared_ptr<Stream> stream = api.open_stream();
  if (!stream) return refuse(response, 503, "too many pages look at this session");
  response.status = 200;
  response.set_chunked_content_provider(
      kBinaryType, [stream](std::size_t, httplib::DataSink& sink) {
        if (stream->has_ended()) {
          sink.done();
          return true;
        }
        const std::shared_ptr<const std::string> bytes = stream->next();
        return !bytes || sink.write(bytes->data(), bytes->size());
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
  explicit Impl(std::unique_ptr<Api> shown) : api(std::move(shown)) {}

  // Whether it is a message that may be read now. All else is answered.
  bool handle(const httplib::Request& request, httplib::Response& response) {
    if (request.get_header_value_count("Host") != 1 ||
        !is_own_host(request.get_header_value("Host"))) {
      refuse(response, 403, "only requests to 127.0.0.1 or localhost are answered");
    } else if (is_from_elsewhere(request)) {
      refuse(response, 403, "only this server's own pages are answered");
    } else if (request.method == "POST" && request.path == api->message_path()) {
      return may_be_read(request, response);
    } else if (request.path == api->message_path()) {
      response.set_header("Allow", "POST");
      refuse(response, 405, "messages are posted here");
    } else if (request.method != "GET" && request.method != "HEAD") {
      response.set_header("Allow", "GET, HEAD");
      refuse(response, 405, "only GET and HEAD are answered");
    } else {
      get(request, response);
    }
    return false;
  }

  void get(const httplib::Request& request, httplib::Response& response) {
    if (!request.ranges.empty()) {
      response.status = 416;  // nothing here is long enough to be sent in parts
      return;
    }
    if (!request.path.starts_with("/api/")) {
      const char* front = has_viewer_page() ? api->page() : "/index.html";
      return send_page(request.path == "/" ? front : request.path, response);
    }
    response.set_header("Cache-Control", "no-store");
    if (request.path == api->stream_path()) {
      return request.method == "GET" ? start_stream(*api, response)
                                     : refuse(response, 405, "only GET opens a stream");
    }
    try {
      send_reply(api->answer(request.path, request.get_param_value("from")), response);
    } catch (const std::exception& error) {
      refuse(response, 500, error.what());
    }
  }

  void post(const httplib::Request& request, httplib::Response& response) {
    response.set_header("Cache-Control", "no-store");
    try {
      send_reply(api->obey(request.body), response);
    } catch (const std::exception& error) {
      refuse(response, 500, error.what());
    }
  }

  const std::unique_ptr<Api> api;
  const std::unique_ptr<httplib::Server> http = make_bounded_server();
  std::atomic<bool> serving = false;
  std::atomic<bool> stopped = false;
};

Server::Server(std::unique_ptr<Api> api) : impl_(std::make_unique<Impl>(std::move(api))) {
  httplib::Server& http = *impl_->http;
  // httplib's own choice, SO_REUSEPORT, would let two viewers share a port and answer by turns.
  http.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  http.set_tcp_nodelay(true);
  http.set_keep_alive_max_count(10000);
  http.set_default_headers(security_headers());
  // All routing is here: exact names, no patterns, no files.
  http.set_pre_routing_handler(
      [impl = impl_.get()](const httplib::Request& request, httplib::Response& response) {
        return impl->handle(request, response) ? httplib::Server::HandlerResponse::Unhandled
                                               : httplib::Server::HandlerResponse::Handled;
      });
  http.Post(".*",
            [impl = impl_.get()](const httplib::Request& request, httplib::Response& response) {
              impl->post(request, response);
            });
}

Server::~Server() = default;

int Server::bind(int port) {
  if (port == 0) {
    const int chosen = impl_->http->bind_to_any_port(kAddress);
    if (chosen > 0) return chosen;
  }
  for (int tried = port; port > 0 && tried < port + kPortsToTry && tried < 65536; ++tried) {
    if (impl_->http->bind_to_port(kAddress, tried)) return tried;
  }
  throw InputError("--port " + std::to_string(port), "",
                   "no free port there on 127.0.0.1; allowed are 0 (any free one) to 65535");
}

bool Server::serve() {
  impl_->serving = true;
  if (!impl_->stopped) impl_->http->listen_after_bind();
  impl_->serving = false;
  return impl_->stopped;
}

void Server::stop() {
  impl_->stopped = true;
  impl_->api->end();
  // httplib forgets a stop that comes before it runs.
  while (impl_->serving && !impl_->http->is_running()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  impl_->http->stop();
}

}  // namespace sinew::app
