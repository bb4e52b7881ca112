#include "sinew/record/check_recording.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/record/summary.h"

namespace sinew::record {
namespace {

struct Findings {
  std::size_t values_not_finite = 0;
  std::size_t times_out_of_order = 0;
  double worst_time_error = 0;  // s, against the frame rate
};

bool is_finite(const Vec3f& p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

std::size_t count_not_finite(const std::vector<Vec3f>& points) {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(), [](const Vec3f& p) { return !is_finite(p); }));
}

template <class Real>
std::size_t count_not_finite(const std::vector<Real>& values) {
  return static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(), [](Real v) { return !std::isfinite(v); }));
}

std::size_t count_not_finite(const engine::BodyFrame& body) {
  std::size_t count = count_not_finite(body.surface) + count_not_finite(body.nodes);
  for (const auto& field : body.fields) count += count_not_finite(field);
  return count;
}

Findings find_faults(const RecordingReader& recording) {
  Findings findings;
  const RecordingInfo& info = recording.info();
  for (const auto& body : info.bodies)
    findings.values_not_finite +=
        count_not_finite(body.rest_surface) + count_not_finite(body.rest_nodes);
  double before = -1;
  for (std::size_t k = 0; k < recording.num_frames(); ++k) {
    const engine::Frame frame = recording.read_frame(k);
    for (const auto& body : frame.bodies) findings.values_not_finite += count_not_finite(body);
    // A time that is no number fails both comparisons.
    if (!(frame.time > before)) ++findings.times_out_of_order;
    const double error = std::abs(frame.time - static_cast<double>(k) / info.frame_rate);
    findings.worst_time_error = std::max(findings.worst_time_error, error);
    before = frame.time;
  }
  return findings;
}

}  // namespace

std::vector<CheckRow> check_recording(const RecordingReader& recording) {
  const RecordingInfo& info = recording.info();
  const auto number = [](std::size_t n) { return static_cast<double>(n); };
  const std::size_t num_frames = recording.num_frames();
  const Findings findings = find_faults(recording);
  // Half a microsecond: times are sums or products of a few roundings of numbers near 100 s.
  constexpr double kTimeTolerance = 5e-7;

  std::vector<CheckRow> rows;
  rows.push_back({"bodies", "1", number(info.bodies.size()), "", true});
  // An interrupted recording, and one without a plan, is whole as far as it goes; a finished one
  // has what it planned.
  const bool planned = recording.finished() && info.planned_frames > 0;
  const bool enough = planned ? num_frames == info.planned_frames : num_frames >= 1;
  const std::string wanted = planned ? fmt::format("= {}", info.planned_frames) : ">= 1";
  rows.push_back({"frames", "1", number(num_frames), wanted, enough});
  rows.push_back({"finished", "1", recording.finished() ? 1.0 : 0.0, "", true});
  rows.push_back({"frames out of order in time", "1", number(findings.times_out_of_order), "= 0",
                  findings.times_out_of_order == 0});
  rows.push_back({"worst time against the frame rate", "s", findings.worst_time_error,
                  fmt::format("<= {}", kTimeTolerance),
                  findings.worst_time_error <= kTimeTolerance});
  rows.push_back({"values that are not finite", "1", number(findings.values_not_finite), "= 0",
                  findings.values_not_finite == 0});
  const std::vector<CheckRow> figures = summarize(recording);
  rows.insert(rows.end(), figures.begin(), figures.end());
  return rows;
}

}  // namespace sinew::record
