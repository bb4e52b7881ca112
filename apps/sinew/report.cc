#include "report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

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
  if (report.state_hash) document["state_hash"] = *report.state_hash;
  if (!report.files.empty()) document["files"] = report.files;
  if (!report.error.empty()) document["error"] = report.error;
  return document;
}

void print_table(const Report& report) {
  std::size_t width = 0;
  for (const Row& row : report.rows) width = std::max(width, row.name.size());
  const bool colour = is_terminal();
  for (const Row& row : report.rows) {
    std::string mark;
    if (row.pass) {
      mark = *row.pass ? "ok" : "FAILED";
      if (colour) mark = fmt::format("\033[{}m{}\033[0m", *row.pass ? 32 : 31, mark);
      if (!row.limit.empty()) mark += fmt::format("  ({})", row.limit);
    }
    fmt::print("  {:<{}}  {:>12.6g} {:<8} {}\n", row.name, width, row.value,
               row.unit == "1" ? "" : row.unit, mark);
  }
  if (report.state_hash) fmt::print("  state {}\n", *report.state_hash);
  for (const std::string& file : report.files) fmt::print("  wrote {}\n", file);
}

}  // namespace

bool is_terminal() {
  return isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1 &&
         std::getenv("NO_COLOR") == nullptr;
}

std::string to_text(const Report& report) {
  return to_json(report).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void warn(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) fmt::print(stderr, "  warning: {}\n", note);
}

void print(const Report& report, bool json) {
  if (json) {
    fmt::print("{}", to_text(report));
  } else {
    print_table(report);
  }
  std::fflush(stdout);
}

}  // namespace sinew::app
