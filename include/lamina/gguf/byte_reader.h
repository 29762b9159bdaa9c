// A cursor over the bytes of a file: numbers and strings in order, every step checked.
//
// GGUF writes numbers little-endian and unaligned, and a string as a 64-bit length and its bytes
// (ggml-org/ggml, docs/gguf.md).
#pragma once

#include "lamina/core/error.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace lamina {

static_assert(std::endian::native == std::endian::little, "lamina reads files in place");

class ByteReader {
 public:
  /// `source` names the bytes in messages and must live as long as the reader.
  ByteReader(std::span<const std::byte> bytes, std::string_view source)
      : bytes_(bytes), source_(source) {}

  std::uint64_t position() const { return position_; }
  std::uint64_t remaining() const { return bytes_.size() - position_; }
  std::string_view source() const { return source_; }

  /// The next `count` bytes; `what` names them in the message where fewer are left.
  std::span<const std::byte> take(std::uint64_t count, std::string_view what);

  /// The next number.
  template <class T>
  T number(std::string_view what);

  /// The next string: any bytes, NUL among them.
  std::string_view string(std::string_view what);

 private:
  std::span<const std::byte> bytes_;
  std::string_view source_;
  std::size_t position_ = 0;
};

inline std::span<const std::byte> ByteReader::take(std::uint64_t count, std::string_view what) {
  if (count > remaining()) {  // no sum that could wrap
    throw Error(std::string(source_) + ": " + std::string(what) + " needs " +
                std::to_string(count) + " bytes at byte " + std::to_string(position_) +
                ", but the file has only " + std::to_string(remaining()) +
                " more; it is cut short or damaged: download or convert it again");
  }
  const auto taken = bytes_.subspan(position_, static_cast<std::size_t>(count));
  position_ += taken.size();
  return taken;
}

template <class T>
T ByteReader::number(std::string_view what) {
  static_assert(std::is_arithmetic_v<T>);
  T value;
  std::memcpy(&value, take(sizeof value, what).data(), sizeof value);
  return value;
}

inline std::string_view ByteReader::string(std::string_view what) {
  const auto length = number<std::uint64_t>(what);
  const auto characters = take(length, what);
  return {reinterpret_cast<const char*>(characters.data()), characters.size()};
}

}  // namespace lamina
