#include "sinew/volume/png.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

#include <fmt/format.h>
#include <zlib.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"
#include "sinew/volume/byte_stream.h"

namespace sinew::volume {
namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
constexpr std::size_t kChunkFrame = 12;        // bytes of length, name and check sum
constexpr std::uint32_t kMaxEdge = 1U << 15U;  // pixels
constexpr std::size_t kHeaderSize = 13;

struct Format {
  std::uint32_t width = 0, height = 0;
  unsigned bits = 8;
  bool interlaced = false;
};

// The pixels of one pass: from (x, y) every dx, dy. A plain picture has one pass of all.
struct Pass {
  std::uint32_t x, y, dx, dy;
};
constexpr std::array<Pass, 1> kPlain = {{{0, 0, 1, 1}}};
// "Adam7", section 8.2 of the standard.
constexpr std::array<Pass, 7> kInterlaced = {{{0, 0, 8, 8},
                                              {4, 0, 8, 8},
                                              {0, 4, 4, 8},
                                              {2, 0, 4, 4},
                                              {0, 2, 2, 4},
                                              {1, 0, 2, 2},
                                              {0, 1, 1, 2}}};

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char c : bytes.substr(0, 4)) value = value << 8U | static_cast<unsigned char>(c);
  return value;
}

class Chunks {
 public:
  Chunks(std::string path, std::string_view bytes) : path_(std::move(path)), bytes_(bytes) {
    if (!bytes.starts_with(kSignature)) fail("this is no PNG file");
    at_ = kSignature.size();
  }

  // Goes to the next chunk; its check sum is right.
  void next() {
    const std::string_view rest = bytes_.substr(at_);
    const std::uint32_t size = rest.size() < kChunkFrame ? 0 : big_endian(rest);
    if (rest.size() < kChunkFrame || size > rest.size() - kChunkFrame) {
      fail("the file ends within a chunk; it may be truncated");
    }
    name_ = rest.substr(4, 4);
    data_ = rest.substr(8, size);
    const auto* body = reinterpret_cast<const Bytef*>(name_.data());
    if (crc32_z(0, body, size + 4) != big_endian(rest.substr(8 + size))) {
      fail(fmt::format("the check sum of chunk \"{}\" is wrong; the file is damaged",
                       printable(name_)));
    }
    at_ += size + kChunkFrame;
  }

  std::string_view name() const { return name_; }
  std::string_view data() const { return data_; }
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(path_, fmt::format("byte {}", at_), message);
  }

 private:
  std::string path_;
  std::string_view bytes_, name_, data_;
  std::size_t at_ = 0;
};

Format read_format(Chunks& chunks) {
  chunks.next();
  const std::string_view data = chunks.data();
  if (chunks.name() != "IHDR" || data.size() != kHeaderSize) {
    chunks.fail("the first chunk is no IHDR of 13 bytes; the file is damaged");
  }
  Format format;
  format.width = big_endian(data);
  format.height = big_endian(data.substr(4));
  if (std::min(format.width, format.height) < 1 ||
      std::max(format.width, format.height) > kMaxEdge) {
    chunks.fail(fmt::format("the picture has {} x {} pixels; 1 to {} a side are allowed",
                            format.width, format.height, kMaxEdge));
  }
  format.bits = static_cast<unsigned char>(data[8]);
  const int color = static_cast<unsigned char>(data[9]);
  const bool known_bits = format.bits == 1 || format.bits == 2 || format.bits == 4 ||
                          format.bits == 8 || (format.bits == 16 && color == 0);
  if ((color != 0 && color != 3) || !known_bits) {
    chunks.fail(
        fmt::format("colour type {} of {} bits; a slice is grey (type 0) or has a palette "
                    "(type 3), of 1 to 16 bits: save it as a grey picture without "
                    "transparency",
                    color, format.bits));
  }
  if (data[10] != 0 || data[11] != 0 || data[12] < 0 || data[12] > 1) {
    chunks.fail("packing, filter or interlacing is none of the standard's");
  }
  format.interlaced = data[12] == 1;
  return format;
}

std::string collect_data(Chunks& chunks) {
  std::string packed;
  for (chunks.next(); chunks.name() != "IEND"; chunks.next()) {
    if (chunks.name() == "IDAT") {
      packed += chunks.data();
    } else if (chunks.name()[0] >= 'A' && chunks.name()[0] <= 'Z' && chunks.name() != "PLTE") {
      chunks.fail(fmt::format("chunk \"{}\" is needed to read the picture, but not known",
                              printable(chunks.name())));
    }
  }
  return packed;
}

int predict_paeth(int left, int up, int corner) {
  const int guess = left + up - corner;
  const int dl = std::abs(guess - left), du = std::abs(guess - up), dc = std::abs(guess - corner);
  return dl <= du && dl <= dc ? left : (du <= dc ? up : corner);
}

// Undoes the filter of a row in place, section 9.2 of the standard; `step` bytes make a pixel.
// False where there is no such filter.
bool unfilter(int filter, std::span<const unsigned char> above, std::size_t step,
              std::span<unsigned char> row) {
  if (filter < 0 || filter > 4) return false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const int left = i < step ? 0 : row[i - step], up = above[i];
    const int corner = i < step ? 0 : above[i - step];
    const std::array<int, 5> guesses = {0, left, up, (left + up) / 2,
                                        filter == 4 ? predict_paeth(left, up, corner) : 0};
    row[i] = static_cast<unsigned char>(row[i] + guesses[static_cast<std::size_t>(filter)]);
  }
  return true;
}

std::uint16_t pixel_at(std::span<const unsigned char> row, std::size_t i, unsigned bits) {
  if (bits == 16) return static_cast<std::uint16_t>(row[2 * i] << 8 | row[2 * i + 1]);
  const std::size_t bit = i * bits;
  const unsigned shift = 8 - bits - static_cast<unsigned>(bit % 8);
  return static_cast<std::uint16_t>((row[bit / 8] >> shift) & ((1U << bits) - 1));
}

void decode_pass(const Chunks& chunks, const Format& format, const Pass& pass, ByteStream& stream,
                 GreyImage& image) {
  if (pass.x >= format.width || pass.y >= format.height) return;
  const std::size_t columns = (format.width - pass.x + pass.dx - 1) / pass.dx;
  const std::size_t row_size = (columns * format.bits + 7) / 8;
  std::vector<unsigned char> row(row_size + 1), above(row_size, 0);
  for (std::uint32_t y = pass.y; y < format.height; y += pass.dy) {
    stream.take(std::span(reinterpret_cast<char*>(row.data()), row.size()));
    const std::span<unsigned char> values = std::span(row).subspan(1);
    if (!unfilter(row[0], above, format.bits == 16 ? 2 : 1, values)) {
      chunks.fail(fmt::format("row {} has filter {}; 0 to 4 are known", y, row[0]));
    }
    std::copy(values.begin(), values.end(), above.begin());
    const std::size_t first = std::size_t{y} * format.width + pass.x;
    for (std::size_t i = 0; i < columns; ++i)
      image.pixels[first + i * pass.dx] = pixel_at(values, i, format.bits);
  }
}

}  // namespace

GreyImage decode_png(const std::string& path, std::string_view bytes) {
  Chunks chunks(path, bytes);
  const Format format = read_format(chunks);
  const std::string packed = collect_data(chunks);
  ByteStream stream(path, packed, Packing::kDeflate);
  const std::uint64_t count = std::uint64_t{format.width} * format.height;
  if (count * format.bits / 8 > stream.most_left()) {
    chunks.fail(fmt::format("{} x {} pixels cannot come from {} packed bytes", format.width,
                            format.height, packed.size()));
  }
  GreyImage image{static_cast<std::int32_t>(format.width), static_cast<std::int32_t>(format.height),
                  std::vector<std::uint16_t>(count)};
  const std::span<const Pass> passes =
      format.interlaced ? std::span<const Pass>(kInterlaced) : std::span<const Pass>(kPlain);
  for (const Pass& pass : passes) decode_pass(chunks, format, pass, stream, image);
  stream.finish();
  return image;
}

}  // namespace sinew::volume
