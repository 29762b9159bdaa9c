// GGUF files put together byte by byte, right and wrong ones, and what the reader says of them.
#pragma once

#include "lamina/gguf/print.h"
#include "lamina/gguf/reader.h"
#include "lamina/gguf/writer.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lamina::test {

/// Bytes, one field after the other; strings and keys as GGUF has them.
class Bytes {
 public:
  template <class T>
  Bytes& number(T value) {
    return raw({reinterpret_cast<const char*>(&value), sizeof value});
  }
  Bytes& raw(std::string_view text) {
    for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
    return *this;
  }
  Bytes& string(std::string_view text) { return number(std::uint64_t{text.size()}).raw(text); }
  Bytes& zeros(std::size_t count) { return raw(std::string(count, '\0')); }
  Bytes& pad(std::size_t alignment = 32) {
    return zeros((alignment - bytes_.size() % alignment) % alignment);
  }

  /// "GGUF", version and counts.
  Bytes& header(std::uint64_t tensors, std::uint64_t keys, std::uint32_t version = 3) {
    return raw("GGUF").number(version).number(tensors).number(keys);
  }
  Bytes& key(std::string_view name, std::uint32_t type) { return string(name).number(type); }
  Bytes& tensor(std::string_view name, std::initializer_list<std::uint64_t> extents,
                std::uint32_t format = 0, std::uint64_t offset = 0) {
    string(name).number(static_cast<std::uint32_t>(extents.size()));
    for (const std::uint64_t extent : extents) number(extent);
    return number(format).number(offset);
  }

  std::size_t size() const { return bytes_.size(); }
  std::span<const std::byte> span() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Bytes in an allocation of exactly their size, so that a sanitizer sees a read past the end.
class ExactCopy {
 public:
  explicit ExactCopy(std::span<const std::byte> bytes)
      : bytes_(std::make_unique<std::byte[]>(bytes.size())), size_(bytes.size()) {
    std::copy(bytes.begin(), bytes.end(), bytes_.get());
  }
  std::span<std::byte> span() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_;
};

/// A check for BOOST_CHECK_EXCEPTION: the message has every part.
inline auto says(std::vector<std::string_view> parts) {
  return [parts](const Error& error) {
    const std::string_view message = error.what();
    bool all = true;
    for (const std::string_view part : parts) {
      const bool there = message.find(part) != message.npos;
      BOOST_CHECK_MESSAGE(there, "'" << message << "' does not say '" << part << "'");
      all = all && there;
    }
    return all;
  };
}

/// Checks that the reader refuses the file, naming it and every part.
inline void check_refused(const Bytes& file, std::vector<std::string_view> parts) {
  parts.push_back("bad.gguf: ");
  const ExactCopy copy(file.span());
  BOOST_CHECK_EXCEPTION(read_gguf(copy.span(), "bad.gguf"), Error, says(parts));
}

inline bool lies_in(const void* start, std::size_t size, std::span<const std::byte> bytes) {
  const auto* first = static_cast<const std::byte*>(start);
  return size == 0 || (first >= bytes.data() && size <= bytes.size() &&
                       static_cast<std::size_t>(first - bytes.data()) <= bytes.size() - size);
}

/// Touches everything a file offers: keys, values in every form, names, every byte of every tensor.
/// False where something lies outside `bytes`.
inline bool walk(const GgufFile& file, std::span<const std::byte> bytes) {
  bool inside = true;
  for (const MetadataEntry& entry : file.metadata.entries()) {
    inside = inside && lies_in(entry.key.data(), entry.key.size(), bytes) &&
             lies_in(entry.value.bytes().data(), entry.value.bytes().size(), bytes);
    inside = inside && !printable(entry.value).empty();
    if (entry.value.type() == ValueType::string && entry.value.is_array()) {
      for (const std::string_view text :
           file.metadata.get<std::vector<std::string_view>>(entry.key)) {
        inside = inside && lies_in(text.data(), text.size(), bytes);
      }
    }
  }
  unsigned sum = 0;
  for (const TensorView& tensor : file.tensors) {
    inside = inside && lies_in(tensor.name.data(), tensor.name.size(), bytes) &&
             lies_in(tensor.bytes.data(), tensor.bytes.size(), bytes) &&
             file.find(tensor.name) == &tensor && tensor.elements() > 0;
    for (const std::byte value : tensor.bytes) sum += std::to_integer<unsigned>(value);
    for (const std::byte value : tensor.row(tensor.rows() - 1)) {
      sum += std::to_integer<unsigned>(value);
    }
  }
  return inside && sum <= 2 * 255 * bytes.size();
}

/// Bytes 1, 2, 3, ...
inline std::vector<std::byte> counting_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i + 1);
  return bytes;
}

/// Sets a key of every type, and an array of every type.
inline void set_every_type(GgufWriter& writer) {
  using namespace std::string_view_literals;
  writer.set("general.architecture", "llama")
      .set("one.u8", std::uint8_t{255})
      .set("one.i8", std::int8_t{-128})
      .set("one.u16", std::uint16_t{65535})
      .set("one.i16", std::int16_t{-32768})
      .set("one.u32", 4294967295u)
      .set("one.i32", std::int32_t{-2147483647 - 1})
      .set("one.u64", ~std::uint64_t{0})
      .set("one.i64", std::numeric_limits<std::int64_t>::min())
      .set("one.f32", 0.1f)
      .set("one.f64", 0.1)
      .set("one.true", true)
      .set("one.false", false)
      .set("one.string", "h\xC3\xA9, \0 and \xFF"sv)
      .set("one.empty", "");
  writer.set("many.u8", std::vector<std::uint8_t>{0, 1, 255})
      .set("many.i8", std::vector<std::int8_t>{-128, 0, 127})
      .set("many.u16", std::vector<std::uint16_t>{0, 65535})
      .set("many.i16", std::vector<std::int16_t>{-32768, 32767})
      .set("many.u32", std::vector<std::uint32_t>{0, 4294967295u})
      .set("many.i32", std::vector<std::int32_t>{-1, 0, 1, 2})
      .set("many.u64", std::vector<std::uint64_t>{0, ~std::uint64_t{0}})
      .set("many.i64", std::vector<std::int64_t>{-1, 1})
      .set("many.f32", std::vector<float>{-1.5f, 0.f, 3.25f})
      .set("many.f64", std::vector<double>{1e-300, 1e300})
      .set("many.bool", std::vector<bool>{true, false, true})
      .set("many.string", std::vector<std::string_view>{"a", "", "b\0c"sv, "\xE2\x96\x81the"})
      .set("many.none", std::vector<std::int32_t>{});
}

}  // namespace lamina::test
