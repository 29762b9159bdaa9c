// ProtobufReader: the fields of one message of a protocol buffer, one after the other.
//
// The wire format (protobuf.dev/programming-guides/encoding): a varint, field number << 3 | wire
// type, then a varint (0), 8 bytes (1), a varint that counts the bytes that follow (2), or 4 bytes
// (5). Every length is checked; nothing is copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lamina {

class ProtobufReader {
 public:
  /// Reads `bytes`, which must stay; `message` names it in errors: "tokenizer.model: pieces[3]".
  ProtobufReader(std::string_view bytes, std::string message);

  /// Goes to the next field; false at the end. Throws Error where the bytes are no message.
  bool next();

  /// The number of the current field.
  std::uint32_t field() const { return field_; }

  // The value of the current field, which `name` names in errors. Each throws where the field has
  // another wire type.
  std::string_view bytes(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  bool boolean(std::string_view name) const { return integer(name) != 0; }
  float number(std::string_view name) const;

  const std::string& message() const { return message_; }

 private:
  enum class Wire : std::uint8_t { varint = 0, fixed64 = 1, length_delimited = 2, fixed32 = 5 };

  std::uint64_t varint();
  std::string_view take(std::uint64_t size);
  void expect(Wire wire, std::string_view name) const;
  [[noreturn]] void fail(std::string_view what) const;

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::string message_;
  std::uint32_t field_ = 0;
  Wire wire_ = Wire::varint;
  std::uint64_t varint_ = 0;  // value of a varint
  std::string_view value_;    // of the other wire types
};

}  // namespace lamina
