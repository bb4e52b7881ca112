#include "sinew/record/hdf5_file.h"

#include <algorithm>
#include <new>
#include <string_view>

#include <hdf5.h>
#include <sys/stat.h>

#include "sinew/core/error.h"
#include "sinew/record/hdf5_types.h"

namespace sinew::record::hdf5 {
namespace {

constexpr hsize_t kPageBytes = 4096;
// HDF5 waits twice as long after each attempt to read metadata that fail their checksum, from 1 ns
// on: this many make a few milliseconds, while its default of 100 makes a damaged file hang.
constexpr unsigned kReadAttempts = 22;

// Every handle has an owner who closes it. HDF5's own end at exit has nothing to do then, and
// crashes where a file could not be written (1.10.8). Said before anything else is.
const bool kNoEndOfItsOwn = H5dont_atexit() >= 0;

// Of what is created: without the time of day, so that the same content is the same bytes.
Handle make_properties(hid_t kind) {
  Handle properties(H5Pcreate(kind), H5Pclose);
  H5Pset_obj_track_times(properties.get(), false);
  return properties;
}

Handle make_access_properties() {
  Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(properties.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  // Readers and the one writer agree by SWMR; locks only fail, on file systems that lack them.
  H5Pset_file_locking(properties.get(), false, true);
  H5Pset_metadata_read_attempts(properties.get(), kReadAttempts);
  return properties;
}

struct Complaint {
  std::string text;
  bool of_memory = false;
};

// What the system said, without the page of times and addresses around it.
std::string shorten(const std::string& text) {
  constexpr std::string_view kBefore = "error message = '";
  const std::size_t at = text.find(kBefore);
  if (at == std::string::npos) return text.substr(0, text.find('\n'));
  const std::size_t begin = at + kBefore.size();
  return text.substr(begin, text.find('\'', begin) - begin);
}

herr_t keep_first(unsigned n, const H5E_error2_t* error, void* complaint) {
  if (n != 0) return 0;
  auto* first = static_cast<Complaint*>(complaint);
  if (error->desc != nullptr) first->text = shorten(error->desc);
  first->of_memory = error->maj_num == H5E_RESOURCE &&
                     (error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC);
  return 0;
}

}  // namespace

Handle& Handle::operator=(Handle&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(close_, other.close_);
  return *this;
}

Handle::~Handle() {
  if (id_ < 0) return;
  quiet_errors();
  close_(id_);
}

void quiet_errors() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string last_error() {
  Complaint first;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &first);
  if (first.of_memory) throw std::bad_alloc();
  return first.text.empty() ? "" : " (HDF5: " + first.text + ")";
}

std::size_t size_of(Type type) {
  return type == Type::kOther ? 0 : H5Tget_size(file_type(type));
}

hid_t memory_type(Type type) {
  switch (type) {
    case Type::kU8:
      return H5T_NATIVE_UINT8;
    case Type::kU32:
      return H5T_NATIVE_UINT32;
    case Type::kU64:
      return H5T_NATIVE_UINT64;
    case Type::kF32:
      return H5T_NATIVE_FLOAT;
    case Type::kF64:
      return H5T_NATIVE_DOUBLE;
    case Type::kOther:
      break;
  }
  return -1;
}

hid_t file_type(Type type) {
  switch (type) {
    case Type::kU8:
      return H5T_STD_U8LE;
    case Type::kU32:
      return H5T_STD_U32LE;
    case Type::kU64:
      return H5T_STD_U64LE;
    case Type::kF32:
      return H5T_IEEE_F32LE;
    case Type::kF64:
      return H5T_IEEE_F64LE;
    case Type::kOther:
      break;
  }
  return -1;
}

Type type_of(hid_t type) {
  for (const Type t : {Type::kU8, Type::kU32, Type::kU64, Type::kF32, Type::kF64})
    if (H5Tequal(type, file_type(t)) > 0) return t;
  return Type::kOther;
}

File File::create(const std::string& path, const std::string& shown, Growth growth) {
  quiet_errors();
  const Handle creation = make_properties(H5P_FILE_CREATE);
  // Pages keep small metadata from straddling a page of the disk cache, which is what a kill in
  // the middle of a write could tear.
  if (growth == Growth::kWhileRead) {
    H5Pset_file_space_strategy(creation.get(), H5F_FSPACE_STRATEGY_PAGE, false, 1);
    H5Pset_file_space_page_size(creation.get(), kPageBytes);
  }
  Handle handle(
      H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), make_access_properties().get()),
      H5Fclose);
  if (!handle.valid()) throw InputError(shown, "", "cannot be created" + last_error());
  return {std::move(handle), shown};
}

File File::open(const std::string& path) {
  quiet_errors();
  Handle handle(
      H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, make_access_properties().get()),
      H5Fclose);
  if (!handle.valid())
    throw InputError(path, "", "is no readable HDF5 file: damaged or truncated" + last_error());
  return {std::move(handle), path};
}

void File::fail(const std::string& place, const std::string& message) const {
  throw InputError(shown_, place, message);
}

namespace {

// Asked of the system: HDF5's own answers are those of the moment of opening.
struct stat ask_status(const File& file, const Handle& handle) {
  void* descriptor = nullptr;
  struct stat status {};
  if (H5Fget_vfd_handle(handle.get(), H5P_DEFAULT, &descriptor) < 0 ||
      fstat(*static_cast<int*>(descriptor), &status) != 0)
    file.fail("", "has no size" + last_error());
  return status;
}

}  // namespace

std::uint64_t File::size() const {
  return static_cast<std::uint64_t>(ask_status(*this, handle_).st_size);
}

bool File::is_in_place() const {
  const struct stat open = ask_status(*this, handle_);
  struct stat named {};
  return lstat(shown_.c_str(), &named) == 0 && named.st_dev == open.st_dev &&
         named.st_ino == open.st_ino;
}

void File::flush() {
  quiet_errors();
  if (H5Fflush(handle_.get(), H5F_SCOPE_LOCAL) < 0)
    fail("", "cannot be written: is the disk full?" + last_error());
}

void File::start_swmr() {
  quiet_errors();
  if (H5Fstart_swmr_write(handle_.get()) < 0)
    fail("", "cannot be shared with readers" + last_error());
}

void File::make_group(const std::string& path) {
  quiet_errors();
  const Handle properties = make_properties(H5P_GROUP_CREATE);
  const Handle group(
      H5Gcreate2(handle_.get(), path.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
      H5Gclose);
  if (!group.valid()) fail(path, "cannot be created" + last_error());
}

Dataset File::make_dataset(const std::string& path, const Layout& layout) {
  quiet_errors();
  // A fixed dimension of zero still needs room for its chunk of one.
  std::vector<hsize_t> max_dims = as_hsize(layout.dims);
  for (auto& n : max_dims) n = std::max<hsize_t>(n, 1);
  if (layout.growing) max_dims[0] = H5S_UNLIMITED;
  const Handle space(H5Screate_simple(static_cast<int>(layout.dims.size()),
                                      as_hsize(layout.dims).data(), max_dims.data()),
                     H5Sclose);
  const Handle properties = make_properties(H5P_DATASET_CREATE);
  if (!layout.chunk.empty())
    H5Pset_chunk(properties.get(), static_cast<int>(layout.chunk.size()),
                 as_hsize(layout.chunk).data());
  if (layout.checked) H5Pset_fletcher32(properties.get());
  Handle handle(H5Dcreate2(handle_.get(), path.c_str(), file_type(layout.type), space.get(),
                           H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                H5Dclose);
  if (!handle.valid()) fail(path, "cannot be created" + last_error());
  return {std::move(handle), shown_, path};
}

void File::check_links(const std::string& path) const {
  for (std::size_t end = 0; end != std::string::npos && path != "/";) {
    end = path.find('/', end + 1);
    const std::string part = path.substr(0, end);
    H5L_info_t info{};
    if (H5Lget_info(handle_.get(), part.c_str(), &info, H5P_DEFAULT) < 0)
      fail(part, "is missing" + last_error());
    if (info.type != H5L_TYPE_HARD) fail(part, "is a link to elsewhere, which is not allowed");
  }
}

Dataset File::open_dataset(const std::string& path) const {
  quiet_errors();
  check_links(path);
  Handle handle(H5Dopen2(handle_.get(), path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!handle.valid()) fail(path, "is no readable dataset" + last_error());
  return {std::move(handle), shown_, path};
}

Handle File::open_object(const std::string& path) const {
  quiet_errors();
  check_links(path);
  Handle object(H5Oopen(handle_.get(), path.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object.valid()) fail(path, "cannot be read" + last_error());
  return object;
}

}  // namespace sinew::record::hdf5
