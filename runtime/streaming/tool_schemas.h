// ToolSchemas: what the descriptions of tools say about the types of their parameters.
//
// A tool is {"type": "function", "function": {"name": ..., "parameters": SCHEMA}}, as in OpenAI's
// API, or its inner object alone; SCHEMA is JSON Schema, of which properties' "type" is read.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace lamina {

class ToolSchemas {
 public:
  ToolSchemas() = default;
  /// Takes an array of tools; leaves out what has another form.
  explicit ToolSchemas(const nlohmann::ordered_json& tools);

  /// "string", "integer", ...; empty where nothing, or more than one type, is said.
  std::string type(const std::string& tool, const std::string& parameter) const;

 private:
  std::map<std::pair<std::string, std::string>, std::string> types_;
};

}  // namespace lamina
