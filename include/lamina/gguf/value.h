// MetadataValue: one value of a GGUF file, a number, a truth value, a string, or an array of these.
//
// The bytes stay as the file has them and are decoded when asked for: numbers little-endian, a
// truth value one byte 0 or 1, a string a 64-bit length and its bytes, an array its elements one
// after the other (ggml-org/ggml, docs/gguf.md; type numbers of include/gguf.h). Arrays do not
// nest.
#pragma once

#include "lamina/gguf/byte_reader.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace lamina {

/// The number that stands for a type in a GGUF file.
enum class ValueType : std::uint32_t {
  u8 = 0,
  i8 = 1,
  u16 = 2,
  i16 = 3,
  u32 = 4,
  i32 = 5,
  f32 = 6,
  boolean = 7,
  string = 8,
  array = 9,
  u64 = 10,
  i64 = 11,
  f64 = 12,
};

/// Bytes of a value of fixed size; 0 for strings and arrays.
constexpr std::uint64_t value_size(ValueType type) {
  constexpr std::uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  return sizes[static_cast<std::uint32_t>(type)];
}

/// How messages and listings spell the type.
constexpr std::string_view value_type_name(ValueType type) {
  constexpr std::string_view names[] = {"u8",   "i8",     "u16",   "i16", "u32", "i32", "f32",
                                        "bool", "string", "array", "u64", "i64", "f64"};
  return names[static_cast<std::uint32_t>(type)];
}

template <class T>
concept MetadataInteger = std::integral<T> && !std::same_as<T, bool>;

template <class T>
concept MetadataText = std::convertible_to<const T&, std::string_view>;

/// What a single value can be made from.
template <class T>
concept MetadataScalar =
    MetadataInteger<T> || std::same_as<T, bool> || std::floating_point<T> || MetadataText<T>;

class MetadataValue {
 public:
  /// A single value that owns its bytes; the type in the file is the type given.
  template <MetadataScalar T>
  MetadataValue(const T& value);

  /// An array that owns its bytes.
  template <MetadataScalar T>
  MetadataValue(const std::vector<T>& values);

  /// Reads and checks the type and the value at the cursor; `what` names it in messages. The bytes
  /// must outlive the result.
  static MetadataValue read(ByteReader& reader, std::string_view what);

  bool is_array() const { return is_array_; }
  ValueType type() const { return type_; }       // of an array: of its elements
  std::uint64_t size() const { return count_; }  // elements; 1 where it is no array
  std::span<const std::byte> bytes() const {
    return bytes_;
  }  // as in the file, without types and count

  /// "u32", or "string[32000]" for an array.
  std::string type_name() const;

  /// The value as a T: integers of any width where the value fits, f32 and f64 for floats; a vector
  /// for arrays. Throws Error, a half-sentence that follows the key's name, where it is something
  /// else.
  template <class T>
  T as() const;

  bool operator==(const MetadataValue& other) const;

 private:
  MetadataValue() = default;  // for read()
  void own(std::vector<std::byte> encoded);

  ValueType type_ = ValueType::u8;
  bool is_array_ = false;
  std::uint64_t count_ = 1;
  std::span<const std::byte> bytes_;
  std::shared_ptr<const std::vector<std::byte>> owner_;  // null where the bytes are a file's
};

namespace detail {

template <class T>
constexpr ValueType value_type_of() {
  if constexpr (std::same_as<T, bool>) {
    return ValueType::boolean;
  } else if constexpr (std::same_as<T, float>) {
    return ValueType::f32;
  } else if constexpr (std::same_as<T, double>) {
    return ValueType::f64;
  } else if constexpr (MetadataText<T>) {
    return ValueType::string;
  } else if constexpr (sizeof(T) == 8) {
    return std::is_signed_v<T> ? ValueType::i64 : ValueType::u64;
  } else {
    constexpr std::uint32_t width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 2 : 4;
    return static_cast<ValueType>(width + (std::is_signed_v<T> ? 1 : 0));
  }
}

inline void append(std::vector<std::byte>& out, const void* bytes, std::size_t count) {
  const auto* first = static_cast<const std::byte*>(bytes);
  out.insert(out.end(), first, first + count);
}

template <class T>
void encode(std::vector<std::byte>& out, const T& value) {
  if constexpr (MetadataText<T>) {
    const std::string_view text = value;
    const std::uint64_t length = text.size();
    append(out, &length, sizeof length);
    append(out, text.data(), text.size());
  } else {
    append(out, &value, sizeof value);
  }
}

/// What `as<T>` looks for, in words.
template <class T>
std::string expected_kind() {
  if constexpr (std::same_as<T, bool>)
    return "bool";
  else if constexpr (std::floating_point<T>)
    return "f32 or f64";
  else if constexpr (MetadataText<T>)
    return "string";
  else
    return "integer";
}

template <class T>
bool matches(ValueType type) {
  if constexpr (MetadataText<T> || std::same_as<T, bool>) return type == value_type_of<T>();
  const bool real = type == ValueType::f32 || type == ValueType::f64;
  if constexpr (std::floating_point<T>) return real;
  return !real && value_size(type) > 0 && type != ValueType::boolean;
}

template <class T, class Stored>
T fitting(Stored stored) {
  if constexpr (std::floating_point<T>) {
    constexpr auto largest = static_cast<double>(std::numeric_limits<T>::max());
    const double magnitude = stored < 0 ? -static_cast<double>(stored) : stored;
    if (magnitude > largest && magnitude <= std::numeric_limits<double>::max()) {
      throw Error("is an f64 beyond the range of f32");
    }
    return static_cast<T>(stored);  // NaN and infinities pass
  } else {
    if (!std::in_range<T>(stored)) {
      throw Error("is " + std::to_string(stored) + ", which is outside the range " +
                  std::to_string(std::numeric_limits<T>::min()) + " to " +
                  std::to_string(std::numeric_limits<T>::max()));
    }
    return static_cast<T>(stored);
  }
}

/// The element at the cursor, of a type for which `matches<T>` holds.
template <class T>
T decode_element(ByteReader& reader, ValueType type) {
  constexpr std::string_view what = "a value";
  if constexpr (MetadataText<T>) {
    return T(reader.string(what));
  } else if constexpr (std::same_as<T, bool>) {
    return reader.number<std::uint8_t>(what) != 0;
  } else if constexpr (std::floating_point<T>) {
    return type == ValueType::f32 ? fitting<T>(reader.number<float>(what))
                                  : fitting<T>(reader.number<double>(what));
  } else {
    switch (type) {
      case ValueType::u8:
        return fitting<T>(reader.number<std::uint8_t>(what));
      case ValueType::i8:
        return fitting<T>(reader.number<std::int8_t>(what));
      case ValueType::u16:
        return fitting<T>(reader.number<std::uint16_t>(what));
      case ValueType::i16:
        return fitting<T>(reader.number<std::int16_t>(what));
      case ValueType::u32:
        return fitting<T>(reader.number<std::uint32_t>(what));
      case ValueType::i32:
        return fitting<T>(reader.number<std::int32_t>(what));
      case ValueType::u64:
        return fitting<T>(reader.number<std::uint64_t>(what));
      default:
        return fitting<T>(reader.number<std::int64_t>(what));
    }
  }
}

template <class T>
struct ElementOf {
  using type = T;
  static constexpr bool is_array = false;
};
template <class T>
struct ElementOf<std::vector<T>> {
  using type = T;
  static constexpr bool is_array = true;
};

[[noreturn]] inline void throw_damaged(const ByteReader& reader, std::string_view what,
                                       const std::string& how) {
  throw Error(std::string(reader.source()) + ": " + std::string(what) + " " + how +
              "; the file is damaged or cut short: download or convert it again");
}

inline ValueType read_value_type(ByteReader& reader, std::string_view what) {
  const auto number = reader.number<std::uint32_t>(what);
  if (number <= static_cast<std::uint32_t>(ValueType::f64)) return static_cast<ValueType>(number);
  throw_damaged(reader, what,
                "has type " + std::to_string(number) + ", but GGUF has only the types 0 to 12");
}

/// Steps over `count` elements and checks that each is one.
inline void check_elements(ByteReader& reader, ValueType type, std::uint64_t count,
                           std::string_view what) {
  const std::uint64_t smallest = type == ValueType::string ? 8 : value_size(type);
  if (count > reader.remaining() / smallest) {  // before anything is multiplied or allocated
    throw_damaged(reader, what,
                  "needs " + std::to_string(count) + " x " + std::string(value_type_name(type)) +
                      ", but only " + std::to_string(reader.remaining()) + " bytes are left");
  }
  if (type == ValueType::string) {
    for (std::uint64_t i = 0; i < count; ++i) reader.string(what);
    return;
  }
  const auto elements = reader.take(count * smallest, what);
  if (type != ValueType::boolean) return;
  for (const std::byte value : elements) {
    if (value <= std::byte{1}) continue;
    throw_damaged(reader, what,
                  "is a bool stored as " + std::to_string(std::to_integer<int>(value)) +
                      ", where only 0 and 1 are allowed");
  }
}

}  // namespace detail

template <MetadataScalar T>
MetadataValue::MetadataValue(const T& value) : type_(detail::value_type_of<T>()) {
  std::vector<std::byte> encoded;
  detail::encode(encoded, value);
  own(std::move(encoded));
}

template <MetadataScalar T>
MetadataValue::MetadataValue(const std::vector<T>& values)
    : type_(detail::value_type_of<T>()), is_array_(true), count_(values.size()) {
  std::vector<std::byte> encoded;
  for (const auto& value : values) detail::encode<T>(encoded, value);
  own(std::move(encoded));
}

inline void MetadataValue::own(std::vector<std::byte> encoded) {
  owner_ = std::make_shared<const std::vector<std::byte>>(std::move(encoded));
  bytes_ = *owner_;
}

inline MetadataValue MetadataValue::read(ByteReader& reader, std::string_view what) {
  MetadataValue value;
  value.type_ = detail::read_value_type(reader, what);
  if (value.type_ == ValueType::array) {
    value.is_array_ = true;
    value.type_ = detail::read_value_type(reader, what);
    value.count_ = reader.number<std::uint64_t>(what);
    if (value.type_ == ValueType::array) {
      detail::throw_damaged(reader, what, "is an array of arrays, which GGUF readers do not take");
    }
  }
  ByteReader start = reader;
  detail::check_elements(reader, value.type_, value.count_, what);
  value.bytes_ = start.take(reader.position() - start.position(), what);
  return value;
}

inline std::string MetadataValue::type_name() const {
  const std::string name(value_type_name(type_));
  return is_array_ ? name + "[" + std::to_string(count_) + "]" : name;
}

template <class T>
T MetadataValue::as() const {
  using Element = typename detail::ElementOf<T>::type;
  constexpr bool wants_array = detail::ElementOf<T>::is_array;
  if (wants_array != is_array_ || !detail::matches<Element>(type_)) {
    throw Error("is " + type_name() + ", expected " + (wants_array ? "array of " : "") +
                detail::expected_kind<Element>());
  }
  ByteReader reader(bytes_, "metadata");
  if constexpr (wants_array) {
    T elements;
    elements.reserve(static_cast<std::size_t>(count_));  // no more than the bytes present
    for (std::uint64_t i = 0; i < count_; ++i) {
      elements.push_back(detail::decode_element<Element>(reader, type_));
    }
    return elements;
  } else {
    return detail::decode_element<Element>(reader, type_);
  }
}

inline bool MetadataValue::operator==(const MetadataValue& other) const {
  return type_ == other.type_ && is_array_ == other.is_array_ && count_ == other.count_ &&
         std::equal(bytes_.begin(), bytes_.end(), other.bytes_.begin(), other.bytes_.end());
}

}  // namespace lamina
