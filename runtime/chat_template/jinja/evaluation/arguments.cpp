// How the arguments of a call meet the parameters of a built-in function.
#include "runtime/chat_template/jinja/evaluation/arguments.h"

#include "runtime/chat_template/jinja/values/operations.h"

#include <algorithm>

namespace lamina::jinja {

Parameters::Parameters(std::string_view function, const Arguments& arguments,
                       std::initializer_list<std::string_view> names, std::size_t required,
                       std::size_t by_position)
    : function_(function), names_(names), given_(names.size(), nullptr) {
  const std::string call = std::string(function) + "()";
  if (arguments.positional.size() > names_.size()) {
    fail(call + " takes at most " + std::to_string(names_.size()) + " argument(s), but " +
         std::to_string(arguments.positional.size()) + " were given");
  }
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) {
    given_[i] = &arguments.positional[i];
  }
  for (const auto& [name, value] : arguments.named) {
    const auto found =
        std::find(names_.begin() + static_cast<std::ptrdiff_t>(by_position), names_.end(), name);
    if (found == names_.end()) fail(call + " got an unexpected keyword argument '" + name + "'");
    const Value*& place = given_[static_cast<std::size_t>(found - names_.begin())];
    if (place != nullptr) fail(call + " got multiple values for argument '" + name + "'");
    place = &value;
  }
  for (std::size_t i = 0; i < required; ++i) {
    if (given_[i] == nullptr) {
      fail(call + " misses its argument '" + std::string(names_[i]) + "'");
    }
  }
}

const Value& Parameters::operator[](std::size_t at) const {
  static const Value none;
  return has(at) ? *given_[at] : none;
}

bool Parameters::flag(std::size_t at, bool otherwise) const {
  return has(at) ? truth(*given_[at]) : otherwise;
}

std::ptrdiff_t Parameters::index(std::size_t at, std::ptrdiff_t otherwise) const {
  if (!has(at)) return otherwise;
  return to_index(*given_[at], ("the argument '" + std::string(names_[at]) + "'").c_str());
}

const String& Parameters::text(std::size_t at) const {
  const Value& value = (*this)[at];
  if (value.string() == nullptr) {
    fail(std::string(function_) + "() argument '" + std::string(names_[at]) +
         "' must be str, not " + type_name(value));
  }
  return *value.string();
}

}  // namespace lamina::jinja
