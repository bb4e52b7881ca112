// Whole arrays in an HDF5 file, written once: for recordings and models. What is read is believed
// only after its type, shape and length are proven by what is stored.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sinew/record/hdf5_file.h"

namespace sinew::record {

// A kind of file that sinew writes into a folder.
struct FileKind {
  const char* name;    // such as "recording.h5"
  const char* what;    // such as "recording"
  const char* maker;   // the command that writes it
  const char* remedy;  // what to do where there is none
};

// The file, where `path` is it or the folder that holds it. Throws InputError where there is none
// or it does not begin as HDF5 files with checksums do.
std::string find_file(const std::string& path, const FileKind& kind);

// What a group says it holds. Refuses names that are not allowed or stand twice.
std::vector<std::string> read_names(const hdf5::File& file, const std::string& group,
                                    bool (*is_allowed)(std::string_view));

// Refuses a dataset that is laid out in another way.
void check_layout(const hdf5::Dataset& dataset, const hdf5::Layout& wanted);

// HDF5 keeps the length of a chunk, here of one array, in 32 bits.
void check_chunk(const hdf5::File& file, const std::string& place, std::size_t count,
                 std::size_t item_bytes);

// Precondition: `columns` numbers of the type are an Item.
template <class Item>
void write_fixed(hdf5::File& file, const std::string& path, hdf5::Type type, std::size_t columns,
                 const std::vector<Item>& items) {
  check_chunk(file, path, items.size(), sizeof(Item));
  const hdf5::Dims dims =
      columns == 1 ? hdf5::Dims{items.size()} : hdf5::Dims{items.size(), columns};
  file.make_dataset(path, make_fixed_layout(type, dims)).write_all(items.data());
}

// `columns` numbers a row, and how many rows the file itself says.
template <class Item>
std::vector<Item> read_fixed(const hdf5::File& file, const std::string& path, hdf5::Type type,
                             std::size_t columns) {
  const hdf5::Dataset dataset = file.open_dataset(path);
  const std::uint64_t rows = dataset.num_rows();
  const std::uint64_t file_size = file.size();
  if (rows > file_size) dataset.fail(fmt::format("cannot have {} rows in this small file", rows));
  check_layout(dataset, make_fixed_layout(
                            type, columns == 1 ? hdf5::Dims{rows} : hdf5::Dims{rows, columns}));
  std::vector<Item> items;
  if (rows == 0) return items;
  const std::uint64_t end = dataset.end_of_single_chunk();
  if (end == 0 || end > file_size) dataset.fail("its data are missing or cut off");
  items.resize(rows);
  dataset.read_rows(0, rows, items.data());
  return items;
}

template <std::size_t N>
void check_indices(const hdf5::File& file, const std::string& place,
                   const std::vector<std::array<std::uint32_t, N>>& items, std::size_t limit) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (const std::uint32_t index : items[i]) {
      if (index < limit) continue;
      file.fail(place,
                fmt::format("row {} holds the index {}, below {} is allowed", i, index, limit));
    }
  }
}

}  // namespace sinew::record
