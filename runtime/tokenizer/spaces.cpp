// Replacing one by the other.
#include "runtime/tokenizer/spaces.h"

#include <cstddef>

namespace lamina {
namespace {

void append_replaced(std::string& out, std::string_view text, std::string_view from,
                     std::string_view to) {
  std::size_t at = 0;
  for (;;) {
    const std::size_t found = text.find(from, at);
    out += text.substr(at, found - at);
    if (found == std::string_view::npos) return;
    out += to;
    at = found + from.size();
  }
}

}  // namespace

void append_marked(std::string& out, std::string_view text) {
  append_replaced(out, text, " ", space_mark);
}

void append_unmarked(std::string& out, std::string_view text) {
  append_replaced(out, text, space_mark, " ");
}

}  // namespace lamina
