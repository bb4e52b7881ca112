// What a verb has to say, for people (a table) and for machines (one JSON document of one shape).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/core/check_row.h"

#include "text_table.h"

namespace sinew::app {

struct Row {
  std::string name;
  double value;
  std::string unit;
  std::string limit;  // such as "> 0"; empty where there is none
  std::optional<bool> pass;
};

struct Report {
  std::string verb;
  bool ok = true;
  std::vector<Row> rows;
  std::optional<std::string> state_hash;
  std::vector<std::string> files;
  std::string error;  // one line, empty where all went well
  std::vector<TextTable> tables = {};
};

// Adds what a validator found; a row that fails makes the report fail.
void add_rows(const std::vector<CheckRow>& rows, Report& report);

// Exit codes of every verb. After Ctrl-C and SIGTERM it is 128 and the signal's number: 130, 143.
inline constexpr int kSuccess = 0;
inline constexpr int kRunFailed = 1;
inline constexpr int kBadInput = 2;

// The report as a JSON document.
std::string to_text(const Report& report);

// Writes to standard output. Throws InputError where it takes nothing, such as a full disk.
void print_out(const std::string& text);

// Writes the report to standard output: JSON, or a table with units and marks.
void print(const Report& report, bool json);

// Each as a warning on standard error.
void warn(const std::vector<std::string>& notes);

// Whether standard output and error are terminals that may have colours and a moving bar.
bool is_terminal();

}  // namespace sinew::app
