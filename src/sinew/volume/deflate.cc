#include "sinew/volume/deflate.h"

#include <algorithm>
#include <array>

#include <zlib.h>

#include "sinew/core/error.h"

namespace sinew::volume {
namespace {

constexpr int kWindow = 15;                // zlib's largest
constexpr int kGzipWindow = kWindow + 16;  // zlib's code for a gzip wrapper
constexpr int kMemory = 8;                 // zlib's default
constexpr int kLevel = 6;                  // zlib's default: 0.6 s for 75 million labels
constexpr std::size_t kPiece = 1U << 20U;  // bytes given to zlib at once; its counters are short

}  // namespace

Deflater::Deflater(Wrapper wrapper) : stream_(std::make_unique<z_stream_s>()) {
  const int window = wrapper == Wrapper::kGzip ? kGzipWindow : kWindow;
  const int status =
      deflateInit2(stream_.get(), kLevel, Z_DEFLATED, window, kMemory, Z_DEFAULT_STRATEGY);
  SINEW_CHECK(status == Z_OK, "zlib has memory to begin");
}

Deflater::~Deflater() {
  deflateEnd(stream_.get());
}

void Deflater::add(std::span<const char> bytes) {
  while (!bytes.empty()) {
    const std::size_t n = std::min(kPiece, bytes.size());
    stream_->next_in = reinterpret_cast<z_const Bytef*>(const_cast<char*>(bytes.data()));
    stream_->avail_in = static_cast<uInt>(n);
    run(Z_NO_FLUSH);
    bytes = bytes.subspan(n);
  }
}

std::string Deflater::finish() {
  stream_->avail_in = 0;
  run(Z_FINISH);
  return std::move(packed_);
}

// Takes all input that zlib was given.
void Deflater::run(int flush) {
  std::array<char, 1U << 16U> out{};
  do {
    stream_->next_out = reinterpret_cast<Bytef*>(out.data());
    stream_->avail_out = out.size();
    SINEW_CHECK(deflate(stream_.get(), flush) != Z_STREAM_ERROR, "zlib's state is whole");
    packed_.append(out.data(), out.size() - stream_->avail_out);
  } while (stream_->avail_out == 0);
}

}  // namespace sinew::volume
