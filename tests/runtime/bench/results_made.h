// A result made by hand.
#pragma once

#include "runtime/bench/bench_result.h"

namespace lamina::test {

inline BenchResult made_result() {
  BenchResult result;
  result.model = {"folder/m \"1\".gguf", "llama 1|B", 3u << 30, 1'200'000'000};
  result.backend = "cpu";
  result.isa = "avx2";
  result.threads = 2;
  result.key_format = FormatId::q8_0;
  result.test = {.generated = 5, .depth = 9, .sequences = 4};
  result.time = "2026-01-31T23:59:58Z";
  result.samples_ns = {1'000'000'000, 2'000'000'000, 4'000'000'000};
  result.work = {.bytes = 7e9, .operations = 14e9};
  result.peak_memory = 5u << 20;
  result.ratio_to_one = 2.5;
  result.limits = MachineLimits{2, "avx2", 10, 100, 50};
  return result;
}

}  // namespace lamina::test
