// One kernel of the AVX2 instruction set, once, for check.py to count its instructions.
//
// usage: bench_instructions list | KERNEL
// What counts runs inside `measured`; inputs are made before. A weight has 64 rows of 1024.
#include "lamina/backend/cpu/float_linear.h"
#include "lamina/backend/cpu/panel_linear.h"
#include "lamina/core/error.h"
#include "lamina/quant/formats.h"
#include "runtime/instances/shared/kernels.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

/// The function that callgrind is told to collect in.
[[gnu::noinline]] void measured(const std::function<void()>& body) { body(); }

namespace lamina {
namespace {

constexpr std::int64_t rows = 64, cols = 1024;

std::vector<float> numbers(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(i * 2654435761u % 1000) * 0.002f - 1.0f;
  }
  return values;
}

/// Numbers of which one of 160 stands out: its step is fine.
std::vector<float> uneven_numbers(std::size_t count) {
  std::vector<float> values = numbers(count);
  for (std::size_t i = 0; i < count; i += 160) values[i] = 50;
  return values;
}

/// A product with `columns` columns.
void multiply_columns(const CpuKernels& kernels, FormatId format, std::int64_t columns) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(bytes_of_row(format, cols) * rows));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(i * 2654435761u % 53);  // scales stay small numbers
  }
  const TensorView tensor{
      .name = "w", .format = format, .extent = {cols, rows, 1, 1}, .bytes = bytes};
  ThreadPool pool(1);
  const CpuWeight weight = make_panels(pool, kernels.panels, tensor);
  const std::vector<float> x = uneven_numbers(static_cast<std::size_t>(columns * cols));
  std::vector<float> y(static_cast<std::size_t>(columns * rows));
  ReusedBuffer memory, scratch;
  const QuantizedRows quantized = quantize(pool, kernels.panels, {x.data(), columns, cols}, memory);
  std::byte* room = scratch.of(static_cast<std::size_t>(kernels.panels.scratch_bytes));
  measured([&] {
    kernels.panels.multiply(weight.panels(), quantized, 0, panels_of(rows), y.data(), room);
  });
}

/// The first rows of a product of float weights with `tokens` tokens.
void multiply_floats(const CpuKernels& kernels, FormatId format, std::int64_t tokens) {
  const std::vector<std::byte> w(
      static_cast<std::size_t>(bytes_of_row(format, cols) * float_rows_together));
  const std::vector<float> x = numbers(static_cast<std::size_t>(tokens * cols));
  std::vector<float> y(static_cast<std::size_t>(tokens * float_rows_together));
  ThreadPool pool(1);
  ReusedBuffer input_memory, memory;
  const FloatProduct product{
      .input = float_input(pool, kernels.floats, {x.data(), tokens, cols}, input_memory),
      .w = w.data(),
      .format = format,
      .row_bytes = bytes_of_row(format, cols),
      .cols = cols,
      .y = y.data(),
      .y_stride = float_rows_together};
  float* scratch = memory.floats(static_cast<std::size_t>(kernels.floats.scratch_floats(cols)));
  measured([&] { kernels.floats.multiply(product, 0, float_rows_together, scratch); });
}

void quantize_one(const CpuKernels& kernels) {
  constexpr std::int64_t steps = cols / step_size;
  const std::vector<float> x = uneven_numbers(cols);
  std::vector<StepRecord> records(steps);
  std::vector<LowRecord> low(steps);
  std::vector<std::uint8_t> fine(steps * step_flags);
  const QuantizedRows to{
      {.tile = kernels.panels.tile, .rows = 1}, steps, records.data(), low.data(), fine.data()};
  measured([&] { kernels.panels.quantize_row(x.data(), cols, to, 0); });
}

/// Keys and values of one chunk of 64 elements in `format`, then `queries` rows against them.
void attend_chunk(const CpuKernels& kernels, FormatId format, int queries) {
  constexpr int elements = 64;
  const AttentionKernels& attention = kernels.attention;
  const std::vector<float> source = numbers(elements * key_chunk), q = numbers(elements);
  const auto row_bytes = static_cast<std::size_t>(bytes_of_row(format, elements));
  std::vector<std::byte> bytes(row_bytes * static_cast<std::size_t>(key_chunk));
  StoredRows stored{{}, format, elements};
  for (int k = 0; k < key_chunk; ++k) {
    std::byte* row = bytes.data() + static_cast<std::size_t>(k) * row_bytes;
    encode_row(format, source.data() + k * elements, elements, row);
    stored.row[k] = row;
  }
  const auto size = static_cast<std::size_t>(queries);
  std::vector<float> keys(elements * key_chunk), values(keys), scores(size * key_chunk),
      means(size * elements), factors(size);
  const std::vector<const float*> rows_of_q(size, q.data());
  measured([&] {
    attention.read_keys(stored, keys.data());
    attention.read_values(stored, values.data());
    attention.score(rows_of_q.data(), queries, keys.data(), elements, 0.1f, scores.data());
    for (int r = 0; r < queries; ++r) {
      float top = -1, sum = 0;
      factors[static_cast<std::size_t>(r)] =
          attention.weigh(scores.data() + r * key_chunk, top, sum);
    }
    attention.accumulate(scores.data(), queries, factors.data(), values.data(), elements, 0,
                         key_chunk, means.data());
  });
}

void row_wise(const std::function<void(float* y, const float* x)>& kernel) {
  const std::vector<float> x = numbers(cols);
  std::vector<float> y(x);
  measured([&] { kernel(y.data(), x.data()); });
}

using Kernels = std::map<std::string, std::function<void(const CpuKernels&)>>;

Kernels all_kernels() {
  Kernels all;
  for (const FormatId format :
       {FormatId::q4_0, FormatId::q4_1, FormatId::q5_0, FormatId::q5_1, FormatId::q8_0,
        FormatId::q2_k, FormatId::q3_k, FormatId::q4_k, FormatId::q5_k, FormatId::q6_k}) {
    for (const std::int64_t columns : {1, 8, 64}) {
      const std::string name = std::string(format_name(format)) + "-n" + std::to_string(columns);
      all[name] = [=](const CpuKernels& k) { multiply_columns(k, format, columns); };
    }
  }
  for (const FormatId format : {FormatId::f32, FormatId::f16, FormatId::bf16}) {
    for (const std::int64_t tokens : {1, 64}) {
      all[std::string(format_name(format)) + "-n" + std::to_string(tokens)] =
          [=](const CpuKernels& k) { multiply_floats(k, format, tokens); };
    }
  }
  for (const FormatId format : {FormatId::f16, FormatId::q8_0, FormatId::q4_0}) {
    for (const int queries : {4, 64}) {
      all["attention-" + std::string(format_name(format)) + "-n" + std::to_string(queries)] =
          [=](const CpuKernels& k) { attend_chunk(k, format, queries); };
    }
  }
  all["quantize"] = quantize_one;
  all["rms_norm"] = [](const CpuKernels& k) {
    row_wise([&](float* y, const float* x) { k.rows.rms_norm(y, x, x, cols, 1e-5f); });
  };
  all["silu"] = [](const CpuKernels& k) {
    row_wise([&](float* y, const float* x) { k.rows.silu(y, x, cols); });
  };
  all["gelu_tanh"] = [](const CpuKernels& k) {
    row_wise([&](float* y, const float* x) { k.rows.gelu_tanh(y, x, cols); });
  };
  return all;
}

}  // namespace
}  // namespace lamina

int main(int count, char** arguments) {
  const lamina::Kernels kernels = lamina::all_kernels();
  const std::string name = count == 2 ? arguments[1] : "";
  if (name == "list") {
    for (const auto& [kernel, run] : kernels) std::printf("%s\n", kernel.c_str());
    return 0;
  }
  const auto found = kernels.find(name);
  if (found == kernels.end()) {
    std::fprintf(stderr, "usage: bench_instructions list | KERNEL\n");
    return 2;
  }
  try {
    found->second(lamina::cpu_kernels("avx2"));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_instructions: %s\n", error.what());
    return 1;
  }
}
