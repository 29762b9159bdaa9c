// Reading the wire format.
#include "runtime/tokenizer/files/protobuf_reader.h"

#include "lamina/core/error.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

namespace lamina {

ProtobufReader::ProtobufReader(std::string_view bytes, std::string message)
    : bytes_(bytes), message_(std::move(message)) {}

void ProtobufReader::fail(std::string_view what) const {
  throw Error(
      fmt::format("{}: {} at byte {} of {}; the file is damaged or no protocol buffer: get "
                  "it again",
                  message_, what, at_, bytes_.size()));
}

std::uint64_t ProtobufReader::varint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (at_ == bytes_.size()) fail("a number is cut off");
    const auto byte = static_cast<unsigned char>(bytes_[at_++]);
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return value;
  }
  fail("a number has more than 10 bytes");
}

std::string_view ProtobufReader::take(std::uint64_t size) {
  if (size > bytes_.size() - at_) {
    fail(fmt::format("a value of {} bytes goes past the end", size));
  }
  at_ += size;
  return bytes_.substr(at_ - size, size);
}

bool ProtobufReader::next() {
  if (at_ == bytes_.size()) return false;
  const std::uint64_t tag = varint();
  if (tag >> 3 == 0 || tag >> 32 != 0) fail(fmt::format("a field has the number {}", tag >> 3));
  field_ = static_cast<std::uint32_t>(tag >> 3);
  wire_ = static_cast<Wire>(tag & 7);
  switch (wire_) {
    case Wire::varint:
      varint_ = varint();
      return true;
    case Wire::fixed64:
      value_ = take(8);
      return true;
    case Wire::length_delimited:
      value_ = take(varint());
      return true;
    case Wire::fixed32:
      value_ = take(4);
      return true;
  }
  fail(fmt::format("field {} has the wire type {}, expected 0, 1, 2 or 5", field_, tag & 7));
}

void ProtobufReader::expect(Wire wire, std::string_view name) const {
  if (wire_ == wire) return;
  throw Error(
      fmt::format("{}: {} has the wire type {}, expected {}; the file is damaged or of "
                  "another kind",
                  message_, name, static_cast<int>(wire_), static_cast<int>(wire)));
}

std::string_view ProtobufReader::bytes(std::string_view name) const {
  expect(Wire::length_delimited, name);
  return value_;
}

std::int64_t ProtobufReader::integer(std::string_view name) const {
  expect(Wire::varint, name);
  return static_cast<std::int64_t>(varint_);
}

float ProtobufReader::number(std::string_view name) const {
  expect(Wire::fixed32, name);
  std::uint32_t bits = 0;  // little endian
  for (int i = 3; i >= 0; --i) {
    bits = bits << 8 | static_cast<unsigned char>(value_[static_cast<std::size_t>(i)]);
  }
  return std::bit_cast<float>(bits);
}

}  // namespace lamina
