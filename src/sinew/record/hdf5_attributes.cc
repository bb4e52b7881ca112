#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <hdf5.h>

#include "sinew/record/hdf5_file.h"
#include "sinew/record/hdf5_types.h"

namespace sinew::record::hdf5 {
namespace {

constexpr std::size_t kMaxTextBytes = 4096;
constexpr hssize_t kMaxTexts = 65536;

Handle make_text_type(std::size_t bytes) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), std::max<std::size_t>(bytes, 1));
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

}  // namespace

Handle File::open_attribute(const std::string& path, const std::string& name) const {
  const Handle object = open_object(path);
  Handle attribute(H5Aopen(object.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute.valid()) fail(path + "@" + name, "the attribute is missing" + last_error());
  return attribute;
}

bool File::has_attribute(const std::string& path, const std::string& name) const {
  const Handle object = open_object(path);
  const htri_t found = H5Aexists(object.get(), name.c_str());
  if (found < 0) fail(path + "@" + name, "cannot be looked for" + last_error());
  return found > 0;
}

void File::write_scalar(const std::string& path, const std::string& name, Type type,
                        const void* value) {
  const Handle object = open_object(path);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(object.get(), name.c_str(), file_type(type), space.get(),
                                    H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  if (!attribute.valid() || H5Awrite(attribute.get(), memory_type(type), value) < 0)
    fail(path + "@" + name, "cannot be written" + last_error());
}

void File::write_number(const std::string& path, const std::string& name, double value) {
  write_scalar(path, name, Type::kF64, &value);
}

void File::write_count(const std::string& path, const std::string& name, std::uint64_t value) {
  write_scalar(path, name, Type::kU64, &value);
}

void File::write_text(const std::string& path, const std::string& name, const std::string& value) {
  write_text_block(path, name, {value}, Handle(H5Screate(H5S_SCALAR), H5Sclose));
}

void File::write_texts(const std::string& path, const std::string& name,
                       const std::vector<std::string>& values) {
  const hsize_t count = values.size();
  write_text_block(path, name, values, Handle(H5Screate_simple(1, &count, nullptr), H5Sclose));
}

void File::write_text_block(const std::string& path, const std::string& name,
                            const std::vector<std::string>& values, const Handle& space) {
  std::size_t width = 1;
  for (const auto& value : values) width = std::max(width, value.size());
  std::vector<char> bytes(std::max<std::size_t>(values.size(), 1) * width, '\0');
  for (std::size_t i = 0; i < values.size(); ++i)
    std::copy(values[i].begin(), values[i].end(), bytes.data() + i * width);

  const Handle object = open_object(path);
  const Handle type = make_text_type(width);
  const Handle attribute(
      H5Acreate2(object.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  if (!attribute.valid() || H5Awrite(attribute.get(), type.get(), bytes.data()) < 0)
    fail(path + "@" + name, "cannot be written" + last_error());
}

void File::read_scalar(const std::string& path, const std::string& name, Type type,
                       void* value) const {
  const Handle attribute = open_attribute(path, name);
  const Handle space(H5Aget_space(attribute.get()), H5Sclose);
  const Handle found(H5Aget_type(attribute.get()), H5Tclose);
  if (H5Sget_simple_extent_type(space.get()) != H5S_SCALAR || type_of(found.get()) != type ||
      H5Aread(attribute.get(), memory_type(type), value) < 0)
    fail(path + "@" + name, fmt::format("the attribute must be one {}-bit number of the right kind",
                                        8 * size_of(type)));
}

double File::read_number(const std::string& path, const std::string& name) const {
  double value = 0;
  read_scalar(path, name, Type::kF64, &value);
  return value;
}

std::uint64_t File::read_count(const std::string& path, const std::string& name) const {
  std::uint64_t value = 0;
  read_scalar(path, name, Type::kU64, &value);
  return value;
}

std::string File::read_text(const std::string& path, const std::string& name) const {
  return read_text_block(path, name, 0)[0];
}

std::vector<std::string> File::read_texts(const std::string& path, const std::string& name) const {
  return read_text_block(path, name, 1);
}

std::vector<std::string> File::read_text_block(const std::string& path, const std::string& name,
                                               int rank) const {
  const std::string place = path + "@" + name;
  const Handle attribute = open_attribute(path, name);
  const Handle space(H5Aget_space(attribute.get()), H5Sclose);
  const Handle type(H5Aget_type(attribute.get()), H5Tclose);
  const bool simple = H5Sget_simple_extent_type(space.get()) != H5S_NULL &&
                      H5Sget_simple_extent_ndims(space.get()) == rank;
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0 || !simple)
    fail(place, rank == 0 ? "the attribute must be one text of fixed length"
                          : "the attribute must be a list of texts of fixed length");
  const std::size_t width = H5Tget_size(type.get());
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (width == 0 || width > kMaxTextBytes || count < 0 || count > kMaxTexts)
    fail(place, fmt::format("holds {} texts of {} bytes; allowed are {} of {} bytes", count, width,
                            kMaxTexts, kMaxTextBytes));
  std::vector<char> bytes(static_cast<std::size_t>(count) * width);
  if (!bytes.empty() && H5Aread(attribute.get(), type.get(), bytes.data()) < 0)
    fail(place, "cannot be read" + last_error());
  std::vector<std::string> texts(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < texts.size(); ++i)
    texts[i].assign(bytes.data() + i * width, strnlen(bytes.data() + i * width, width));
  return texts;
}

}  // namespace sinew::record::hdf5
