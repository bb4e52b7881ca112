#include "sinew/lab/page.h"

#include <fmt/format.h>

#include "sinew/core/temporary_file.h"
#include "sinew/lab/svg.h"
#include "sinew/lab/tables.h"

namespace sinew::lab {
namespace {

constexpr const char* kStyle = R"(
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:860px;padding:0 1rem;
color:#22252b;background:#fff}
h1{font-weight:600;font-size:1.7rem;margin-bottom:.2rem}h2{margin-top:2.2rem;font-weight:600}
table{border-collapse:collapse;font-size:14px}th,td{padding:.25rem .8rem;text-align:right;
border-bottom:1px solid #e3e5e8;white-space:nowrap}td:first-child{white-space:normal}
th{background:#f6f7f9}td.t,th.t{text-align:left}
.ok{color:#137333;font-weight:600}.bad{color:#b00020;font-weight:600}.note{color:#5f6368}
svg{max-width:100%;height:auto})";

std::string make_row(const CheckRow& row) {
  std::string mark;
  if (!row.limit.empty()) {
    mark = row.pass ? "<span class=\"ok\">passes</span>" : "<span class=\"bad\">fails</span>";
  }
  const std::string value =
      row.is_answer ? (row.value != 0 ? "yes" : "no") : fmt::format("{:.5g}", row.value);
  return fmt::format(
      "<tr><td class=\"t\">{}</td><td>{}</td><td class=\"t\">{}</td><td class=\"t\">{}</td>"
      "<td class=\"t\">{}</td></tr>\n",
      escape_markup(row.name), value, row.unit == "1" ? "" : escape_markup(row.unit),
      row.is_answer ? "yes" : escape_markup(row.limit), mark);
}

std::string make_figure(const Plot& plot) {
  return fmt::format(
      "<h2>{}</h2>\n{}<p class=\"note\">{} The numbers are in <a href=\"{}.csv\">{}.csv</a>.</p>\n",
      escape_markup(plot.title), make_svg(plot), escape_markup(plot.caption), plot.name, plot.name);
}

}  // namespace

std::string make_page(const Experiment& experiment, const Result& result) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}: Sinew lab"
      "</title>\n<style>{1}</style></head><body>\n<h1>{2}</h1>\n<p class=\"note\">{3}. "
      "<code>sinew lab {0}</code></p>\n<p>{4}</p>\n",
      escape_markup(experiment.name), kStyle, escape_markup(experiment.title),
      escape_markup(experiment.source),
      passes(result) ? "<span class=\"ok\">The published behaviour is there.</span>"
                     : "<span class=\"bad\">Not all of the published behaviour is there.</span>");
  for (const Plot& plot : result.plots) out += make_figure(plot);
  out +=
      "<h2>What was measured</h2>\n<table><thead><tr><th class=\"t\">what</th><th>value</th><th "
      "class=\"t\">unit</th>"
      "<th class=\"t\">allowed</th><th></th></tr></thead><tbody>\n";
  for (const CheckRow& row : result.rows) out += make_row(row);
  return out + "</tbody></table>\n</body></html>\n";
}

std::vector<std::string> write_result(const std::string& folder, const Experiment& experiment,
                                      const Result& result) {
  make_folder(folder);
  std::vector<std::string> paths;
  const auto write = [&](const std::string& name, const std::string& text) {
    paths.push_back(folder + "/" + name);
    write_file(paths.back(), text);
  };
  write("index.html", make_page(experiment, result));
  write("rows.csv", make_rows_csv(result));
  for (const Plot& plot : result.plots) write(plot.name + ".csv", make_plot_csv(plot));
  for (const TextFile& file : result.files) write(file.name, file.text);
  return paths;
}

}  // namespace sinew::lab
