// Walking from the list of tools to the types.
#include "runtime/streaming/tool_schemas.h"

#include <nlohmann/json.hpp>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

/// The member; null where there is none.
const Json& member(const Json& object, const char* key) {
  static const Json none;
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found != object.end() ? *found : none;
}

}  // namespace

ToolSchemas::ToolSchemas(const Json& tools) {
  if (!tools.is_array()) return;
  for (const Json& tool : tools) {
    const Json& function = member(tool, "function").is_object() ? member(tool, "function") : tool;
    const Json& name = member(function, "name");
    const Json& properties = member(member(function, "parameters"), "properties");
    if (!name.is_string() || !properties.is_object()) continue;
    for (const auto& [parameter, schema] : properties.items()) {
      const Json& type = member(schema, "type");
      if (type.is_string()) types_[{name.get<std::string>(), parameter}] = type.get<std::string>();
    }
  }
}

std::string ToolSchemas::type(const std::string& tool, const std::string& parameter) const {
  const auto found = types_.find({tool, parameter});
  return found != types_.end() ? found->second : std::string();
}

}  // namespace lamina
