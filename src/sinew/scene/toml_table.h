// One table of a scene file, read key by key. Whatever is wrong is refused with an InputError that
// names the file, the line, the key, what was found, what is allowed and the nearest right word.
#pragma once

#include <functional>
#include <initializer_list>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/scene/toml_value.h"

namespace sinew::scene {

inline constexpr double kDegree = std::numbers::pi / 180;  // rad, of keys that end in _deg

// What a number may be. Only finite numbers pass.
struct Range {
  double low, high;
  const char* unit = "";    // such as "m/s"
  bool above_low = false;   // low itself is not allowed
  bool below_high = false;  // nor is high
};

class Table {
 public:
  // `file` and `value` must outlive the table; `place` is its path in the document, such as
  // "bodies[0].shape", empty for the whole.
  Table(const std::string& file, const Value& value, std::string place);

  // Refuses every other key. All keys that are read must be named here; before a call of this only
  // `word` may be used, for the key that decides which others there are.
  void allow(std::initializer_list<std::string_view> keys);

  // Allows all keys that are there and returns them: of a table whose keys are names.
  std::vector<std::string> allow_names();

  bool has(std::string_view key) const { return find(key) != nullptr; }

  double number(std::string_view key, const Range& range) const;
  double number_or(std::string_view key, const Range& range, double fallback) const;
  int integer_or(std::string_view key, int low, int high, int fallback) const;
  // Between one and 10,000 numbers.
  std::vector<double> numbers(std::string_view key, const Range& range) const;
  // Between one and 10,000 whole numbers.
  std::vector<int> integers(std::string_view key, int low, int high) const;
  bool boolean_or(std::string_view key, bool fallback) const;
  // Three numbers, each at most `limit` in size.
  Vec3d vector(std::string_view key, double limit, const char* unit) const;
  // Between one and 10,000 of them.
  std::vector<Vec3d> vectors(std::string_view key, double limit, const char* unit) const;
  Vec3d vector_or(std::string_view key, double limit, const char* unit, const Vec3d& other) const;
  // Three numbers, not all zero, scaled to length one.
  Vec3d direction(std::string_view key) const;
  Vec3d direction_or(std::string_view key, const Vec3d& other) const;
  // One of the words.
  std::string word(std::string_view key, std::initializer_list<std::string_view> words) const;
  // Letters, digits, "_" and "-", 1 to 64 of them.
  std::string name(std::string_view key) const;
  // Any text without control characters, 1 to 4096 bytes.
  std::string text(std::string_view key) const;
  // Between one and 10,000 of them.
  std::vector<std::string> names(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key) const;
  // Between one and 10,000 lists of three numbers, none of them zero, scaled to length one.
  std::vector<Vec3d> directions(std::string_view key) const;
  Table table(std::string_view key) const;
  std::optional<Table> table_if(std::string_view key) const;
  // At most `most` tables; none where the key is missing.
  std::vector<Table> tables(std::string_view key, std::size_t most) const;

  const std::string& file() const { return file_; }
  // Refuses the value of a key, or the table as a whole where it has none such.
  [[noreturn]] void fail(std::string_view key, const std::string& message) const;

 private:
  const Member* find(std::string_view key) const;
  const Member& need(std::string_view key) const;
  const Member& need(std::string_view key, Value::Kind kind, const std::string& wanted) const;
  const std::vector<Value>& need_list(std::string_view key, const std::string& wanted) const;
  double checked(const Value& value, const std::string& place, const Range& range) const;
  Vec3d checked_vector(const Value& value, const std::string& place, double limit,
                       const char* unit) const;
  Vec3d checked_direction(const Value& value, const std::string& place) const;
  const std::string& checked_name(const Value& value, const std::string& place) const;
  const std::string& checked_text(const Value& value, const std::string& place) const;
  std::string path_of(std::string_view key) const;
  std::string path_of(std::string_view key, std::size_t item) const;
  [[noreturn]] void fail_at(unsigned line, const std::string& place,
                            const std::string& message) const;
  [[noreturn]] void fail_kind(const Value& value, const std::string& place,
                              const std::string& wanted) const;

  const std::string& file_;
  const Value& value_;
  std::string place_;
  std::vector<std::string_view> allowed_;
};

}  // namespace sinew::scene
