// Checking types on the way down.
#include "runtime/tokenizer/files/json_view.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/json_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace lamina {
namespace {

constexpr int deepest = 64;                              // objects and arrays in each other
constexpr std::size_t largest = std::size_t{512} << 20;  // bytes; real ones have up to 40 MB

/// How deep objects and arrays lie in each other.
int depth_of(std::string_view bytes) {
  int depth = 0;
  int found = 0;
  bool text = false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char byte = bytes[i];
    if (text) {
      if (byte == '\\') ++i;
      if (byte == '"') text = false;
    } else if (byte == '"') {
      text = true;
    } else if (byte == '{' || byte == '[') {
      found = std::max(found, ++depth);
    } else if (byte == '}' || byte == ']') {
      --depth;
    }
  }
  return found;
}

std::string shown(const nlohmann::json& value) {
  if (value.is_string()) return lamina::quoted(value.get_ref<const std::string&>());
  if (value.is_object()) return fmt::format("an object of {} members", value.size());
  if (value.is_array()) return fmt::format("an array of {} elements", value.size());
  return value.dump();
}

}  // namespace

nlohmann::json parse_json(std::string_view bytes, const std::string& source) {
  if (bytes.size() > largest) {
    throw Error(
        fmt::format("{}: {} bytes of JSON, expected at most {}; this is another kind of "
                    "file, or damaged",
                    source, bytes.size(), largest));
  }
  if (depth_of(bytes) > deepest) {
    throw Error(
        fmt::format("{}: objects and arrays lie more than {} deep in each other; the file "
                    "is damaged",
                    source, deepest));
  }
  try {
    return nlohmann::json::parse(bytes);
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("{}: no JSON: {}; the file is damaged, or of another kind", source,
                            json_mistake(bytes, error)));
  }
}

void JsonView::fail(std::string_view expected) const {
  throw Error(fmt::format("{}: {} is {}, expected {}", *source_,
                          path_.empty() ? "the file" : path_.substr(1), shown(*value_), expected));
}

void JsonView::fail_because(std::string_view reason) const {
  throw Error(
      fmt::format("{}: {} {}", *source_, path_.empty() ? "the file" : path_.substr(1), reason));
}

std::optional<JsonView> JsonView::find(std::string_view key) const {
  if (!value_->is_object()) fail("an object");
  const auto found = value_->find(key);
  if (found == value_->end() || found->is_null()) return std::nullopt;
  return JsonView(*this, *found, "." + std::string(key));
}

JsonView JsonView::at(std::string_view key) const {
  if (auto found = find(key)) return *found;
  fail_because(fmt::format("has no {}, which must be there", lamina::quoted(key)));
}

std::size_t JsonView::size() const {
  if (!value_->is_array()) fail("an array");
  return value_->size();
}

JsonView JsonView::operator[](std::size_t i) const {
  return JsonView(*this, (*value_)[i], fmt::format("[{}]", i));
}

std::string JsonView::text() const {
  if (!value_->is_string()) fail("a text");
  return value_->get<std::string>();
}

bool JsonView::boolean() const {
  if (!value_->is_boolean()) fail("true or false");
  return value_->get<bool>();
}

double JsonView::number() const {
  if (!value_->is_number()) fail("a number");
  return value_->get<double>();
}

std::int64_t JsonView::integer(std::int64_t low, std::int64_t high) const {
  const std::string expected = fmt::format("an integer, {} to {}", low, high);
  if (!value_->is_number_integer()) fail(expected);
  const bool huge = value_->is_number_unsigned() &&
                    value_->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  const auto found = huge ? INT64_MAX : value_->get<std::int64_t>();
  if (found < low || found > high) fail(expected);
  return found;
}

std::string JsonView::text_or(std::string_view key, std::string fallback) const {
  const auto found = find(key);
  return found ? found->text() : std::move(fallback);
}

bool JsonView::boolean_or(std::string_view key, bool fallback) const {
  const auto found = find(key);
  return found ? found->boolean() : fallback;
}

}  // namespace lamina
