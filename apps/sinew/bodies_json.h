// Bodies and columns as the APIs of recordings and of live sessions describe them.
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sinew/engine/frame.h"

#include "api.h"

namespace sinew::app {

nlohmann::json describe_fields(const std::vector<engine::FieldInfo>& fields);
nlohmann::json describe_bodies(const std::vector<engine::BodyTopology>& bodies);

// A 200. Names that are no UTF-8, of a damaged file, get a replacement sign.
Reply json_reply(const nlohmann::json& document);
// Rest positions, then triangles.
Reply topology_reply(const engine::BodyTopology& body);

// Positions, then each field.
void append_frame(std::string& out, const engine::BodyFrame& frame);

}  // namespace sinew::app
