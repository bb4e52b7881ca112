// Messages of pages as JSON objects whose "do" says what they are: what all their readers share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace sinew::app {

// A page's message was refused; one line says why.
struct BadMessage {
  std::string reason;
};

// All throw BadMessage: for what is no JSON object with a word "do",
nlohmann::json parse_message(const std::string& text);
std::string what_to_do(const nlohmann::json& message);
// where a key beside "do" is missing or there are others,
void check_keys(const nlohmann::json& message, std::initializer_list<const char*> keys);
// where a value is of another type.
double read_number(const nlohmann::json& value, const char* what);
std::uint64_t read_count(const nlohmann::json& value, const char* what);

}  // namespace sinew::app
