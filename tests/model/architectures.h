// The architectures that have a small model, each paired with its files.
#pragma once

#include "lamina/arch/gemma3.h"
#include "lamina/arch/llama.h"
#include "lamina/arch/qwen2.h"
#include "lamina/arch/qwen3.h"

#include <tuple>

namespace lamina::test {

template <Architecture A>
struct Case {
  using Arch = A;
};

struct LlamaCase : Case<Llama> {
  static constexpr const char* name = "llama";
};
struct TiedCase : Case<Llama> {
  static constexpr const char* name = "llama_mha_tied";
};
struct Qwen2Case : Case<Qwen2> {
  static constexpr const char* name = "qwen2";
};
struct Qwen3Case : Case<Qwen3> {
  static constexpr const char* name = "qwen3";
};
struct Gemma3Case : Case<Gemma3> {
  static constexpr const char* name = "gemma3";
};

using Cases = std::tuple<LlamaCase, TiedCase, Qwen2Case, Qwen3Case, Gemma3Case>;

}  // namespace lamina::test
