// The chat formats of well-known model families, for model files that come without a template.
//
// Each is written anew from the format that the family's model card documents: role markers, turn
// ends, where the system text goes. None knows tools.
#pragma once

#include <span>
#include <string_view>

namespace lamina {

struct FamilyTemplate {
  std::string_view name;
  std::string_view used_by;
  std::string_view text;  // Jinja
};

std::span<const FamilyTemplate> family_templates();

}  // namespace lamina
