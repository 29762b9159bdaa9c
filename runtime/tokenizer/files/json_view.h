// JsonView: a value of a JSON file that knows where it stands, so that what is wrong with it is an
// Error that names file and path, what was found and what was expected.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lamina {

/// Parses a file that may say anything: nesting and size are limited. Throws Error.
nlohmann::json parse_json(std::string_view bytes, const std::string& source);

class JsonView {
 public:
  /// The whole file; `value` and `source` must outlive this and all views of its parts.
  JsonView(const nlohmann::json& value, const std::string& source)
      : value_(&value), source_(&source) {}

  const nlohmann::json& value() const { return *value_; }
  const std::string& source() const { return *source_; }

  /// A member of this object; nothing where it is missing or null. Throws where this is no object.
  std::optional<JsonView> find(std::string_view key) const;
  /// The same; throws where there is none.
  JsonView at(std::string_view key) const;

  std::size_t size() const;  // of an array; throws where it is none
  JsonView operator[](std::size_t i) const;

  std::string text() const;
  bool boolean() const;
  double number() const;
  std::int64_t integer(std::int64_t low, std::int64_t high) const;

  /// Members with a value for where they are missing.
  std::string text_or(std::string_view key, std::string fallback) const;
  bool boolean_or(std::string_view key, bool fallback) const;

  /// Throws: what stands here, and what was expected.
  [[noreturn]] void fail(std::string_view expected) const;
  /// Throws: this place, and what is wrong with it.
  [[noreturn]] void fail_because(std::string_view reason) const;

 private:
  JsonView(const JsonView& parent, const nlohmann::json& value, std::string_view step)
      : value_(&value), source_(parent.source_), path_(parent.path_ + std::string(step)) {}

  const nlohmann::json* value_;
  const std::string* source_;
  std::string path_;
};

}  // namespace lamina
