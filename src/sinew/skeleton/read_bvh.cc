#include "sinew/skeleton/read_bvh.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include <fmt/format.h>

#include "sinew/core/text.h"
#include "sinew/skeleton/table_lines.h"

namespace sinew::skeleton {
namespace {

constexpr std::size_t kShift = 3;  // the first of the axes that shift
constexpr std::size_t kMaxJoints = 1000;

struct Channel {
  std::string_view name;
  bool turns;
  std::size_t axis;
};
constexpr Channel kChannels[] = {{"Xposition", false, 0}, {"Yposition", false, 1},
                                 {"Zposition", false, 2}, {"Xrotation", true, 0},
                                 {"Yrotation", true, 1},  {"Zrotation", true, 2}};

class BvhParser {
 public:
  BvhParser(const std::string& text, const std::string& path, double scale)
      : lines_(path, text), scale_(scale) {
    file_.skeleton.file = path;
    file_.skeleton.bodies.emplace_back().name = "ground";
  }

  BvhFile parse() {
    expect("HIERARCHY");
    std::string_view word = take("ROOT");
    while (word == "ROOT") {
      parse_tree();
      word = take("MOTION");
    }
    if (word != "MOTION") fail_word(word, "ROOT, MOTION");
    check_names();
    parse_motion();
    return std::move(file_);
  }

 private:
  std::string_view take(std::string_view wanted) {
    while (at_ >= words_.size()) {
      if (!lines_.next_filled()) {
        lines_.fail(
            fmt::format("the file ends where {} should stand; it may be truncated", wanted));
      }
      words_ = volume::split_words(lines_.line());
      at_ = 0;
    }
    return words_[at_++];
  }
  void expect(std::string_view wanted) {
    const std::string_view word = take(wanted);
    if (word != wanted) fail_word(word, wanted);
  }
  [[noreturn]] void fail_word(std::string_view word, std::string_view allowed) const {
    lines_.fail(fmt::format("\"{}\" stands where {} should", printable(word), allowed));
  }
  Vec3d take_vector() {
    Vec3d v;
    for (std::size_t k = 0; k < 3; ++k) v[k] = lines_.number(take("a number")) * scale_;
    return v;
  }

  // A root and all below it. The stack holds the bodies whose braces are open.
  void parse_tree() {
    std::vector<std::size_t> open = {begin_joint(kGround)};
    while (!open.empty()) {
      const std::string_view word = take("a joint's part");
      const std::size_t body = open.back();
      if (word == "OFFSET") {
        file_.skeleton.bodies[body].joint.parent_frame.translation = take_vector();
      } else if (word == "CHANNELS") {
        parse_channels(body);
      } else if (word == "JOINT") {
        open.push_back(begin_joint(body));
      } else if (word == "End") {
        parse_end_site(body);
      } else if (word == "}") {
        open.pop_back();
      } else {
        fail_word(word, "OFFSET, CHANNELS, JOINT, End Site or }");
      }
    }
  }

  std::size_t begin_joint(std::size_t parent) {
    Body body;
    body.name = take("a joint's name");
    body.parent = parent;
    body.joint.name = body.name;
    body.joint.type = "bvh";
    expect("{");
    if (file_.skeleton.bodies.size() > kMaxJoints) {
      lines_.fail(fmt::format("there are more than {} joints; no more are read", kMaxJoints));
    }
    file_.skeleton.bodies.push_back(body);
    return file_.skeleton.bodies.size() - 1;
  }

  void parse_end_site(std::size_t body) {
    const std::string_view site = take("Site");
    if (to_lower(site) != "site") fail_word(site, "Site");
    expect("{");
    expect("OFFSET");
    const std::string name = fmt::format("{}_end", file_.skeleton.bodies[body].name);
    file_.skeleton.markers.push_back({name, body, take_vector()});
    expect("}");
  }

  void parse_channels(std::size_t body) {
    if (!file_.skeleton.bodies[body].joint.coordinates.empty()) {
      lines_.fail("the joint has CHANNELS twice");
    }
    const std::size_t count = lines_.count(take("the number of channels"), "CHANNELS");
    if (count > std::size(kChannels)) {
      lines_.fail(fmt::format("a joint has {} channels; at most 6 are allowed", count));
    }
    std::size_t num_turns = 0;
    for (std::size_t i = 0; i < count; ++i) add_channel(body, take("a channel"), num_turns);
  }

  // Turns are carried by those before, in the order of the channels.
  void add_channel(std::size_t body, std::string_view word, std::size_t& num_turns) {
    const auto channel = std::ranges::find(kChannels, word, &Channel::name);
    if (channel == std::end(kChannels)) {
      fail_word(word, "Xposition, Yposition, Zposition, Xrotation, Yrotation or Zrotation");
    }
    Joint& joint = file_.skeleton.bodies[body].joint;
    auto& coordinates = file_.skeleton.coordinates;
    Coordinate coordinate;
    coordinate.name = fmt::format("{}_{}", joint.name, word);
    coordinate.body = body;
    coordinate.rotational = channel->turns;
    for (const std::size_t other : joint.coordinates) {
      if (coordinates[other].name == coordinate.name) {
        lines_.fail(fmt::format("the channel {} is there twice", word));
      }
    }
    const std::size_t slot = channel->turns ? num_turns++ : kShift + channel->axis;
    Vec3d axis{0, 0, 0};
    axis[channel->axis] = 1;
    joint.axes[slot] = {axis, coordinates.size(), make_line(1, 0)};
    joint.coordinates.push_back(coordinates.size());
    coordinates.push_back(coordinate);
  }

  void check_names() const {
    std::vector<std::string> names;
    names.reserve(file_.skeleton.bodies.size());
    for (const Body& body : file_.skeleton.bodies) names.push_back(body.name);
    lines_.check_names(names, "joint");
    if (file_.skeleton.coordinates.empty()) lines_.fail("no joint has CHANNELS; nothing moves");
  }

  void parse_motion() {
    expect("Frames:");
    const std::size_t num_frames = lines_.count(take("the number of frames"), "Frames");
    expect("Frame");
    expect("Time:");
    const double step = lines_.number(take("the frame time"));
    if (!(step > 0)) lines_.fail(fmt::format("the frame time is {}; it must be above 0", step));
    const auto num_values = file_.skeleton.coordinates.size();
    while (lines_.next_filled()) {
      words_ = volume::split_words(lines_.line());
      if (words_.size() != num_values) {
        lines_.fail(fmt::format("the frame has {} numbers; the joints have {} channels",
                                words_.size(), num_values));
      }
      lines_.check_size(file_.motion.times.size() + 1, num_values);
      const auto frame = static_cast<double>(file_.motion.times.size());
      lines_.check_time(frame * step, file_.motion.times);
      file_.motion.times.push_back(frame * step);
      file_.motion.q.push_back(parse_frame());
      unwrap_turns();
    }
    if (num_frames == 0 || file_.motion.times.size() != num_frames) {
      lines_.fail(fmt::format("there are {} frames; the header promises {}",
                              file_.motion.times.size(), num_frames));
    }
  }

  std::vector<double> parse_frame() const {
    std::vector<double> q;
    q.reserve(words_.size());
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const bool turns = file_.skeleton.coordinates[i].rotational;
      q.push_back(lines_.number(words_[i]) * (turns ? std::numbers::pi / 180 : scale_));
    }
    return q;
  }

  // Programs write angles within a turn: the last frame's go on from those of the one before.
  void unwrap_turns() {
    std::vector<std::vector<double>>& q = file_.motion.q;
    if (q.size() < 2) return;
    constexpr double kTurn = 2 * std::numbers::pi;
    for (std::size_t i = 0; i < q.back().size(); ++i) {
      if (!file_.skeleton.coordinates[i].rotational) continue;
      double& angle = q.back()[i];
      angle += kTurn * std::round((q[q.size() - 2][i] - angle) / kTurn);
    }
  }

  TableLines lines_;
  double scale_;
  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
  BvhFile file_;
};

}  // namespace

BvhFile parse_bvh(const std::string& text, const std::string& path, double scale) {
  return BvhParser(text, path, scale).parse();
}

BvhFile read_bvh(const std::string& path, double scale) {
  return parse_bvh(read_table_bytes(path), path, scale);
}

}  // namespace sinew::skeleton
