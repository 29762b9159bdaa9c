// The formats the library computes with. A new format is its header, its include and one word here.
#pragma once

#include "lamina/core/error.h"
#include "lamina/quant/bf16.h"
#include "lamina/quant/f16.h"
#include "lamina/quant/f32.h"
#include "lamina/quant/q2_k.h"
#include "lamina/quant/q3_k.h"
#include "lamina/quant/q4_0.h"
#include "lamina/quant/q4_1.h"
#include "lamina/quant/q4_k.h"
#include "lamina/quant/q5_0.h"
#include "lamina/quant/q5_1.h"
#include "lamina/quant/q5_k.h"
#include "lamina/quant/q6_k.h"
#include "lamina/quant/q8_0.h"

#include <limits>
#include <string>

namespace lamina {

using Formats =
    FormatList<F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K>;

/// For messages: "Q4_K", or "number 77" where the container knows no such format.
inline std::string format_name(FormatId id) {
  const FormatInfo* info = find_format(id);
  if (info != nullptr) return std::string(info->name);
  return "number " + std::to_string(static_cast<std::uint32_t>(id));
}

/// For messages: "F32, F16, ...", all of `Formats`.
inline std::string computable_formats() {
  std::string names;
  Formats::for_each([&]<class Q>() { names.append(names.empty() ? "" : ", ").append(Q::name); });
  return names;
}

/// For messages: those of `Formats` that have an encoder.
inline std::string writable_formats() {
  std::string names;
  Formats::for_each([&]<class Q>() {
    if constexpr (EncodableFormat<Q>) names.append(names.empty() ? "" : ", ").append(Q::name);
  });
  return names;
}

/// What to throw for a format that is not one of `Formats`; `what` names the tensor or flag.
inline Error unsupported_format(FormatId id, std::string_view what) {
  return Error(std::string(what) + " has the weight format " + format_name(id) +
               ", which cannot be computed with; expected one of " + computable_formats() +
               ": convert the model to one of them");
}

/// Bytes of a row of `cols` weights in any format of the container; a short last block counts
/// whole.
inline std::int64_t bytes_of_row(FormatId id, std::int64_t cols) {
  const FormatInfo* info = find_format(id);
  if (info == nullptr) {
    throw Error("a row has the weight format " + format_name(id) + ", which no GGUF file may use");
  }
  const std::int64_t blocks = cols / info->block_size + (cols % info->block_size != 0 ? 1 : 0);
  if (cols < 0 || blocks > std::numeric_limits<std::int64_t>::max() / info->block_bytes) {
    throw Error("a row of " + std::to_string(cols) + " weights in the format " +
                std::string(info->name) +
                " has no size: expected a number from 0 to what fits memory");
  }
  return blocks * info->block_bytes;
}

namespace detail {

// Templates of the list, so that a program of many units can compile them once (extern template).

template <class List>
void decode_row_of(FormatId id, const std::byte* blocks, std::int64_t count, float* values) {
  const bool found = List::visit(id, [&]<class Q>() { decode_row<Q>(blocks, count, values); });
  if (!found) throw unsupported_format(id, "a row");
}

template <class List>
void encode_row_of(FormatId id, const float* values, std::int64_t count, std::byte* blocks) {
  bool encoded = false;
  List::visit(id, [&]<class Q>() {
    if constexpr (EncodableFormat<Q>) {
      encode_row<Q>(values, count, blocks);
      encoded = true;
    }
  });
  if (encoded) return;
  throw Error("a row cannot be written in the format " + format_name(id) + "; choose one of " +
              writable_formats());
}

}  // namespace detail

/// Decodes the first `count` weights of a row in the format numbered `id`, which must be one of
/// `Formats`.
inline void decode_row(FormatId id, const std::byte* blocks, std::int64_t count, float* values) {
  detail::decode_row_of<Formats>(id, blocks, count, values);
}

/// Encodes `count` values into whole blocks of the format numbered `id`, which must have an
/// encoder.
inline void encode_row(FormatId id, const float* values, std::int64_t count, std::byte* blocks) {
  detail::encode_row_of<Formats>(id, values, count, blocks);
}

}  // namespace lamina
