#include "sinew/volume/byte_stream.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>
#include <zlib.h>

#include "sinew/core/error.h"

namespace sinew::volume {
namespace {

constexpr int kAnyWrapper = 15 + 32;          // zlib's code for "gzip or zlib, as the data say"
constexpr std::size_t kPiece = 1U << 20U;     // bytes given to zlib at once; its counters are short
constexpr std::uint64_t kMaxGain = 1032;      // what deflate can gain at most
constexpr std::uint64_t kGainOfHeaders = 64;  // and of the first bytes

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

ByteStream::ByteStream(std::string path, std::string_view bytes, Packing packing)
    : path_(std::move(path)), bytes_(bytes) {
  if (packing == Packing::kNone) return;
  inflater_ = std::make_unique<z_stream_s>();
  SINEW_CHECK(inflateInit2(inflater_.get(), kAnyWrapper) == Z_OK, "zlib has memory to begin");
}

ByteStream::~ByteStream() {
  if (inflater_) inflateEnd(inflater_.get());
}

std::uint64_t ByteStream::most_left() const {
  const std::uint64_t left = bytes_.size() - at_;
  return inflater_ ? left * kMaxGain + kGainOfHeaders : left;
}

void ByteStream::take(std::span<char> out) {
  const std::size_t got = take_some(out);
  if (got == out.size()) return;
  fail(
      fmt::format("the data end {} bytes too soon; the file may be truncated, or its header "
                  "promises too much",
                  out.size() - got));
}

void ByteStream::skip(std::uint64_t count) {
  std::array<char, 4096> scratch{};
  while (count > 0) {
    const std::size_t n = std::min<std::uint64_t>(count, scratch.size());
    take(std::span(scratch).first(n));
    count -= n;
  }
}

void ByteStream::finish() {
  if (!inflater_) return;
  std::array<char, 4096> scratch{};
  while (take_some(scratch) == scratch.size()) {
  }
  if (!ended_) fail("the compressed data have no end; the file may be truncated");
}

std::size_t ByteStream::take_some(std::span<char> out) {
  if (inflater_) return inflate_some(out);
  const std::size_t n = std::min(out.size(), bytes_.size() - at_);
  std::copy_n(bytes_.data() + at_, n, out.data());
  at_ += n;
  passed_ += n;
  return n;
}

std::size_t ByteStream::inflate_some(std::span<char> out) {
  z_stream& z = *inflater_;
  std::size_t got = 0;
  while (got < out.size() && !ended_) {
    const auto in_size = static_cast<uInt>(std::min(kPiece, bytes_.size() - at_));
    const auto out_size = static_cast<uInt>(std::min(kPiece, out.size() - got));
    z.next_in = reinterpret_cast<z_const Bytef*>(const_cast<char*>(bytes_.data() + at_));
    z.avail_in = in_size;
    z.next_out = reinterpret_cast<Bytef*>(out.data() + got);
    z.avail_out = out_size;
    const int status = inflate(&z, Z_NO_FLUSH);
    const std::size_t came = out_size - z.avail_out;
    at_ += in_size - z.avail_in;
    got += came;
    passed_ += came;
    if (status == Z_STREAM_END) {
      ended_ = !start_next_member();
    } else if (status == Z_BUF_ERROR || (status == Z_OK && came == 0 && z.avail_in == in_size)) {
      break;  // no more input
    } else if (status != Z_OK) {
      fail(fmt::format("the compressed data are damaged ({})",
                       z.msg != nullptr ? z.msg : "not gzip or zlib"));
    }
  }
  return got;
}

// gzip files may be several packed files one after the other.
bool ByteStream::start_next_member() {
  return is_gzip(bytes_.substr(at_)) && inflateReset(inflater_.get()) == Z_OK;
}

void ByteStream::fail(const std::string& message) const {
  throw InputError(path_,
                   inflater_ ? fmt::format("after {} unpacked bytes", passed_)
                             : fmt::format("after {} bytes of data", passed_),
                   message);
}

}  // namespace sinew::volume
