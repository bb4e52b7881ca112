#include "message_json.h"

#include <nlohmann/json.hpp>

namespace sinew::app {

using nlohmann::json;

json parse_message(const std::string& text) {
  json message = json::parse(text, nullptr, false);
  if (message.is_discarded()) throw BadMessage{"this is no JSON"};
  if (!message.is_object()) throw BadMessage{"a message must be a JSON object"};
  const auto what = message.find("do");
  if (what == message.end() || !what->is_string()) {
    throw BadMessage{"\"do\" must say in a word what to do"};
  }
  return message;
}

std::string what_to_do(const json& message) {
  return message["do"].get<std::string>();
}

void check_keys(const json& message, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (!message.contains(key)) throw BadMessage{std::string("\"") + key + "\" is missing"};
  }
  if (message.size() != keys.size() + 1) {
    throw BadMessage{"there are keys that this message does not have"};
  }
}

double read_number(const json& value, const char* what) {
  if (!value.is_number()) throw BadMessage{std::string(what) + " must be a number"};
  return value.get<double>();
}

std::uint64_t read_count(const json& value, const char* what) {
  if (!value.is_number_unsigned()) {
    throw BadMessage{std::string(what) + " must be a whole number, 0 or more"};
  }
  return value.get<std::uint64_t>();
}

}  // namespace sinew::app
