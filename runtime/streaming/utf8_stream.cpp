// Part by part.
#include "runtime/streaming/utf8_stream.h"

#include "runtime/unicode/utf8.h"

namespace lamina {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

}  // namespace

std::string Utf8Stream::feed(std::string_view bytes) {
  held_ += bytes;
  std::string_view rest = held_;
  std::string text;
  while (!rest.empty()) {
    const Utf8Part part = first_utf8_part(rest);
    if (part.kind == Utf8Part::Kind::incomplete) break;
    text += part.kind == Utf8Part::Kind::character ? rest.substr(0, part.length) : replacement;
    rest.remove_prefix(part.length);
  }
  held_ = std::string(rest);
  return text;
}

std::string Utf8Stream::finish() {
  const bool incomplete = !held_.empty();
  held_.clear();
  return std::string(incomplete ? replacement : std::string_view{});
}

std::string as_utf8(std::string_view bytes) {
  Utf8Stream stream;
  std::string text = stream.feed(bytes);
  return text + stream.finish();
}

}  // namespace lamina
