// JSON read as Python's json.loads reads it for a template: integers keep all their digits.
//
// nlohmann's numbers have 64 bits. Where an integer has more, its digits are kept as a binary value
// of a kind of their own, which rendering turns into the integer again.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace lamina {

/// The subtype of binary values that are the decimal digits of an integer.
inline constexpr std::uint64_t json_integer_digits = 10;

/// What is read, piece by piece. An exception thrown by any of these ends the reading.
class JsonReceiver {
 public:
  virtual ~JsonReceiver() = default;
  /// null, true, false, a number of at most 64 bits or a string.
  virtual void scalar(nlohmann::ordered_json value) = 0;
  /// An integer of more than 64 bits.
  virtual void integer(const std::string& digits) = 0;
  virtual void begin_list() = 0;
  virtual void begin_object() = 0;
  virtual void key(std::string name) = 0;
  /// Of a list or an object.
  virtual void end() = 0;
};

/// Hands what `text` says over to `receiver`. Throws Error that begins with `source` where it is no
/// JSON, or has what no text or number can hold.
void read_json(std::string_view text, const std::string& source, JsonReceiver& receiver);

/// The whole as one value.
nlohmann::ordered_json read_template_json(std::string_view text, const std::string& source);

}  // namespace lamina
