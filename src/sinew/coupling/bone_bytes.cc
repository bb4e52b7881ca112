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

std::vector<double> flatten(const std::vector<engine::Wrench>& wrenches) {
  std::vector<double> out;
  for (const engine::Wrench& w : wrenches)
    out.insert(out.end(), {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z});
  return out;
}

std::vector<engine::Wrench> to_wrenches(const std::vector<double>& v) {
  std::vector<engine::Wrench> out;
  for (std::size_t i = 0; i + 5 < v.size(); i += 6)
    out.push_back({{v[i], v[i + 1], v[i + 2]}, {v[i + 3], v[i + 4], v[i + 5]}});
  return out;
}

}  // namespace

std::vector<std::byte> bones_to_bytes(const CoupledBones& state) {
  std::vector<std::byte> bytes;
  write({state.bones.time}, bytes);
  write(state.bones.q, bytes);
  write(state.bones.u, bytes);
  write(state.slope, bytes);
  write(flatten(state.loads.wrenches), bytes);
  write(state.loads.tensions, bytes);
  return bytes;
}

std::size_t bones_from_bytes(std::span<const std::byte> bytes, const BoneCounts& counts,
                             CoupledBones& state) {
  const std::size_t all = bytes.size();
  const std::vector<double> time = read(bytes);
  std::vector<double> q = read(bytes), u = read(bytes), inverse = read(bytes);
  const std::vector<double> wrenches = read(bytes);
  std::vector<double> tensions = read(bytes);
  const auto none_or = [](std::size_t size, std::size_t n) { return size == 0 || size == n; };
  const bool fits = time.size() == 1 && q.size() == counts.coordinates && u.size() == q.size() &&
                    none_or(inverse.size(), counts.free * counts.free) &&
                    none_or(wrenches.size(), 6 * counts.bones) &&
                    none_or(tensions.size(), counts.tendons);
  if (!fits) throw std::invalid_argument("the saved bones are those of another skeleton");
  state = {{time[0], std::move(q), std::move(u)},
           std::move(inverse),
           {to_wrenches(wrenches), std::move(tensions)}};
  return all - bytes.size();
}

}  // namespace sinew::coupling
