// ReferenceBackend: every operation as its definition in ops/ and attention/reference.h says, with
// double sums.
//
// The oracle of the library: plain loops, never vectorised by hand. Threads share rows, which
// changes no result.
#pragma once

#include "lamina/attention/reference.h"
#include "lamina/backend/backend.h"
#include "lamina/backend/host_matrix.h"
#include "lamina/backend/host_step.h"
#include "lamina/backend/thread_pool.h"
#include "lamina/ops/embedding.h"
#include "lamina/ops/linear.h"
#include "lamina/ops/rms_norm.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace lamina {

class ReferenceBackend {
 public:
  using Vector = std::vector<float>;
  using Matrix = HostMatrix;
  using Weight = TensorView;
  using Step = HostStep;

  static constexpr std::string_view name = "reference";

  explicit ReferenceBackend(int threads = 1) : pool_(std::make_unique<ThreadPool>(threads)) {}

  Weight prepare(const TensorView& tensor) { return tensor; }
  Vector vector(const TensorView& tensor);

  Step begin(const BatchRows& rows, std::span<const RopeSettings> ropes) {
    return make_host_step(rows, ropes);
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

 private:
  std::unique_ptr<ThreadPool> pool_;
};

static_assert(Backend<ReferenceBackend>);

inline ReferenceBackend::Vector ReferenceBackend::vector(const TensorView& tensor) {
  Vector values(static_cast<std::size_t>(tensor.cols()));
  decode_row(tensor.format, tensor.bytes.data(), tensor.cols(), values.data());
  return values;
}

inline void ReferenceBackend::read(Step&, const Matrix& x, std::span<float> out) {
  if (!out.empty()) std::copy_n(x.row(0), out.size(), out.begin());
}

inline void ReferenceBackend::embed(Step& step, Matrix& y, const Weight& table, float scale) {
  for (std::int64_t t = 0; t < y.rows(); ++t) {
    const Token token = step.rows.tokens[static_cast<std::size_t>(t)];
    embedding(y.view().row_span(t), table, token, scale);
  }
}

inline void ReferenceBackend::rms_norm(Step&, Matrix& y, const Matrix& x, const Vector& weight,
                                       float eps) {
  const auto length = static_cast<std::int64_t>(weight.size());
  const std::int64_t runs = x.cols() / length;
  for (std::int64_t t = 0; t < x.rows(); ++t) {
    for (std::int64_t run = 0; run < runs; ++run) {
      const std::span from(x.row(t) + run * length, weight.size());
      lamina::rms_norm(std::span(y.row(t) + run * length, weight.size()), from, weight, eps);
    }
  }
}

inline void ReferenceBackend::linear(Step&, Matrix& y, const Weight& w, const Matrix& x,
                                     const Vector* bias) {
  constexpr std::int64_t stripe = 16;  // rows a thread takes at a time
  const std::vector<double> lanes = interleave_tokens(x.view());
  pool_->for_each((w.rows() + stripe - 1) / stripe, [&](std::int64_t i) {
    linear_rows(y.view(), w, lanes, i * stripe, std::min(w.rows(), (i + 1) * stripe));
  });
  if (bias == nullptr) return;
  for (std::int64_t t = 0; t < y.rows(); ++t) {
    for (std::size_t r = 0; r < bias->size(); ++r) y.row(t)[r] += (*bias)[r];
  }
}

inline void ReferenceBackend::rope(Step& step, Matrix& x, RopeUse use) {
  const RopeAngles& angles = step.ropes[static_cast<std::size_t>(use.table)];
  for (std::int64_t t = 0; t < x.rows(); ++t) {
    for (std::int64_t at = 0; at < x.cols(); at += use.head_dim) {
      const std::span head(x.row(t) + at, static_cast<std::size_t>(use.head_dim));
      lamina::rope(head, angles.cos_of(t), angles.sin_of(t), angles.pairing);
    }
  }
}

inline void ReferenceBackend::append(Step& step, KvLayer kv, const Matrix& k, const Matrix& v) {
  for (std::size_t t = 0; t < step.rows.tokens.size(); ++t) {
    const KvView& view = kv[static_cast<std::size_t>(step.rows.sequence[t])];
    const auto row = static_cast<std::int64_t>(t);
    for (int head = 0; head < view.row.kv_heads; ++head) {
      write_kv(view, head, step.rows.positions[t], k.row(row) + head * view.row.key_dim,
               v.row(row) + head * view.row.value_dim);
    }
  }
}

template <AttentionVariant V>
void ReferenceBackend::attend(Step& step, Matrix& y, const Matrix& q, KvLayer kv,
                              const AttentionShape& shape, const V& variant) {
  pool_->for_each(q.rows(), [&](std::int64_t t) {
    const auto row = static_cast<std::size_t>(t);
    const AttentionQuery query{shape.heads, static_cast<double>(shape.scale),
                               step.rows.positions[row]};
    const KvView& view = kv[static_cast<std::size_t>(step.rows.sequence[row])];
    attend_reference(query, q.row(t), view, variant, y.row(t));
  });
}

inline void ReferenceBackend::add(Step&, Matrix& y, const Matrix& x) {
  for (std::int64_t i = 0; i < x.rows() * x.cols(); ++i) y.row(0)[i] += x.row(0)[i];
}

template <Activation A>
void ReferenceBackend::gate(Step&, Matrix& y, const Matrix& x) {
  for (std::int64_t i = 0; i < x.rows() * x.cols(); ++i) {
    const double gate = activate<A>(static_cast<double>(y.row(0)[i]));
    y.row(0)[i] = static_cast<float>(gate * static_cast<double>(x.row(0)[i]));
  }
}

inline void ReferenceBackend::select(Step& step, Matrix& y, const Matrix& x) {
  for (std::size_t i = 0; i < step.rows.outputs.size(); ++i) {
    std::copy_n(x.row(step.rows.outputs[i]), x.cols(), y.row(static_cast<std::int64_t>(i)));
  }
}

}  // namespace lamina
