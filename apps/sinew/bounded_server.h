// The transport below the server of `sinew view` and `sinew live`: a thread a connection, bounded
// in number, size and time, so that clients that send or take a byte now and then hold up nobody
// else.
#pragma once

#include <memory>

namespace httplib {
class Server;
}

namespace sinew::app {

// A request, header and body together, has so long from its first byte, and a connection may be
// idle for as long. Longer ones are answered 408.
inline constexpr int kRequestSeconds = 5;
// Bytes of a request, header and body together: more are answered 431.
inline constexpr int kMaxRequest = 64 << 10;
// An answer is taken at this rate at least, after that time; else its connection is closed.
inline constexpr int kLeastBytesASecond = 64 << 10;
// Connections at once. One more closes the one that has been waiting for its request the longest
// or, where all are being answered, the one whose answer has not moved for the longest.
inline constexpr int kMaxConnections = 128;

// Its stop() ends every connection, whatever it is doing, and waits for their threads.
std::unique_ptr<httplib::Server> make_bounded_server();

}  // namespace sinew::app
