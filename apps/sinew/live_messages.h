// What a live session and its pages say to each other: commands as JSON, snapshots as JSON with
// arrays behind it. docs/live.md has the layouts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "sinew/live/session.h"

namespace sinew::app {

// A page has drawn so many snapshots of its stream: two more may be on their way to it.
struct Seen {
  std::uint64_t page;
  std::uint64_t messages;
};

struct ReadMessage {
  std::variant<live::Command, Seen> content;
  std::optional<std::uint64_t> page;  // who pulls, lets go or has seen
};

// Throws BadMessage for what is no JSON, has a wrong or missing key, or a value of another type.
ReadMessage read_message(const std::string& message);

// A message of the stream: u32 bytes of JSON, u32 bytes of arrays, JSON filled up with spaces to a
// multiple of 8, then the arrays of every body.
std::string write_snapshot(const live::Snapshot& snapshot);
// The first message of a stream, and later a sign of life: who the page is.
std::string write_greeting(std::uint64_t page);

}  // namespace sinew::app
