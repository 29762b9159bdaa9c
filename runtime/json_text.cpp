// The place of a mistake is the library's; the words are not, since they would name its insides.
#include "runtime/json_text.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/unicode/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

constexpr int deepest = 100;  // levels of lists and objects

/// "line 2, column 7" of the byte at `at`.
std::string place(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 where there is none
  std::size_t column = 1;
  for (std::size_t i = line_start; i < at; ++column) i += character_length(text.substr(i));
  return fmt::format("line {}, column {}", lines + 1, column);
}

/// Where the first `size` bytes of `text` stop being UTF-8; `size` where they do not.
std::size_t first_ill_formed(std::string_view text, std::size_t size) {
  std::size_t at = 0;
  while (at < size) {
    const std::size_t length = well_formed_length(text.substr(at));
    if (length == 0) break;
    at += length;
  }
  return std::min(at, size);
}

std::string what_is_at(std::string_view text, std::size_t at) {
  const std::string_view found = text.substr(at, well_formed_length(text.substr(at)));
  if (found.empty()) return "bytes that are no UTF-8";
  if (static_cast<unsigned char>(found[0]) < 0x20) {
    return "a control character or the end of the line, within a text or a word";
  }
  return quoted(found) + ", which cannot stand there";
}

}  // namespace

std::string json_mistake(std::string_view text, const nlohmann::json::exception& error) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return "there is nothing in it";
  const auto* parse_error = dynamic_cast<const nlohmann::json::parse_error*>(&error);
  if (parse_error == nullptr) return "a number is too large";
  if (parse_error->byte > text.size()) return "it ends too early, within a text, list or object";
  // The parser has read the byte that it refuses, and of what is no UTF-8 perhaps what precedes it.
  const std::size_t refused = parse_error->byte > 0 ? parse_error->byte - 1 : 0;
  const std::size_t at = first_ill_formed(text, refused);
  return fmt::format("{}: {}", place(text, at), what_is_at(text, at));
}

Json parse_ordered_json(std::string_view text, const std::string& source) {
  const auto limit = [&](int depth, Json::parse_event_t event, Json&) {
    using Event = Json::parse_event_t;
    const bool opens = event == Event::array_start || event == Event::object_start;
    if (!opens || depth < deepest) return true;
    throw Error(
        fmt::format("{}: lists and objects lie more than {} deep in each other", source, deepest));
  };
  try {
    return Json::parse(text, limit);
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("{}: this is no JSON: {}", source, json_mistake(text, error)));
  }
}

std::string json_kind(const Json& value) {
  if (value.is_object()) return value.empty() ? "an empty object" : "an object";
  if (value.is_array()) return value.empty() ? "an empty list" : "a list";
  if (value.is_string()) return "the text " + quoted(value.get_ref<const std::string&>(), 40);
  if (value.is_number()) return "the number " + value.dump();
  return value.dump();  // true, false, null
}

}  // namespace lamina
