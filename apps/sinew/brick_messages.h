// What the page of a model and its server say to each other about bricks around muscles;
// docs/viewer.md has the layouts.
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "sinew/anatomy/model.h"

namespace sinew::app {

// As a page may ask for: fewer than scenes, so that an answer takes no longer than a moment.
inline constexpr int kMaxPageBricks = 256;

struct BrickMessage {
  bool save = false;  // else only look at them
  std::uint64_t muscle = 0;
  anatomy::BrickSettings settings;  // counts and levels
};

// Throws BadMessage.
BrickMessage read_brick_message(const std::string& text);

// The bricks, their edges, what they are like, and the line of a model file that makes them.
nlohmann::json describe_bricks(const anatomy::Muscle& muscle, const anatomy::MuscleBricks& bricks);

}  // namespace sinew::app
