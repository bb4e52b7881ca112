#include "bodies_json.h"

#include <nlohmann/json.hpp>

#include "sinew/record/body_kind.h"

namespace sinew::app {

using nlohmann::json;

json describe_fields(const std::vector<engine::FieldInfo>& fields) {
  json list = json::array();
  for (const auto& field : fields) list.push_back({{"name", field.name}, {"unit", field.unit}});
  return list;
}

json describe_bodies(const std::vector<engine::BodyTopology>& bodies) {
  json list = json::array();
  for (const auto& body : bodies) {
    list.push_back({{"name", body.name},
                    {"kind", record::name_of(record::find_kind(body))},
                    {"num_vertices", body.rest_surface.size()},
                    {"num_triangles", body.triangles.size()},
                    {"fields", describe_fields(body.fields)}});
  }
  return list;
}

Reply json_reply(const json& document) {
  return {200, kJsonType, document.dump(-1, ' ', false, json::error_handler_t::replace)};
}

Reply topology_reply(const engine::BodyTopology& body) {
  Reply reply{200, kBinaryType, {}};
  append_bytes(reply.body, body.rest_surface);
  append_bytes(reply.body, body.triangles);
  return reply;
}

void append_frame(std::string& out, const engine::BodyFrame& frame) {
  append_bytes(out, frame.surface);
  for (const auto& field : frame.fields) append_bytes(out, field);
}

}  // namespace sinew::app
