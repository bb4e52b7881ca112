// Bytes in memory as a stream that is inflated on the way where they are packed, piece by piece,
// so that a small hostile file never makes a large buffer. For the readers of volumes and slices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct z_stream_s;

namespace sinew::volume {

enum class Packing { kNone, kDeflate };  // deflate: in a gzip or zlib wrapper, of any members

bool is_gzip(std::string_view bytes);

// All functions throw InputError that names `path` and the byte where the data end too soon or
// are damaged.
class ByteStream {
 public:
  // `bytes` must outlive this object; `path` is for messages.
  ByteStream(std::string path, std::string_view bytes, Packing packing);
  ~ByteStream();
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  void take(std::span<char> out);  // fills all of it
  void skip(std::uint64_t count);
  // Reads to the end of the packed data, whose check sum is then known to be right. Data that
  // follow what was taken are passed over.
  void finish();
  // No more bytes than these can come.
  std::uint64_t most_left() const;

 private:
  // Fills `out` as far as the data go.
  std::size_t take_some(std::span<char> out);
  std::size_t inflate_some(std::span<char> out);
  bool start_next_member();
  [[noreturn]] void fail(const std::string& message) const;

  std::string path_;
  std::string_view bytes_;
  std::size_t at_ = 0;        // next of bytes_
  std::uint64_t passed_ = 0;  // bytes that came out
  std::unique_ptr<z_stream_s> inflater_;
  bool ended_ = false;
};

}  // namespace sinew::volume
