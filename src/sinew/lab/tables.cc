#include "sinew/lab/tables.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew::lab {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.9g}", value) : std::string();
}

std::string cell(const std::vector<double>& values, std::size_t k) {
  return k < values.size() ? number(values[k]) : std::string();
}

}  // namespace

std::string make_rows_csv(const Result& result) {
  std::string text = "name,value,unit,limit,pass\n";
  for (const CheckRow& row : result.rows) {
    const char* pass = row.limit.empty() ? "" : row.pass ? "yes" : "no";
    text += fmt::format("{},{},{},{},{}\n", quoted(row.name), number(row.value), quoted(row.unit),
                        quoted(row.limit), pass);
  }
  return text;
}

std::string make_plot_csv(const Plot& plot) {
  std::string text;
  std::size_t longest = 0;
  for (const Series& series : plot.series) {
    text += text.empty() ? "" : ",";
    text += quoted(fmt::format("{}: {} [{}]", series.label, plot.x.label, plot.x.unit)) + "," +
            quoted(fmt::format("{}: {} [{}]", series.label, plot.y.label, plot.y.unit));
    longest = std::max({longest, series.x.size(), series.y.size()});
  }
  text += "\n";
  for (std::size_t k = 0; k < longest; ++k) {
    std::string line;
    for (const Series& series : plot.series) {
      if (&series != plot.series.data()) line += ",";
      line += cell(series.x, k) + "," + cell(series.y, k);
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace sinew::lab
