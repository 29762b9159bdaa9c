// A long text of one thing over and over.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lamina::test {

/// At least `bytes` long.
inline std::string repeated(std::string_view unit, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += unit;
  return text;
}

}  // namespace lamina::test
