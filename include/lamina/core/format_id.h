// Every weight format a GGUF file can name: its number, its spelling, its block size.
//
// The numbers and sizes are those of ggml's type table (ggml-org/ggml, include/ggml.h and
// src/ggml.c). Being listed here means that a file using the format can be read and described;
// formats that can also be computed with have a header in quant/.
#pragma once

#include "lamina/core/config.h"

#include <cstdint>
#include <string_view>

namespace lamina {

/// The number that stands for a format in a GGUF file.
enum class FormatId : std::uint32_t {
  f32 = 0,
  f16 = 1,
  q4_0 = 2,
  q4_1 = 3,
  q5_0 = 6,
  q5_1 = 7,
  q8_0 = 8,
  q8_1 = 9,
  q2_k = 10,
  q3_k = 11,
  q4_k = 12,
  q5_k = 13,
  q6_k = 14,
  q8_k = 15,
  iq2_xxs = 16,
  iq2_xs = 17,
  iq3_xxs = 18,
  iq1_s = 19,
  iq4_nl = 20,
  iq3_s = 21,
  iq2_s = 22,
  iq4_xs = 23,
  i8 = 24,
  i16 = 25,
  i32 = 26,
  i64 = 27,
  f64 = 28,
  iq1_m = 29,
  bf16 = 30,
  tq1_0 = 34,
  tq2_0 = 35,
  mxfp4 = 39,
  nvfp4 = 40,
  q1_0 = 41,
  q2_0 = 42,
};

/// What the container needs to know of a format.
struct FormatInfo {
  FormatId id;
  std::string_view name;  // as files and tools spell it
  int block_size;         // elements in a block
  int block_bytes;        // bytes of a block
};

inline constexpr FormatInfo known_formats[] = {
    {FormatId::f32, "F32", 1, 4},
    {FormatId::f16, "F16", 1, 2},
    {FormatId::q4_0, "Q4_0", 32, 18},
    {FormatId::q4_1, "Q4_1", 32, 20},
    {FormatId::q5_0, "Q5_0", 32, 22},
    {FormatId::q5_1, "Q5_1", 32, 24},
    {FormatId::q8_0, "Q8_0", 32, 34},
    {FormatId::q8_1, "Q8_1", 32, 36},
    {FormatId::q2_k, "Q2_K", 256, 84},
    {FormatId::q3_k, "Q3_K", 256, 110},
    {FormatId::q4_k, "Q4_K", 256, 144},
    {FormatId::q5_k, "Q5_K", 256, 176},
    {FormatId::q6_k, "Q6_K", 256, 210},
    {FormatId::q8_k, "Q8_K", 256, 292},
    {FormatId::iq2_xxs, "IQ2_XXS", 256, 66},
    {FormatId::iq2_xs, "IQ2_XS", 256, 74},
    {FormatId::iq3_xxs, "IQ3_XXS", 256, 98},
    {FormatId::iq1_s, "IQ1_S", 256, 50},
    {FormatId::iq4_nl, "IQ4_NL", 32, 18},
    {FormatId::iq3_s, "IQ3_S", 256, 110},
    {FormatId::iq2_s, "IQ2_S", 256, 82},
    {FormatId::iq4_xs, "IQ4_XS", 256, 136},
    {FormatId::i8, "I8", 1, 1},
    {FormatId::i16, "I16", 1, 2},
    {FormatId::i32, "I32", 1, 4},
    {FormatId::i64, "I64", 1, 8},
    {FormatId::f64, "F64", 1, 8},
    {FormatId::iq1_m, "IQ1_M", 256, 56},
    {FormatId::bf16, "BF16", 1, 2},
    {FormatId::tq1_0, "TQ1_0", 256, 54},
    {FormatId::tq2_0, "TQ2_0", 256, 66},
    {FormatId::mxfp4, "MXFP4", 32, 17},
    {FormatId::nvfp4, "NVFP4", 64, 36},
    {FormatId::q1_0, "Q1_0", 128, 18},
    {FormatId::q2_0, "Q2_0", 64, 18},
};

/// The entry for `id`, or null where the number stands for no format (a removed or an unknown one).
constexpr const FormatInfo* find_format(FormatId id) {
  for (const FormatInfo& info : known_formats) {
    if (info.id == id) return &info;
  }
  return nullptr;
}

/// The entry spelled `name`, or null.
constexpr const FormatInfo* find_format(std::string_view name) {
  for (const FormatInfo& info : known_formats) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

}  // namespace lamina
