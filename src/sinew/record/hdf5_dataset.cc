#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include <hdf5.h>

#include "sinew/core/error.h"
#include "sinew/record/hdf5_file.h"
#include "sinew/record/hdf5_types.h"

namespace sinew::record::hdf5 {
namespace {

constexpr std::size_t kChecksumBytes = 4;  // that Fletcher-32 adds to a chunk
constexpr int kMaxRank = 8;                // more than any layout here: bounds what is read

std::uint64_t product(Dims::const_iterator begin, Dims::const_iterator end) {
  return std::accumulate(begin, end, std::uint64_t{1}, std::multiplies<>());
}

Dims at_least_one(Dims dims) {
  for (auto& n : dims) n = std::max<std::uint64_t>(n, 1);
  return dims;
}

}  // namespace

Layout make_fixed_layout(Type type, const Dims& dims) {
  return {.type = type, .dims = dims, .growing = false, .chunk = at_least_one(dims)};
}

Layout make_growing_layout(Type type, const Dims& row) {
  Layout layout{.type = type, .dims = row, .growing = true, .chunk = at_least_one(row)};
  layout.dims.insert(layout.dims.begin(), 0);
  layout.chunk.insert(layout.chunk.begin(), 1);
  return layout;
}

Dataset::Dataset(Handle handle, std::string file, std::string place)
    : handle_(std::move(handle)), file_(std::move(file)), place_(std::move(place)) {
  quiet_errors();
  load_layout();
  load_creation_properties();
}

void Dataset::fail(const std::string& message) const {
  throw InputError(file_, place_, message);
}

void Dataset::load_layout() {
  const Handle type(H5Dget_type(handle_.get()), H5Tclose);
  const Handle space(H5Dget_space(handle_.get()), H5Sclose);
  const int rank = space.valid() ? H5Sget_simple_extent_ndims(space.get()) : -1;
  if (!type.valid() || rank < 0 || rank > kMaxRank) fail("its shape cannot be read" + last_error());
  std::array<hsize_t, kMaxRank> dims{};
  std::array<hsize_t, kMaxRank> max_dims{};
  H5Sget_simple_extent_dims(space.get(), dims.data(), max_dims.data());
  layout_.type = type_of(type.get());
  layout_.dims.assign(dims.begin(), dims.begin() + rank);
  layout_.growing = rank > 0 && max_dims[0] == H5S_UNLIMITED;
}

void Dataset::load_creation_properties() {
  const Handle properties(H5Dget_create_plist(handle_.get()), H5Pclose);
  if (!properties.valid()) fail("its properties cannot be read" + last_error());
  layout_.chunk.clear();
  if (H5Pget_layout(properties.get()) == H5D_CHUNKED) {
    std::array<hsize_t, kMaxRank + 1> chunk{};
    const int rank = H5Pget_chunk(properties.get(), kMaxRank, chunk.data());
    if (rank < 0 || rank > kMaxRank) fail("its chunks cannot be read" + last_error());
    layout_.chunk.assign(chunk.begin(), chunk.begin() + rank);
  }
  unsigned flags = 0;
  std::size_t num_values = 0;
  layout_.checked = H5Pget_nfilters(properties.get()) == 1 &&
                    H5Pget_filter2(properties.get(), 0, &flags, &num_values, nullptr, 0, nullptr,
                                   nullptr) == H5Z_FILTER_FLETCHER32;
}

std::size_t Dataset::row_bytes() const {
  if (layout_.dims.empty()) return size_of(layout_.type);
  return product(layout_.dims.begin() + 1, layout_.dims.end()) * size_of(layout_.type);
}

void Dataset::write_all(const void* values) {
  if (num_rows() * row_bytes() == 0) return;
  quiet_errors();
  if (H5Dwrite(handle_.get(), memory_type(layout_.type), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    fail("cannot be written" + last_error());
}

void Dataset::append_row(const void* row) {
  quiet_errors();
  Dims start(layout_.dims.size(), 0);
  start[0] = layout_.dims[0]++;
  Dims count = layout_.dims;
  count[0] = 1;
  if (H5Dset_extent(handle_.get(), as_hsize(layout_.dims).data()) < 0)
    fail("cannot grow" + last_error());
  if (row_bytes() == 0) return;
  const Handle file_space(H5Dget_space(handle_.get()), H5Sclose);
  const Handle row_space(
      H5Screate_simple(static_cast<int>(count.size()), as_hsize(count).data(), nullptr), H5Sclose);
  if (H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, as_hsize(start).data(), nullptr,
                          as_hsize(count).data(), nullptr) < 0 ||
      H5Dwrite(handle_.get(), memory_type(layout_.type), row_space.get(), file_space.get(),
               H5P_DEFAULT, row) < 0)
    fail("cannot be written" + last_error());
}

void Dataset::refresh() {
  quiet_errors();
  if (H5Drefresh(handle_.get()) < 0) fail("cannot be read again" + last_error());
  load_layout();
}

bool Dataset::has_row(std::uint64_t k) const {
  if (row_bytes() == 0) return k < num_rows();
  quiet_errors();
  Dims offset(layout_.dims.size(), 0);
  offset[0] = k;
  hsize_t size = 0;
  return H5Dget_chunk_storage_size(handle_.get(), as_hsize(offset).data(), &size) >= 0 &&
         size == row_bytes() + kChecksumBytes;
}

std::uint64_t Dataset::end_of_single_chunk() const {
  quiet_errors();
  const Dims offset(layout_.dims.size(), 0);
  unsigned filter_mask = 0;
  haddr_t address = 0;
  hsize_t size = 0;
  const bool found = H5Dget_chunk_info_by_coord(handle_.get(), as_hsize(offset).data(),
                                                &filter_mask, &address, &size) >= 0 &&
                     address != HADDR_UNDEF;
  const bool whole = filter_mask == 0 && size == num_rows() * row_bytes() + kChecksumBytes;
  return found && whole && address <= UINT64_MAX - size ? address + size : 0;
}

void Dataset::read_rows(std::uint64_t first, std::uint64_t count, void* out) const {
  if (count * row_bytes() == 0) return;
  quiet_errors();
  Dims start(layout_.dims.size(), 0);
  start[0] = first;
  Dims size = layout_.dims;
  size[0] = count;
  const Handle file_space(H5Dget_space(handle_.get()), H5Sclose);
  const Handle row_space(
      H5Screate_simple(static_cast<int>(size.size()), as_hsize(size).data(), nullptr), H5Sclose);
  if (H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, as_hsize(start).data(), nullptr,
                          as_hsize(size).data(), nullptr) < 0 ||
      H5Dread(handle_.get(), memory_type(layout_.type), row_space.get(), file_space.get(),
              H5P_DEFAULT, out) < 0)
    fail("its data are damaged" + last_error());
}

}  // namespace sinew::record::hdf5
