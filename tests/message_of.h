// What an action complains of.
#pragma once

#include "lamina/core/error.h"

#include <string>
#include <string_view>

namespace lamina::test {

/// The message of the Error that `action` throws; a sentence that no test expects where it throws
/// none.
template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace lamina::test
