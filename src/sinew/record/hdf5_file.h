// The few HDF5 calls that recordings are made of, behind plain types: for the writer, the reader,
// and the tests that forge bad files. libhdf5 never prints; whatever it refuses becomes an
// InputError with the file and the object's path as the place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sinew::record::hdf5 {

using Id = std::int64_t;  // what HDF5 calls hid_t

// An HDF5 object that is closed when this goes.
class Handle {
 public:
  using Close = int (*)(Id);
  Handle() = default;
  Handle(Id id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle();

  Id get() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  Id id_ = -1;
  Close close_ = nullptr;
};

enum class Type { kU8, kU32, kU64, kF32, kF64, kOther };
std::size_t size_of(Type type);  // bytes; 0 for kOther

using Dims = std::vector<std::uint64_t>;

// Whether a file is read, and may be cut short, while it is written. One that is written as a whole
// is the same bytes for the same content; HDF5 puts the time of day into the other kind.
enum class Growth { kWhole, kWhileRead };

// How a dataset is laid out in the file.
struct Layout {
  Type type = Type::kF64;
  Dims dims;
  bool growing = false;  // the first dimension has no end
  Dims chunk;            // empty: not chunked
  bool checked = true;   // every chunk carries a Fletcher-32 checksum, and no other filter
};

// The layouts that recordings use. Chunks are never empty, even where the data are.
Layout make_fixed_layout(Type type, const Dims& dims);   // one chunk
Layout make_growing_layout(Type type, const Dims& row);  // a chunk a row, no rows yet

class Dataset {
 public:
  Dataset(Handle handle, std::string file, std::string place);

  const std::string& place() const { return place_; }
  const Layout& layout() const { return layout_; }  // `dims` as of the last refresh
  std::uint64_t num_rows() const { return layout_.dims.empty() ? 1 : layout_.dims[0]; }
  std::size_t row_bytes() const;

  // The whole of it. Precondition: the buffer has the size of the data.
  void write_all(const void* values);
  // Precondition: `row` has row_bytes().
  void append_row(const void* row);
  void refresh();

  // Whether the file holds row k in a chunk of the full length. Precondition: a chunk a row.
  bool has_row(std::uint64_t k) const;
  // First byte after the data of a dataset of one chunk, 0 where they are missing or of another
  // length than the layout says.
  std::uint64_t end_of_single_chunk() const;
  // Rows [first, first + count) into `out`. Precondition: they exist, `out` holds them.
  void read_rows(std::uint64_t first, std::uint64_t count, void* out) const;

  [[noreturn]] void fail(const std::string& message) const;

 private:
  void load_layout();
  void load_creation_properties();

  Handle handle_;
  std::string file_;
  std::string place_;
  Layout layout_;
};

class File {
 public:
  // `shown` is the name that messages use. Creates or empties the file.
  static File create(const std::string& path, const std::string& shown, Growth growth);
  // For a file that may be under a writer's hands, or have lost its writer.
  static File open(const std::string& path);

  const std::string& shown() const { return shown_; }
  std::uint64_t size() const;  // bytes on disk, now
  // Whether the name that messages use is still, or again, that of this file.
  bool is_in_place() const;
  void flush();
  void start_swmr();

  void make_group(const std::string& path);
  Dataset make_dataset(const std::string& path, const Layout& layout);
  // Follows hard links only: a recording does not reach into other files.
  Dataset open_dataset(const std::string& path) const;

  // Attributes of the group or dataset at `path`. Reading throws InputError where one is missing,
  // or of another type or size.
  bool has_attribute(const std::string& path, const std::string& name) const;
  void write_number(const std::string& path, const std::string& name, double value);
  void write_count(const std::string& path, const std::string& name, std::uint64_t value);
  void write_text(const std::string& path, const std::string& name, const std::string& value);
  void write_texts(const std::string& path, const std::string& name,
                   const std::vector<std::string>& values);
  double read_number(const std::string& path, const std::string& name) const;
  std::uint64_t read_count(const std::string& path, const std::string& name) const;
  std::string read_text(const std::string& path, const std::string& name) const;
  std::vector<std::string> read_texts(const std::string& path, const std::string& name) const;

  [[noreturn]] void fail(const std::string& place, const std::string& message) const;

 private:
  File(Handle handle, std::string shown) : handle_(std::move(handle)), shown_(std::move(shown)) {}
  Handle open_object(const std::string& path) const;
  Handle open_attribute(const std::string& path, const std::string& name) const;
  void check_links(const std::string& path) const;
  void write_text_block(const std::string& path, const std::string& name,
                        const std::vector<std::string>& values, const Handle& space);
  std::vector<std::string> read_text_block(const std::string& path, const std::string& name,
                                           int rank) const;
  void write_scalar(const std::string& path, const std::string& name, Type type, const void* value);
  void read_scalar(const std::string& path, const std::string& name, Type type, void* value) const;

  Handle handle_;
  std::string shown_;
};

// Silences libhdf5 on this thread; and what it last complained of, in brackets, or empty. Throws
// std::bad_alloc where that was a lack of memory, which is no fault of the file.
void quiet_errors();
std::string last_error();

}  // namespace sinew::record::hdf5
