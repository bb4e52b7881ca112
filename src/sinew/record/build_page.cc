#include "sinew/record/build_page.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/parallel.h"
#include "sinew/mesh/base64.h"
#include "sinew/record/model_picture.h"

namespace sinew::record {
namespace {

using anatomy::AttachedEnd;
using anatomy::BuildReport;
using anatomy::Model;
using anatomy::MuscleReport;

constexpr int kModelHeight = 560;   // pixels
constexpr int kMuscleHeight = 200;  // pixels
constexpr double kDegrees = 180 / std::numbers::pi;
constexpr std::size_t kMaxRepairs = 400;

constexpr const char* kStyle = R"(
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:1500px;padding:0 1rem;
color:#22252b;background:#fff}
h1{font-weight:600}h2{margin-top:2.2rem;font-weight:600}
table{border-collapse:collapse;font-size:13px}th,td{padding:.25rem .6rem;text-align:right;
border-bottom:1px solid #e3e5e8;vertical-align:middle}th{position:sticky;top:0;background:#f6f7f9;
cursor:pointer}td.t,th.t{text-align:left}img{display:block;border-radius:4px}
.w{color:#9a5b00}.bad{color:#b00020;font-weight:600}.key span{display:inline-block;width:.9em;
height:.9em;border-radius:2px;margin:0 .3em 0 1.1em;vertical-align:-.1em}
ul{padding-left:1.2rem}.facts td{border:0;text-align:left;padding:.1rem 1.2rem .1rem 0})";

// Sorts a table by the column whose head is clicked.
constexpr const char* kScript = R"(
for(const th of document.querySelectorAll("table.sort th"))th.onclick=()=>{
const table=th.closest("table"),body=table.tBodies[0],i=th.cellIndex,
key=r=>{const t=r.cells[i].dataset.v??r.cells[i].textContent,n=parseFloat(t);return isNaN(n)?t:n},
up=th.dataset.up!=="1";th.dataset.up=up?"1":"0";
[...body.rows].sort((a,b)=>{const x=key(a),y=key(b);return (x<y?-1:x>y?1:0)*(up?1:-1)})
.forEach(r=>body.append(r))};)";

std::string escape(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string encode_png_text(const Image& image) {
  const std::string bytes = encode_png(image);
  return mesh::encode_base64({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
}

std::string picture(const Image& image, const std::string& text) {
  return fmt::format(
      "<img alt=\"{}\" width=\"{}\" height=\"{}\" "
      "src=\"data:image/png;base64,{}\">",
      escape(text), image.width, image.height, encode_png_text(image));
}

std::string hex(const Vec3f& linear) {
  const auto channel = [](float x) {
    const double s = x <= 0.0031308F ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
    return static_cast<int>(std::lround(255 * std::clamp(s, 0.0, 1.0)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", channel(linear.x), channel(linear.y),
                     channel(linear.z));
}

std::string make_legend() {
  const ModelColors& c = model_colors();
  std::string out = "<p class=\"key\">";
  for (const auto& [name, color] :
       {std::pair{"muscle", c.muscle}, std::pair{"tendon", c.tendon},
        std::pair{"aponeurosis", c.aponeurosis}, std::pair{"origin", c.origin},
        std::pair{"insertion", c.insertion}, std::pair{"bone", c.bone}}) {
    out += fmt::format("<span style=\"background:{}\"></span>{}", hex(color), name);
  }
  return out + "</p>\n";
}

std::string make_facts(const Model& model, const BuildReport& report) {
  double seconds = 0;
  std::string out = "<table class=\"facts\"><tr><td>muscles</td><td>" +
                    std::to_string(model.muscles.size()) +
                    "</td></tr><tr><td>other tissues</td><td>" +
                    std::to_string(model.tissues.size()) + "</td></tr>";
  for (const anatomy::StageTime& stage : report.stages) {
    out += fmt::format("<tr><td>{}</td><td>{:.1f} s</td></tr>", stage.name, stage.seconds);
    seconds += stage.seconds;
  }
  return out + fmt::format("<tr><td>all</td><td>{:.1f} s</td></tr></table>\n", seconds);
}

std::string make_warnings(const BuildReport& report) {
  if (report.warnings.empty()) return "<p>No warning.</p>\n";
  std::string out = "<ul class=\"w\">";
  for (const std::string& warning : report.warnings) out += "<li>" + escape(warning) + "</li>\n";
  return out + "</ul>\n";
}

std::string end_cell(const AttachedEnd& end) {
  const std::string where = end.sibling.empty() ? end.bone : end.sibling;
  return fmt::format("<td class=\"t{}\">{} ({:.1f} cm&sup2;)</td>", end.valid ? "" : " bad",
                     escape(where.empty() ? "none" : where), end.area * 1e4);
}

std::string with_reference(double value, const std::optional<double>& reference, int digits) {
  return reference ? fmt::format("{:.{}f} ({:.{}f})", value, digits, *reference, digits)
                   : fmt::format("{:.{}f}", value, digits);
}

std::string muscle_row(const MuscleReport& m, const std::string& image) {
  if (!m.failure.empty()) {
    return fmt::format(
        "<tr><td class=\"t\">{}</td><td class=\"t bad\" "
        "colspan=\"14\">{}</td></tr>\n",
        escape(m.name), escape(m.failure));
  }
  const double lost = 1 - m.volume / m.source_volume;
  std::optional<double> length, pennation;
  if (m.reference_length) length = *m.reference_length * 1e3;
  if (m.reference_pennation) pennation = *m.reference_pennation * kDegrees;
  std::string mesh = "<td></td>";
  if (m.meshing) {
    mesh =
        fmt::format("<td>{:.0f}&ndash;{:.0f}&deg;, {:.1f}; {:.2f} mm, {:+.1f} %</td>",
                    m.meshing->quality.dihedral.smallest * kDegrees,
                    m.meshing->quality.dihedral.largest * kDegrees, m.meshing->quality.worst_aspect,
                    m.meshing->source_p99 * 1e3, 100 * m.meshing->volume_error);
  }
  std::string bricks = "<td></td>";
  if (m.bricks) {
    bricks = fmt::format("<td{}>{}: {:.2f}; {:.2f}; {}</td>",
                         m.bricks->outside > 0 ? " class=\"bad\"" : "", m.bricks->count,
                         m.bricks->quality, m.bricks->volume_ratio, m.bricks->outside);
  }
  return fmt::format(
      "<tr><td "
      "class=\"t\">{}</td><td>{}</td><td>{:.1f}</td><td{}>{:.1f}</"
      "td>{}{}<td>{}</td>"
      "<td>{}</td><td>{:.2f}</td><td>{:.0f}</td><td>{}</td><td>{}</"
      "td><td>{:.2f}</td>{}{}</tr>\n",
      escape(m.name), image, m.volume * 1e6, lost > 0.1 ? " class=\"bad\"" : "", 100 * lost,
      end_cell(m.origin), end_cell(m.insertion),
      with_reference(m.belly_length.median * 1e3, length, 0),
      with_reference(m.fibers.pennation.median * kDegrees, pennation, 0), 100 * m.fibers.undirected,
      100 * m.tendon_part, m.num_tets, m.split.num_split_cells, m.surface_p99 * 1e3, mesh, bricks);
}

// Drawing takes longer than all else here, so that it is shared among threads.
std::vector<std::string> draw_muscles(const Model& model) {
  std::vector<std::string> images(model.muscles.size());
  parallel_for(images.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t m = begin; m < end; ++m) {
      images[m] = picture(draw_muscle(model, m, kMuscleHeight), model.muscles[m].name);
    }
  });
  return images;
}

std::string make_muscle_table(const Model& model, const BuildReport& report) {
  std::string out =
      "<table class=\"sort\"><thead><tr><th class=\"t\">muscle</th><th>front, "
      "back</th>"
      "<th>volume, cm&sup3;</th><th>taken by neighbours, %</th><th "
      "class=\"t\">origin</th>"
      "<th class=\"t\">insertion</th><th>fibre length (literature), mm</th>"
      "<th>pennation (literature), &deg;</th><th>without direction, "
      "%</th><th>tendon, %</th>"
      "<th>tetrahedra</th><th>split cells</th><th>surface fit p99, mm</th>"
      "<th>conforming mesh: angles, aspect; fit p99, "
      "volume</th>"
      "<th>bricks: smallest Jacobian; volume to surface; vertices outside</th></tr></thead>"
      "<tbody>\n";
  const std::vector<std::string> images = draw_muscles(model);
  std::size_t built = 0;
  for (const MuscleReport& m : report.muscles) {
    out += muscle_row(m, m.failure.empty() ? images[built++] : "");
  }
  return out + "</tbody></table>\n";
}

// Of every label what came in, what repair left of it and what each step took and gave.
std::string make_label_table(const BuildReport& report) {
  std::string out =
      "<table class=\"sort\"><thead><tr><th>label</th><th class=\"t\">part</th>"
      "<th>before, cm&sup3;</th><th>after, cm&sup3;</th><th>change, %</th>";
  for (const std::string_view step : volume::kRepairSteps) {
    out += fmt::format("<th>{}, %</th>", step);
  }
  out += "</tr></thead><tbody>\n";
  for (const volume::LabelChange& label : report.labels) {
    const double percent = 100 / static_cast<double>(label.before);
    const double cubic_cm = 1e6 * report.label_voxel;
    out += fmt::format(
        "<tr><td>{}</td><td class=\"t\">{}</td><td>{:.2f}</td><td>{:.2f}</td><td{}>{:+.2f}</td>",
        label.label, escape(label.name), static_cast<double>(label.before) * cubic_cm,
        static_cast<double>(label.after) * cubic_cm,
        std::abs(label.change()) > volume::kNotableChange ? " class=\"bad\"" : "",
        100 * label.change());
    for (std::size_t s = 0; s < volume::kRepairSteps.size(); ++s) {
      const bool idle = label.taken[s] + label.given[s] == 0;
      out += idle ? "<td></td>"
                  : fmt::format("<td>-{:.2f} +{:.2f}</td>",
                                percent * static_cast<double>(label.taken[s]),
                                percent * static_cast<double>(label.given[s]));
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table>\n";
}

std::string make_repair_table(const BuildReport& report) {
  if (report.repairs.empty()) return "<p>Nothing had to be mended.</p>\n";
  std::string out =
      "<table class=\"sort\"><thead><tr><th class=\"t\">kind</th><th "
      "class=\"t\">part</th>"
      "<th class=\"t\">other</th><th>volume, mm&sup3;</th><th>x, mm</th><th>y, "
      "mm</th>"
      "<th>z, mm</th><th class=\"t\">detail</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < std::min(report.repairs.size(), kMaxRepairs); ++i) {
    const Repair& r = report.repairs[i];
    out += fmt::format(
        "<tr><td class=\"t{}\">{}</td><td "
        "class=\"t\">{}</td><td class=\"t\">{}</td>"
        "<td>{:.1f}</td><td>{:.1f}</td><td>{:.1f}</"
        "td><td>{:.1f}</td><td class=\"t\">{}</td></tr>\n",
        r.warn ? " w" : "", escape(r.kind), escape(r.part), escape(r.other), r.volume * 1e9,
        r.place.x * 1e3, r.place.y * 1e3, r.place.z * 1e3, escape(r.detail));
  }
  out += "</tbody></table>\n";
  if (report.repairs.size() > kMaxRepairs) {
    out += fmt::format("<p>{} more are left out here.</p>\n", report.repairs.size() - kMaxRepairs);
  }
  return out;
}

}  // namespace

std::string make_build_page(const Model& model, const BuildReport& report) {
  const std::string name = escape(model.name);
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta "
      "charset=\"utf-8\"><title>{0}</title>"
      "<style>{1}</style></head><body>\n<h1>{0}</h1>\n",
      name, kStyle);
  out += make_facts(model, report);
  out += picture(draw_model(model, kModelHeight), model.name + " from the front and from behind");
  out += make_legend();
  out += "<h2>Warnings</h2>\n" + make_warnings(report);
  out += "<h2>Muscles</h2>\n" + make_muscle_table(model, report);
  out += "<h2>Repairs</h2>\n" + make_repair_table(report);
  if (!report.labels.empty()) {
    out += "<h2>Labels before and after repair</h2>\n" + make_label_table(report);
  }
  return out + "<script>" + kScript + "</script></body></html>\n";
}

}  // namespace sinew::record
