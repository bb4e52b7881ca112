#include "report.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "sinew/core/error.h"

#include "say.h"

namespace sinew::app {
namespace {

nlohmann::ordered_json to_json(const Report& report) {
  nlohmann::ordered_json document;
  document["verb"] = report.verb;
  document["ok"] = report.ok;
  document["rows"] = nlohmann::ordered_json::array();
  for (const Row& row : report.rows) {
    nlohmann::ordered_json item;
    item["name"] = row.name;
    // JSON has no number for these.
    if (std::isfinite(row.value)) {
      item["value"] = row.value;
    } else {
      item["value"] = nullptr;
    }
    item["unit"] = row.unit;
    if (!row.limit.empty()) item["limit"] = row.limit;
    if (row.pass) item["pass"] = *row.pass;
    document["rows"].push_back(item);
  }
  for (const TextTable& table : report.tables) {
    document[table.name] = nlohmann::ordered_json::array();
    for (const std::vector<std::string>& row : table.rows) {
      nlohmann::ordered_json item;
      for (std::size_t c = 0; c < row.size(); ++c) item[table.columns[c]] = row[c];
      document[table.name].push_back(item);
    }
  }
  if (report.state_hash) document["state_hash"] = *report.state_hash;
  if (!report.files.empty()) document["files"] = report.files;
  if (!report.error.empty()) document["error"] = report.error;
  return document;
}

std::string make_table(const Report& report) {
  std::string table;
  std::size_t width = 0;
  for (const Row& row : report.rows) width = std::max(width, row.name.size());
  const bool colour = is_terminal();
  for (const Row& row : report.rows) {
    std::string mark;
    if (row.pass) {
      mark = *row.pass ? "ok" : "FAILED";
      if (colour) mark = fmt::format("\033[{}m{}\033[0m", *row.pass ? 32 : 31, mark);
      if (!row.limit.empty()) mark += format_said("  ({})", row.limit);
    }
    table += format_said("  {:<{}}  {:>12.6g} {:<8} ", row.name, width, row.value,
                         row.unit == "1" ? "" : row.unit);
    table += mark + "\n";
  }
  for (const TextTable& words : report.tables) {
    table += "\n";
    for (const std::string& line : make_lines(words)) table += format_said("  {}\n", line);
  }
  if (report.state_hash) table += format_said("  state {}\n", *report.state_hash);
  for (const std::string& file : report.files) table += format_said("  wrote {}\n", file);
  return table;
}

}  // namespace

void add_rows(const std::vector<CheckRow>& rows, Report& report) {
  for (const CheckRow& row : rows) {
    Row out{row.name, row.value, row.unit, row.limit, {}};
    if (!row.limit.empty()) out.pass = row.pass;
    report.ok = report.ok && row.pass;
    report.rows.push_back(std::move(out));
  }
}

bool is_terminal() {
  return isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1 &&
         std::getenv("NO_COLOR") == nullptr;
}

// In ASCII: what is beyond it may be a control character too.
std::string to_text(const Report& report) {
  return to_json(report).dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

void warn(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) say(stderr, "  warning: {}\n", note);
}

void print_out(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
    return;
  throw InputError("standard output", "",
                   "cannot be written: " + std::generic_category().message(errno));
}

void print(const Report& report, bool json) {
  print_out(json ? to_text(report) : make_table(report));
}

}  // namespace sinew::app
