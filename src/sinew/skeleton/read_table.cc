#include "sinew/skeleton/read_table.h"

#include <optional>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/temporary_file.h"
#include "sinew/core/text.h"
#include "sinew/skeleton/table_lines.h"

namespace sinew::skeleton {
namespace {

struct Header {
  std::string name;
  std::optional<std::size_t> num_rows, num_columns;  // as the file says; columns with time
  std::optional<bool> in_degrees;
};

bool parse_degrees(const TableLines& lines, std::string_view value) {
  const std::string word = to_lower(value);
  if (word == "yes" || word == "true") return true;
  if (word == "no" || word == "false") return false;
  lines.fail(fmt::format("inDegrees is \"{}\"; allowed: yes, no", printable(value)));
}

void parse_header_line(const TableLines& lines, std::string_view line, Header& header) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return;
  const std::string key = to_lower(volume::trim(line.substr(0, equals)));
  const std::string_view value = volume::trim(line.substr(equals + 1));
  if (key == "nrows") header.num_rows = lines.count(value, "nRows");
  if (key == "ncolumns") header.num_columns = lines.count(value, "nColumns");
  if (key == "indegrees") header.in_degrees = parse_degrees(lines, value);
}

Header parse_header(TableLines& lines) {
  Header header;
  bool is_first = true;
  while (lines.next()) {
    const std::string_view line = volume::trim(lines.line());
    if (to_lower(line) == "endheader") return header;
    parse_header_line(lines, line, header);
    if (is_first) header.name = line;
    is_first = false;
  }
  lines.fail("the header does not end: no line \"endheader\"; is this an OpenSim table?");
}

// (num_columns of the file, without time) which are kept.
std::vector<bool> parse_columns(TableLines& lines, const Header& header, TimeTable& table) {
  if (!lines.next_filled()) lines.fail("the file ends after its header; it may be truncated");
  const std::vector<std::string_view> cells = split_filled_cells(lines.line());
  if (cells.empty() || to_lower(cells[0]) != "time") {
    lines.fail("the first column must be \"time\"");
  }
  const std::vector<std::string> names(cells.begin() + 1, cells.end());
  std::vector<bool> is_kept = lines.find_first_names(names, "columns", table.notes);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_kept[i]) table.columns.push_back(names[i]);
  }
  if (header.num_columns && *header.num_columns != cells.size()) {
    table.notes.push_back(
        fmt::format("{}: there are {} columns, though the header says nColumns={}", table.file,
                    cells.size(), *header.num_columns));
  }
  return is_kept;
}

// Rows of the same time are one, as OpenSim has it: the last of them.
struct Repeats {
  std::size_t count = 0, line = 0;  // the last one's
  double time = 0;
};

void parse_row(const TableLines& lines, const std::vector<bool>& is_kept, TimeTable& table,
               Repeats& repeats) {
  const std::vector<std::string_view> words = volume::split_words(lines.line());
  if (words.size() != is_kept.size() + 1) {
    lines.fail(fmt::format("the row has {} numbers; {} are needed, one for each column",
                           words.size(), is_kept.size() + 1));
  }
  lines.check_size(table.rows.size() + 1, is_kept.size());
  const double time = lines.number(words[0]);
  if (!table.times.empty() && time == table.times.back()) {
    table.times.pop_back();
    table.rows.pop_back();
    repeats = {repeats.count + 1, lines.number_of_line(), time};
  }
  lines.check_time(time, table.times);
  std::vector<double> row;
  row.reserve(table.columns.size());
  for (std::size_t i = 1; i < words.size(); ++i) {
    const double value = lines.number(words[i]);
    if (is_kept[i - 1]) row.push_back(value);
  }
  table.times.push_back(time);
  table.rows.push_back(std::move(row));
}

void note_repeats(const Repeats& repeats, TimeTable& table) {
  if (repeats.count == 0) return;
  table.notes.push_back(
      fmt::format("{}: the time {} is there again (line {}){}; the later row is taken", table.file,
                  repeats.time, repeats.line,
                  repeats.count > 1 ? fmt::format(", after {} more", repeats.count - 1) : ""));
}

}  // namespace

TimeTable parse_time_table(const std::string& text, const std::string& path) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw InputError(path, "", "the file is empty");
  }
  TableLines lines(path, text);
  const Header header = parse_header(lines);
  TimeTable table;
  table.file = path;
  table.name = header.name;
  table.in_degrees = header.in_degrees.value_or(to_lower(path).ends_with(".mot"));
  table.says_degrees = header.in_degrees.has_value();
  const std::vector<bool> is_kept = parse_columns(lines, header, table);
  Repeats repeats;
  while (lines.next_filled()) parse_row(lines, is_kept, table, repeats);
  if (table.times.empty()) lines.fail("the table has no rows");
  note_repeats(repeats, table);
  const std::size_t num_rows = table.times.size() + repeats.count;
  if (header.num_rows && *header.num_rows != num_rows) {
    table.notes.push_back(
        fmt::format("{}: there are {} rows, though the header says nRows={}; all "
                    "that are there are read{}",
                    table.file, num_rows, *header.num_rows,
                    *header.num_rows > num_rows ? "; is the file cut off?" : ""));
  }
  return table;
}

TimeTable read_time_table(const std::string& path) {
  return parse_time_table(read_table_bytes(path), path);
}

void write_time_table(const TimeTable& table, const std::string& path) {
  SINEW_CHECK(table.rows.size() == table.times.size(), "a row for each time");
  std::string text =
      fmt::format("{}\nversion=1\nnRows={}\nnColumns={}\ninDegrees={}\nendheader\ntime", table.name,
                  table.rows.size(), table.columns.size() + 1, table.in_degrees ? "yes" : "no");
  for (const std::string& column : table.columns) text.append("\t").append(column);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    SINEW_CHECK(table.rows[i].size() == table.columns.size(), "a number for each column");
    fmt::format_to(std::back_inserter(text), "\n{}", table.times[i]);
    for (const double value : table.rows[i]) {
      fmt::format_to(std::back_inserter(text), "\t{}", value);
    }
  }
  text += '\n';
  write_file(path, text);
}

}  // namespace sinew::skeleton
