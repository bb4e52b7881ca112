#include "sinew/lab/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace sinew::lab {
namespace {

constexpr double kWidth = 760, kHeight = 430;
constexpr double kLeft = 74, kRight = 20, kTop = 14, kBottom = 54;
constexpr double kLegendLine = 19;
constexpr double kLetter = 7.2;  // mean width of one in a label
// Okabe and Ito 2008: colours that are told apart without red and green.
constexpr std::array<const char*, 7> kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#56b4e9", "#e69f00", "#1a1a1a"};
constexpr const char* kPublished = "#9aa0a6";

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

void include(Range& range, double value) {
  range.low = std::min(range.low, value);
  range.high = std::max(range.high, value);
}

// A little air around, and never empty.
Range padded(Range range, double share) {
  if (range.low > range.high) return {0, 1};
  const double size = range.high - range.low;
  const double scale = std::max(std::abs(range.low), std::abs(range.high));
  const double air = size > 1e-12 * scale ? share * size : scale > 0 ? 0.1 * scale : 1;
  return {range.low - air, range.high + air};
}

struct Frame {
  Range x, y;
  double place_x(double value) const {
    return kLeft + (value - x.low) / (x.high - x.low) * (kWidth - kLeft - kRight);
  }
  double place_y(double value) const {
    return kHeight - kBottom - (value - y.low) / (y.high - y.low) * (kHeight - kTop - kBottom);
  }
};

bool is_point(const Series& series, std::size_t k) {
  return std::isfinite(series.x[k]) && std::isfinite(series.y[k]);
}
std::size_t size_of(const Series& series) {
  return std::min(series.x.size(), series.y.size());
}

Frame make_frame(const Plot& plot) {
  Frame frame;
  for (const Series& series : plot.series) {
    for (std::size_t k = 0; k < size_of(series); ++k) {
      if (!is_point(series, k)) continue;
      include(frame.x, series.x[k]);
      include(frame.y, series.y[k]);
    }
  }
  return {padded(frame.x, 0.02), padded(frame.y, 0.05)};
}

std::string tick_text(double value, double step) {
  return fmt::format("{:.4g}", std::abs(value) < 1e-9 * step ? 0.0 : value);
}

std::string axis_text(const Axis& axis) {
  return escape_markup(axis.unit == "1" ? axis.label : axis.label + " (" + axis.unit + ")");
}

std::string draw_axes(const Plot& plot, const Frame& frame) {
  const double right = kWidth - kRight, bottom = kHeight - kBottom;
  std::string out;
  const std::vector<double> xs = make_ticks(frame.x.low, frame.x.high);
  const std::vector<double> ys = make_ticks(frame.y.low, frame.y.high);
  for (const double x : xs) {
    out += fmt::format(
        "<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" class=\"g\"/><text x=\"{0:.1f}\" y=\"{3:.1f}\" "
        "text-anchor=\"middle\">{4}</text>\n",
        frame.place_x(x), kTop, bottom, bottom + 18, tick_text(x, frame.x.high - frame.x.low));
  }
  for (const double y : ys) {
    out += fmt::format(
        "<path d=\"M{0:.1f} {1:.1f}H{2:.1f}\" class=\"g\"/><text x=\"{3:.1f}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5}</text>\n",
        kLeft, frame.place_y(y), right, kLeft - 8, frame.place_y(y) + 4,
        tick_text(y, frame.y.high - frame.y.low));
  }
  out += fmt::format("<path d=\"M{0} {1}V{2}H{3}\" class=\"a\"/>\n", kLeft, kTop, bottom, right);
  out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                     0.5 * (kLeft + right), kHeight - 14, axis_text(plot.x));
  out += fmt::format(
      "<text transform=\"translate(18 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
      0.5 * (kTop + bottom), axis_text(plot.y));
  return out;
}

const char* dash_of(const Series& series) {
  switch (series.stroke) {
    case Stroke::kDashed:
      return " stroke-dasharray=\"8 5\"";
    case Stroke::kDotted:
      return " stroke-dasharray=\"2 4\"";
    default:
      return "";
  }
}

std::string draw_dot(const Series& series, const std::string& color, double x, double y) {
  return fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\" stroke=\"{}\" "
      "stroke-width=\"1.5\"/>",
      x, y, series.published ? "#fff" : color, color);
}

std::string draw_series(const Series& series, const std::string& color, const Frame& frame) {
  std::string path, dots;
  bool pen_down = false;
  for (std::size_t k = 0; k < size_of(series); ++k) {
    if (!is_point(series, k)) {
      pen_down = false;
      continue;
    }
    const double x = frame.place_x(series.x[k]), y = frame.place_y(series.y[k]);
    if (series.stroke == Stroke::kPoints) {
      dots += draw_dot(series, color, x, y);
    } else {
      path += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", x, y);
      pen_down = true;
    }
  }
  if (path.empty()) return dots + "\n";
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", path,
                     color, series.published ? 4 : 2, dash_of(series));
}

std::string draw_legend_item(const Series& series, const std::string& color, double x, double y) {
  std::string mark =
      fmt::format("<path d=\"M{:.1f} {:.1f}h26\" stroke=\"{}\" stroke-width=\"{}\"{}/>", x, y,
                  color, series.published ? 4 : 2, dash_of(series));
  if (series.stroke == Stroke::kPoints) mark = draw_dot(series, color, x + 13, y);
  return mark + fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + 34, y + 4,
                            escape_markup(series.label));
}

// Items stand below each other, in as many columns as their labels leave room for.
struct Legend {
  std::size_t columns, lines;
};
Legend plan_legend(const Plot& plot) {
  std::size_t longest = 1;
  for (const Series& series : plot.series) longest = std::max(longest, series.label.size());
  const double width = 50 + kLetter * static_cast<double>(longest);
  const std::size_t count = std::max<std::size_t>(plot.series.size(), 1);
  const auto fit = static_cast<std::size_t>(std::max(1.0, (kWidth - kLeft - kRight) / width));
  // No more lines than needed, then no more columns than those lines need.
  const std::size_t lines = (count + fit - 1) / fit;
  return {(count + lines - 1) / lines, lines};
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::vector<double> make_ticks(double low, double high) {
  const double rough = (high - low) / 6;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double share = rough / power;
  const double step = power * (share < 1.41 ? 1 : share < 3.16 ? 2 : share < 7.07 ? 5 : 10);
  std::vector<double> ticks;
  const double first = std::ceil(low / step), last = std::floor(high / step);
  for (double k = first; k <= last; ++k) ticks.push_back(k * step);
  return ticks;
}

std::string make_svg(const Plot& plot) {
  const Frame frame = make_frame(plot);
  const Legend plan = plan_legend(plot);
  const double height = kHeight + kLegendLine * static_cast<double>(plan.lines) + 6;
  const double column = (kWidth - kLeft - kRight) / static_cast<double>(plan.columns);
  std::string published, ours, legend;
  std::size_t color = 0, item = 0;
  for (const Series& series : plot.series) {
    std::string stroke = kPublished;
    if (!series.published || series.color >= 0) {
      const std::size_t own = series.color < 0 ? color++ : static_cast<std::size_t>(series.color);
      stroke = kColors[own % kColors.size()];
    }
    (series.published ? published : ours) += draw_series(series, stroke, frame);
    const std::size_t across = item / plan.lines, down = item % plan.lines;
    legend += draw_legend_item(series, stroke, kLeft + column * static_cast<double>(across),
                               kHeight + 8 + kLegendLine * static_cast<double>(down));
    ++item;
  }
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
             "width=\"{0:.0f}\" "
             "height=\"{1:.0f}\" role=\"img\" aria-label=\"{2}\" "
             "font-family=\"system-ui,sans-serif\" "
             "font-size=\"13\" "
             "fill=\"#22252b\">\n<style>.g{{stroke:#e6e8eb}}.a{{stroke:#5f6368;fill:none}}"
             "</style>\n",
             kWidth, height, escape_markup(plot.title)) +
         draw_axes(plot, frame) + published + ours + legend + "</svg>\n";
}

}  // namespace sinew::lab
