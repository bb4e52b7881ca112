#include "live_messages.h"

#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "bodies_json.h"
#include "message_json.h"

namespace sinew::app {
namespace {

using nlohmann::json;

Vec3d read_point(const json& value, const char* what) {
  if (!value.is_array() || value.size() != 3) {
    throw BadMessage{std::string(what) + " must be three numbers"};
  }
  return {read_number(value[0], what), read_number(value[1], what), read_number(value[2], what)};
}

ReadMessage read_pull(const json& message) {
  check_keys(message, {"page", "body", "vertex", "target"});
  const std::uint64_t page = read_count(message["page"], "page");
  return {
      live::SetPull{page,
                    {read_count(message["body"], "body"), read_count(message["vertex"], "vertex"),
                     read_point(message["target"], "target")}},
      page};
}

live::StepFrames read_step(const json& message) {
  check_keys(message, {"frames"});
  const std::uint64_t frames = read_count(message["frames"], "frames");
  // Too many for an int are too many.
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
  return {static_cast<int>(std::min(frames, kMost))};
}

struct Plain {
  std::string_view name;
  live::Command command;
};

ReadMessage read_plain(const json& message, const std::string& name) {
  const std::array<Plain, 5> plain = {{{"pause", live::Pause{}},
                                       {"resume", live::Resume{}},
                                       {"restart", live::Restart{}},
                                       {"record", live::StartRecording{}},
                                       {"end-recording", live::StopRecording{}}}};
  for (const Plain& p : plain) {
    if (p.name != name) continue;
    check_keys(message, {});
    return {p.command, {}};
  }
  throw BadMessage{
      "\"do\" must be set, pull, release, pause, resume, step, restart, record, end-recording or "
      "seen"};
}

json describe_pulls(const live::LiveRun& run) {
  json list = json::array();
  for (const auto& [page, pull] : run.pulls()) {
    list.push_back({{"page", page},
                    {"body", pull.body},
                    {"vertex", pull.vertex},
                    {"target", {pull.target.x, pull.target.y, pull.target.z}}});
  }
  return list;
}

json describe(const live::Snapshot& snapshot) {
  const live::LiveRun& run = snapshot.run;
  json controls = json::array();
  for (const engine::Control& control : run.controls()) controls.push_back(control.value);
  json certificate = json::array();
  for (const engine::Measure& m : run.frame().certificate) certificate.push_back(m.value);
  return {{"frame", snapshot.frame},
          {"applied", snapshot.applied},
          {"time", run.frame().time},
          {"paused", run.status().paused},
          {"recording", run.status().recording},
          {"recorded_frames", run.status().recorded_frames},
          {"trouble", run.status().trouble},
          {"frames_per_second", snapshot.rates.frames},
          {"steps_per_second", snapshot.rates.steps},
          {"real_time", snapshot.rates.real_time},
          {"latency_ms", snapshot.rates.latency_ms},
          {"controls", std::move(controls)},
          {"pulls", describe_pulls(run)},
          {"certificate", std::move(certificate)}};
}

void append_count(std::string& out, std::size_t count) {
  const auto value = static_cast<std::uint32_t>(count);
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string pack(const json& document, const std::string& arrays) {
  std::string text = document.dump(-1, ' ', false, json::error_handler_t::replace);
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string out;
  out.reserve(8 + text.size() + arrays.size());
  append_count(out, text.size());
  append_count(out, arrays.size());
  return out.append(text).append(arrays);
}

}  // namespace

ReadMessage read_message(const std::string& text) {
  const json message = parse_message(text);
  const std::string name = what_to_do(message);
  if (name == "set") {
    check_keys(message, {"control", "value"});
    return {live::SetControl{read_count(message["control"], "control"),
                             read_number(message["value"], "value")},
            {}};
  }
  if (name == "pull") return read_pull(message);
  if (name == "release") {
    check_keys(message, {"page"});
    const std::uint64_t page = read_count(message["page"], "page");
    return {live::ReleasePull{page}, page};
  }
  if (name == "seen") {
    check_keys(message, {"page", "messages"});
    const std::uint64_t page = read_count(message["page"], "page");
    return {Seen{page, read_count(message["messages"], "messages")}, page};
  }
  if (name == "step") return {read_step(message), {}};
  return read_plain(message, name);
}

std::string write_snapshot(const live::Snapshot& snapshot) {
  std::string arrays;
  for (const engine::BodyFrame& body : snapshot.run.frame().bodies) append_frame(arrays, body);
  return pack(describe(snapshot), arrays);
}

std::string write_greeting(std::uint64_t page) {
  return pack({{"page", page}}, {});
}

}  // namespace sinew::app
