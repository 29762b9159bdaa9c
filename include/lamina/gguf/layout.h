// What a GGUF file may contain: limits, names, alignment, sizes; the reader and the writer hold to
// them.
//
// Layout: "GGUF", version (u32), number of tensors and of keys (u64); the keys, each a string, a
// type and a value; for each tensor its name, number of extents (u32), extents (u64, innermost
// first), format (u32) and offset (u64) from the start of the data; then the data, which starts at
// a multiple of `general.alignment`, as does each tensor in it (ggml-org/ggml, docs/gguf.md).
#pragma once

#include "lamina/core/error.h"
#include "lamina/core/format_id.h"
#include "lamina/gguf/quoted.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lamina {

struct GgufLayout {
  static constexpr std::string_view magic = "GGUF";
  static constexpr std::uint32_t version = 3;  // written; 2 has the same layout
  static constexpr std::uint32_t default_alignment = 32;
  static constexpr std::uint32_t min_alignment = 8;
  static constexpr std::uint32_t max_alignment = 1u << 16;
  static constexpr std::size_t max_key_bytes = 65535;
  static constexpr std::size_t max_name_bytes = 63;
  static constexpr std::size_t max_extents = 4;
  static constexpr std::uint64_t max_elements = std::uint64_t{1} << 48;
  // Far above any model (tens of keys, some thousand tensors); they bound what a hostile file can
  // cost.
  static constexpr std::uint64_t max_keys = 1u << 16;
  static constexpr std::uint64_t max_tensors = 1u << 17;
  // Bytes of the shortest key (one letter, type, one byte) and tensor (one letter, one extent).
  static constexpr std::uint64_t min_key_entry = 8 + 1 + 4 + 1;
  static constexpr std::uint64_t min_tensor_entry = 8 + 1 + 4 + 8 + 4 + 8;
};

/// The first multiple of `alignment` (a power of two) that is not below `offset`; `offset` < 2^63.
constexpr std::uint64_t align_up(std::uint64_t offset, std::uint32_t alignment) {
  return (offset + (alignment - 1)) & ~std::uint64_t{alignment - 1};
}

/// Throws where `alignment` is not a power of two between 8 and 65536.
inline void check_alignment(std::string_view source, std::uint64_t alignment) {
  const bool power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (power_of_two && alignment >= GgufLayout::min_alignment &&
      alignment <= GgufLayout::max_alignment) {
    return;
  }
  throw Error(std::string(source) + ": the key 'general.alignment' is " +
              std::to_string(alignment) +
              ", expected a power of two from 8 to 65536; convert the model again");
}

/// Throws where `key` is empty, longer than 65535 bytes or has a NUL in it.
inline void check_key(std::string_view source, std::string_view key) {
  const auto fail = [&](const std::string& how) {
    throw Error(std::string(source) + ": the key " + quoted(key) + " " + how +
                "; the file is damaged: download or convert it again");
  };
  if (key.empty()) fail("is empty");
  if (key.size() > GgufLayout::max_key_bytes) {
    fail("has " + std::to_string(key.size()) + " bytes, at most 65535 are allowed");
  }
  if (key.find('\0') != key.npos) fail("contains a NUL byte");
}

/// Throws where `name` is empty, longer than 63 bytes or has a NUL in it.
inline void check_tensor_name(std::string_view source, std::string_view name) {
  const auto fail = [&](const std::string& how) {
    throw Error(std::string(source) + ": the tensor name " + quoted(name) + " " + how +
                "; the file is damaged or not a model: download or convert it again");
  };
  if (name.empty()) fail("is empty");
  if (name.size() > GgufLayout::max_name_bytes) {
    fail("has " + std::to_string(name.size()) + " bytes, at most 63 are allowed");
  }
  if (name.find('\0') != name.npos) fail("contains a NUL byte");
}

namespace detail {

/// Why no format has the number, and what to do about it.
inline std::string explain_format_number(std::uint32_t number) {
  if (number == 4 || number == 5) {
    return "a removed one (Q4_2 or Q4_3 of 2023); convert the original model again";
  }
  if (number >= 31 && number <= 33) {
    return "a removed one (Q4_0 repacked for one processor); quantize the model again to Q4_0, "
           "repacking now happens when a model is loaded";
  }
  if (number >= 36 && number <= 38) {
    return "a removed one (IQ4_NL repacked for one processor, or I2_S of BitNet files); quantize "
           "the model again to IQ4_NL, repacking now happens when a model is loaded";
  }
  if ((number >= 97 && number <= 99) || (number >= 133 && number <= 158) ||
      (number >= 200 && number < 400)) {
    return "one that only ik_llama.cpp writes; quantize the model to a format of llama.cpp";
  }
  return "an unknown one; the file is damaged or newer than this version of lamina";
}

}  // namespace detail

/// The format numbered `number`; throws, with what to do, where there is none.
inline const FormatInfo& checked_format(std::string_view source, std::string_view tensor,
                                        std::uint32_t number) {
  const FormatInfo* info = find_format(static_cast<FormatId>(number));
  if (info != nullptr) return *info;
  throw Error(std::string(source) + ": the tensor " + quoted(tensor) + " has format number " +
              std::to_string(number) + ", " + detail::explain_format_number(number));
}

/// Bytes of a tensor; throws where an extent is 0, the product too large or a row no whole blocks.
inline std::uint64_t checked_tensor_bytes(std::string_view source, std::string_view tensor,
                                          const FormatInfo& format,
                                          std::span<const std::uint64_t> extents) {
  const auto fail = [&](const std::string& how) {
    throw Error(std::string(source) + ": the tensor " + quoted(tensor) + " " + how +
                "; the file is damaged or not a model: download or convert it again");
  };
  if (extents.empty() || extents.size() > GgufLayout::max_extents) {
    fail("has " + std::to_string(extents.size()) + " extents, expected 1 to 4");
  }
  std::uint64_t elements = 1;
  for (const std::uint64_t extent : extents) {
    if (extent == 0) fail("has an extent of 0, expected at least 1");
    if (extent > GgufLayout::max_elements / elements) {  // divided first: the product may wrap
      fail("has an extent of " + std::to_string(extent) + ", more than 2^48 elements in all");
    }
    elements *= extent;
  }
  const auto block = static_cast<std::uint64_t>(format.block_size);
  if (extents[0] % block != 0) {
    fail("has rows of " + std::to_string(extents[0]) + " elements, expected a multiple of " +
         std::to_string(block) + " for " + std::string(format.name));
  }
  return elements / block * static_cast<std::uint64_t>(format.block_bytes);
}

}  // namespace lamina
