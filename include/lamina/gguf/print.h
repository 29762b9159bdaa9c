// Metadata values as short text, for listings.
#pragma once

#include "lamina/gguf/quoted.h"
#include "lamina/gguf/value.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>

namespace lamina {

/// The value on one line of about `limit` bytes: text quoted and escaped, of arrays the first
/// elements.
std::string printable(const MetadataValue& value, std::size_t limit = 80);

namespace detail {

template <class T>
std::string shortest_text(T number) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

inline std::string element_text(ByteReader& reader, ValueType type, std::size_t limit) {
  constexpr std::string_view what = "a value";
  switch (type) {
    case ValueType::boolean:
      return reader.number<std::uint8_t>(what) != 0 ? "true" : "false";
    case ValueType::string:
      return quoted(reader.string(what), limit);
    case ValueType::f32:
      return shortest_text(reader.number<float>(what));
    case ValueType::f64:
      return shortest_text(reader.number<double>(what));
    case ValueType::u64:
      return shortest_text(reader.number<std::uint64_t>(what));
    default:
      return shortest_text(decode_element<std::int64_t>(reader, type));
  }
}

}  // namespace detail

inline std::string printable(const MetadataValue& value, std::size_t limit) {
  ByteReader reader(value.bytes(), "metadata");
  if (!value.is_array()) return detail::element_text(reader, value.type(), limit);
  std::string out = "[";
  for (std::uint64_t i = 0; i < value.size(); ++i) {
    if (i > 0) out += ", ";
    if (out.size() >= limit) return out + "...]";
    out += detail::element_text(reader, value.type(), limit - out.size());
  }
  return out + "]";
}

}  // namespace lamina
