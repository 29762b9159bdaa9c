// JSON that people and programs wrote: read with care, and refused in words that help.
//
// RFC 8259. An error says where it is as line and column, both from 1 and counted in characters.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace lamina {

/// JSON that is nested no deeper than anything here needs. Throws Error that begins with `source`.
nlohmann::ordered_json parse_ordered_json(std::string_view text, const std::string& source);

/// What is wrong with `text`, which a parser refused with `error`: "line 2, column 7: ...".
std::string json_mistake(std::string_view text, const nlohmann::json::exception& error);

/// "a list of 3", "an object without messages"... : what kind of thing `value` is, for messages.
std::string json_kind(const nlohmann::ordered_json& value);

}  // namespace lamina
