// Arguments of a call, and how they meet the parameters of what is called.
#pragma once

#include "runtime/chat_template/jinja/values/value.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lamina::jinja {

/// Arguments of a call: by position, then by name.
struct Arguments {
  Values positional;
  std::vector<std::pair<std::string, Value>> named;
};

/// The parameters of a built-in function, each filled or left to its default.
class Parameters {
 public:
  /// Throws where an argument fits no parameter, or one of the first `required` has none.
  /// `by_position` alone: those that have no name a template could use.
  Parameters(std::string_view function, const Arguments& arguments,
             std::initializer_list<std::string_view> names, std::size_t required = 0,
             std::size_t by_position = 0);

  bool has(std::size_t at) const { return given_[at] != nullptr; }
  /// The argument; undefined where there is none.
  const Value& operator[](std::size_t at) const;
  /// The argument, or `otherwise`.
  const Value& value(std::size_t at, const Value& otherwise) const {
    return has(at) ? *given_[at] : otherwise;
  }
  bool flag(std::size_t at, bool otherwise) const;
  std::ptrdiff_t index(std::size_t at, std::ptrdiff_t otherwise) const;
  /// A string, which it must be.
  const String& text(std::size_t at) const;

 private:
  std::string_view function_;
  std::vector<std::string_view> names_;
  std::vector<const Value*> given_;
};

}  // namespace lamina::jinja
