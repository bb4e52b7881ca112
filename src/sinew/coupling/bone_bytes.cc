#include "sinew/coupling/bone_bytes.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace sinew::coupling {
namespace {

void write(const std::vector<double>& values, std::vector<std::byte>& bytes) {
  const auto count = static_cast<std::uint64_t>(values.size());
  const auto append = [&](const void* from, std::size_t size) {
    const auto* p = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), p, p + size);
  };
  append(&count, sizeof count);
  append(values.data(), values.size() * sizeof(double));
}

std::vector<double> read(std::span<const std::byte>& bytes) {
  std::uint64_t count = 0;
  if (bytes.size() < sizeof count) throw std::invalid_argument("the saved bones end too early");
  std::memcpy(&count, bytes.data(), sizeof count);
  bytes = bytes.subspan(sizeof count);
  if (count > bytes.size() / sizeof(double))
    throw std::invalid_argument("the saved bones end too early");
  std::vector<double> values(count);
  std::memcpy(values.data(), bytes.data(), count * sizeof(double));
  bytes = bytes.subspan(count * sizeof(double));
  for (const double value : values)
    if (!std::isfinite(value))
      throw std::invalid_argument("the saved bones hold a value that is not finite");
  return values;
}

}  // namespace

std::vector<std::byte> bones_to_bytes(const skeleton::MultibodyState& bones,
                                      const InverseSlope& slope) {
  std::vector<std::byte> bytes;
  write({bones.time}, bytes);
  write(bones.q, bytes);
  write(bones.u, bytes);
  write(slope, bytes);
  return bytes;
}

std::size_t bones_from_bytes(std::span<const std::byte> bytes, std::size_t num_free,
                             skeleton::MultibodyState& bones, InverseSlope& slope) {
  const std::size_t all = bytes.size();
  const std::vector<double> time = read(bytes);
  std::vector<double> q = read(bytes), u = read(bytes), inverse = read(bytes);
  const bool fits = time.size() == 1 && q.size() == bones.q.size() && u.size() == q.size() &&
                    (inverse.empty() || inverse.size() == num_free * num_free);
  if (!fits) throw std::invalid_argument("the saved bones are those of another skeleton");
  bones = {time[0], std::move(q), std::move(u)};
  slope = std::move(inverse);
  return all - bytes.size();
}

}  // namespace sinew::coupling
