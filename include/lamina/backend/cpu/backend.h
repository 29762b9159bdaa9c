// CpuBackend: threaded; quantized weights in panels times quantized activations, all else in float.
//
// Activations have 8 bits with a scale for each 32, and 10 where a value stands out
// (docs/decisions/008-panels-and-integer-activations.md). Built to be fast, not to define: apart
// from moving rows and adding biases it shares no loop with the reference backend that it is tested
// against. Every result depends on its own row alone, whatever the batch, the split and the number
// of threads.
#pragma once

#include "lamina/backend/backend.h"
#include "lamina/backend/cpu/attention/tasks.h"
#include "lamina/backend/cpu/elementwise.h"
#include "lamina/backend/cpu/float_linear.h"
#include "lamina/backend/cpu/kernels.h"
#include "lamina/backend/cpu/panel_linear.h"
#include "lamina/backend/cpu/weight.h"
#include "lamina/backend/host_matrix.h"
#include "lamina/backend/host_step.h"
#include "lamina/backend/thread_pool.h"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <vector>

namespace lamina {

class CpuBackend {
 public:
  using Vector = std::vector<float>;
  using Matrix = HostMatrix;
  using Weight = CpuWeight;
  struct Step : HostStep {
    ReusedBuffer quantized, filled_up, partials;
  };

  static constexpr std::string_view name = "cpu";

  /// `kernels` are those of an instruction set: `portable_kernels` of cpu/portable_kernels.h, for
  /// instance. Without `repack`, panels are laid out anew for every product: memory and the start
  /// are saved, and every token pays for it.
  CpuBackend(int threads, const CpuKernels& kernels, bool repack = true)
      : pool_(std::make_unique<ThreadPool>(threads)), kernels_(kernels), repack_(repack) {}

  Weight prepare(const TensorView& tensor) {
    if (!repack_ || !has_panels(tensor.format)) return {.tensor = tensor};
    return make_panels(*pool_, kernels_.panels, tensor);
  }
  /// A table of rows that is only looked up stays as it is in the file.
  Weight prepare_table(const TensorView& tensor) { return {.tensor = tensor}; }
  Vector vector(const TensorView& tensor);

  Step begin(const BatchRows& rows, std::span<const RopeSettings> ropes) {
    return {make_host_step(rows, ropes), {}, {}, {}};
  }
  Matrix matrix(Step&, std::int64_t rows, std::int64_t cols) { return {rows, cols}; }
  void read(Step&, const Matrix& x, std::span<float> out);

  void embed(Step& step, Matrix& y, const Weight& table, float scale);
  void rms_norm(Step& step, Matrix& y, const Matrix& x, const Vector& weight, float eps);
  void linear(Step& step, Matrix& y, const Weight& w, const Matrix& x, const Vector* bias);
  void rope(Step& step, Matrix& x, RopeUse use);
  void append(Step& step, KvLayer kv, const Matrix& k, const Matrix& v);
  template <AttentionVariant V>
  void attend(Step& step, Matrix& y, const Matrix& q, KvLayer kv, const AttentionShape& shape,
              const V& variant);
  void add(Step& step, Matrix& y, const Matrix& x);
  template <Activation A>
  void gate(Step& step, Matrix& y, const Matrix& x);
  void select(Step& step, Matrix& y, const Matrix& x);

  // Blocks (backend/blocks.h) whose weights share one quantized input: of this backend and of those
  // derived from it.
  template <class Qkv, class Weights>
  void project_qkv(Step& step, Qkv& to, const Matrix& h, const Weights& w, RopeUse rope, float eps,
                   KvLayer kv);
  template <Activation A, class Weights>
  void gated_ffn(Step& step, Matrix& gate, Matrix& up, const Weights& w, const Matrix& h);

 private:
  struct Product {
    Matrix* y;
    const Weight* weight;
    const Vector* bias;
  };
  /// Several products with one input.
  void products(Step& step, const Matrix& x, std::initializer_list<Product> all);

  std::unique_ptr<ThreadPool> pool_;
  CpuKernels kernels_;
  bool repack_;
};

inline CpuBackend::Vector CpuBackend::vector(const TensorView& tensor) {
  Vector values(static_cast<std::size_t>(tensor.cols()));
  decode_row(tensor.format, tensor.bytes.data(), tensor.cols(), values.data());
  return values;
}

inline void CpuBackend::read(Step&, const Matrix& x, std::span<float> out) {
  if (!out.empty()) std::copy_n(x.row(0), out.size(), out.begin());
}

inline void CpuBackend::embed(Step& step, Matrix& y, const Weight& table, float scale) {
  pool_->for_each(y.rows(), [&](std::int64_t t) {
    const Token token = step.rows.tokens[static_cast<std::size_t>(t)];
    decode_row(table.tensor.format, table.tensor.row(token).data(), table.tensor.cols(), y.row(t));
    for (std::int64_t i = 0; i < y.cols(); ++i) y.row(t)[i] *= scale;
  });
}

inline void CpuBackend::rms_norm(Step&, Matrix& y, const Matrix& x, const Vector& weight,
                                 float eps) {
  const auto length = static_cast<std::int64_t>(weight.size());
  pool_->for_each(x.rows(), [&](std::int64_t t) {
    for (std::int64_t at = 0; at < x.cols(); at += length) {
      kernels_.rows.rms_norm(y.row(t) + at, x.row(t) + at, weight.data(), length, eps);
    }
  });
}

inline void CpuBackend::linear(Step& step, Matrix& y, const Weight& w, const Matrix& x,
                               const Vector* bias) {
  products(step, x, {{&y, &w, bias}});
}

inline void CpuBackend::products(Step& step, const Matrix& x, std::initializer_list<Product> all) {
  if (x.rows() == 0) return;
  std::vector<WeightProduct> in_panels, of_floats;
  for (const Product& product : all) {
    const bool panels = has_panels(product.weight->tensor.format);
    (panels ? in_panels : of_floats).push_back({product.weight, product.y->view()});
  }
  if (!in_panels.empty()) {
    const QuantizedRows rows = quantize(*pool_, kernels_.panels, x.view(), step.quantized);
    multiply(*pool_, kernels_.panels, rows, in_panels);
  }
  multiply_floats(*pool_, kernels_.floats, x.view(), of_floats, step.filled_up);
  for (const Product& product : all) {
    if (product.bias == nullptr) continue;
    for (std::int64_t t = 0; t < x.rows(); ++t) {
      float* row = product.y->row(t);
      for (std::size_t r = 0; r < product.bias->size(); ++r) row[r] += (*product.bias)[r];
    }
  }
}

template <class Qkv, class Weights>
void CpuBackend::project_qkv(Step& step, Qkv& to, const Matrix& h, const Weights& w, RopeUse use,
                             float eps, KvLayer kv) {
  products(step, h,
           {{&to.q, &w.q, w.q_bias ? &*w.q_bias : nullptr},
            {&to.k, &w.k, w.k_bias ? &*w.k_bias : nullptr},
            {&to.v, &w.v, w.v_bias ? &*w.v_bias : nullptr}});
  if (w.q_norm) rms_norm(step, to.q, to.q, *w.q_norm, eps);
  if (w.k_norm) rms_norm(step, to.k, to.k, *w.k_norm, eps);
  rope(step, to.q, use);
  rope(step, to.k, use);
  append(step, kv, to.k, to.v);
}

template <Activation A, class Weights>
void CpuBackend::gated_ffn(Step& step, Matrix& gated, Matrix& up, const Weights& w,
                           const Matrix& h) {
  products(step, h, {{&gated, &w.gate, nullptr}, {&up, &w.up, nullptr}});
  gate<A>(step, gated, up);
}

inline void CpuBackend::rope(Step& step, Matrix& x, RopeUse use) {
  const RopeAngles& angles = step.ropes[static_cast<std::size_t>(use.table)];
  pool_->for_each(x.rows(), [&](std::int64_t t) {
    for (std::int64_t at = 0; at < x.cols(); at += use.head_dim) {
      kernels_.rows.rope(x.row(t) + at, angles.cos_of(t).data(), angles.sin_of(t).data(),
                         static_cast<std::int64_t>(angles.half), angles.pairing);
    }
  });
}

inline void CpuBackend::append(Step& step, KvLayer kv, const Matrix& k, const Matrix& v) {
  pool_->for_each(k.rows(), [&](std::int64_t t) {
    const auto row = static_cast<std::size_t>(t);
    const KvView& view = kv[static_cast<std::size_t>(step.rows.sequence[row])];
    for (int head = 0; head < view.row.kv_heads; ++head) {
      write_kv(view, head, step.rows.positions[row], k.row(t) + head * view.row.key_dim,
               v.row(t) + head * view.row.value_dim);
    }
  });
}

template <AttentionVariant V>
void CpuBackend::attend(Step& step, Matrix& y, const Matrix& q, KvLayer kv,
                        const AttentionShape& shape, const V& variant) {
  if (kv.empty()) return;
  std::vector<AttentionTask> tasks;
  for (const QueryBlock& block : query_blocks(step.rows.sequence)) {
    const auto sequence =
        static_cast<std::size_t>(step.rows.sequence[static_cast<std::size_t>(block.first)]);
    for (int head = 0; head < kv.front().row.kv_heads; ++head) {
      tasks.push_back({y.view(), q.view(), step.rows.positions, block, &kv[sequence], head, shape});
    }
  }
  attend_tasks(*pool_, kernels_.attention, tasks, variant, step.partials);
}

inline void CpuBackend::add(Step&, Matrix& y, const Matrix& x) {
  pool_->for_each(x.rows(),
                  [&](std::int64_t t) { kernels_.rows.add(y.row(t), x.row(t), x.cols()); });
}

template <Activation A>
void CpuBackend::gate(Step&, Matrix& y, const Matrix& x) {
  pool_->for_each(x.rows(),
                  [&](std::int64_t t) { kernels_.rows.gate<A>(y.row(t), x.row(t), x.cols()); });
}

inline void CpuBackend::select(Step& step, Matrix& y, const Matrix& x) {
  for (std::size_t i = 0; i < step.rows.outputs.size(); ++i) {
    std::copy_n(x.row(step.rows.outputs[i]), x.cols(), y.row(static_cast<std::int64_t>(i)));
  }
}

static_assert(Backend<CpuBackend>);

}  // namespace lamina
