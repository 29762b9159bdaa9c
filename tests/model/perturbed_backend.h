// How far a float engine may be from the reference: rounding errors of every operation, carried to
// the logits.
//
// Each operation's result is moved by a random part of its own derived bound (verify/bounds.h); the
// graph then carries the errors on as it would an engine's. The largest change of a logit over
// several seeds, times a margin, is the bound of the model: see docs/numerics.md.
#pragma once

#include "lamina/backend/reference/backend.h"
#include "lamina/verify/bounds.h"
#include "tests/model/small_model.h"

#include <cmath>
#include <random>

namespace lamina::test {

class PerturbedBackend {
 public:
  using Vector = ReferenceBackend::Vector;
  using Matrix = ReferenceBackend::Matrix;
  using Weight = ReferenceBackend::Weight;
  using Step = ReferenceBackend::Step;

  explicit PerturbedBackend(std::uint32_t seed) : random_(seed) {}

  Weight prepare(const TensorView& tensor) { return exact_.prepare(tensor); }
  Vector vector(const TensorView& tensor) { return exact_.vector(tensor); }
  Step begin(const BatchRows& rows, std::span<const RopeSettings> ropes) {
    return exact_.begin(rows, ropes);
  }
  Matrix matrix(Step& step, std::int64_t rows, std::int64_t cols) {
    return exact_.matrix(step, rows, cols);
  }
  void read(Step& step, const Matrix& x, std::span<float> out) { exact_.read(step, x, out); }
  void append(Step& step, KvLayer kv, const Matrix& k, const Matrix& v) {
    exact_.append(step, kv, k, v);
  }
  void select(Step& step, Matrix& y, const Matrix& x) { exact_.select(step, y, x); }

  void embed(Step& step, Matrix& y, const Weight& table, float scale) {
    exact_.embed(step, y, table, scale);
    each(y, [&](std::int64_t t, std::int64_t i) { return stored(y, t, i); });
  }
  void rms_norm(Step& step, Matrix& y, const Matrix& x, const Vector& weight, float eps);
  void linear(Step& step, Matrix& y, const Weight& w, const Matrix& x, const Vector* bias);
  void rope(Step& step, Matrix& x, RopeUse use);
  template <AttentionVariant V>
  void attend(Step& step, Matrix& y, const Matrix& q, KvLayer kv, const AttentionShape& shape,
              const V& variant);
  void add(Step& step, Matrix& y, const Matrix& x) {
    exact_.add(step, y, x);
    each(y, [&](std::int64_t t, std::int64_t i) { return stored(y, t, i); });
  }
  template <Activation A>
  void gate(Step& step, Matrix& y, const Matrix& x);

 private:
  static double value(const Matrix& m, std::int64_t t, std::int64_t i) {
    return static_cast<double>(m.row(t)[i]);
  }
  static double stored(const Matrix& m, std::int64_t t, std::int64_t i) {
    return store_bound(value(m, t, i), 0, float32_rounding);
  }
  /// Moves every element of y by a random part of bound(row, column).
  template <class Bound>
  void each(Matrix& y, const Bound& bound) {
    std::uniform_real_distribution<double> part(-1, 1);
    for (std::int64_t t = 0; t < y.rows(); ++t) {
      for (std::int64_t i = 0; i < y.cols(); ++i) {
        y.row(t)[i] = static_cast<float>(value(y, t, i) + part(random_) * bound(t, i));
      }
    }
  }

  ReferenceBackend exact_{1};
  std::mt19937 random_;
};

inline void PerturbedBackend::rms_norm(Step& step, Matrix& y, const Matrix& x, const Vector& weight,
                                       float eps) {
  const auto width = static_cast<std::int64_t>(weight.size());
  Matrix squares(x.rows(), x.cols() / width);
  for (std::int64_t t = 0; t < x.rows(); ++t) {
    for (std::int64_t run = 0; run < squares.cols(); ++run) {
      double sum = 0;
      for (std::int64_t i = 0; i < width; ++i) sum += std::pow(value(x, t, run * width + i), 2);
      squares.row(t)[run] =
          static_cast<float>(sum / static_cast<double>(width) + static_cast<double>(eps));
    }
  }
  exact_.rms_norm(step, y, x, weight, eps);
  each(y, [&](std::int64_t t, std::int64_t i) {
    return rms_norm_bound(
        {.width = width, .mean_square = value(squares, t, i / width), .result = value(y, t, i)});
  });
}

inline void PerturbedBackend::linear(Step& step, Matrix& y, const Weight& w, const Matrix& x,
                                     const Vector* bias) {
  exact_.linear(step, y, w, x, bias);
  std::vector<float> row(static_cast<std::size_t>(w.cols()));
  std::int64_t decoded = -1;
  each(y, [&](std::int64_t t, std::int64_t r) {
    if (decoded != r) decode_row(w.format, w.row(r).data(), w.cols(), row.data());
    decoded = r;
    double magnitude = bias == nullptr ? 0 : std::fabs((*bias)[static_cast<std::size_t>(r)]);
    for (std::int64_t c = 0; c < w.cols(); ++c) {
      magnitude +=
          std::fabs(value(x, t, c) * static_cast<double>(row[static_cast<std::size_t>(c)]));
    }
    return dot_bound(w.cols() + 1, magnitude);
  });
}

inline void PerturbedBackend::rope(Step& step, Matrix& x, RopeUse use) {
  exact_.rope(step, x, use);
  // The pair's norm is at most that of the head; cosines and sines are the same floats for every
  // engine.
  each(x, [&](std::int64_t t, std::int64_t i) {
    double squares = 0;
    const std::int64_t head = i / use.head_dim * use.head_dim;
    for (int d = 0; d < use.head_dim; ++d) squares += std::pow(value(x, t, head + d), 2);
    return rope_bound(std::sqrt(squares));
  });
}

template <AttentionVariant V>
void PerturbedBackend::attend(Step& step, Matrix& y, const Matrix& q, KvLayer kv,
                              const AttentionShape& shape, const V& variant) {
  exact_.attend(step, y, q, kv, shape, variant);
  const KvRow& row = kv.front().row;
  std::vector<float> key(static_cast<std::size_t>(row.key_dim));
  std::vector<float> v(static_cast<std::size_t>(row.value_dim));
  each(y, [&](std::int64_t t, std::int64_t i) {
    const int head = static_cast<int>(i / row.value_dim);
    const int group = head / (shape.heads / row.kv_heads);
    const Position query = step.rows.positions[static_cast<std::size_t>(t)];
    const KvView& view =
        kv[static_cast<std::size_t>(step.rows.sequence[static_cast<std::size_t>(t)])];
    double largest_score = 0, largest_value = 0;
    std::int64_t keys = 0;
    for (Position k = std::max(variant.keys(query).first, view.first); k <= query; ++k, ++keys) {
      read_key(view, group, k, key.data());
      read_value(view, group, k, v.data());
      double magnitude = 0;
      for (int d = 0; d < row.key_dim; ++d) {
        magnitude += std::fabs(value(q, t, head * row.key_dim + d) *
                               static_cast<double>(key[static_cast<std::size_t>(d)]));
      }
      largest_score = std::max(largest_score, magnitude * static_cast<double>(shape.scale));
      const double element = static_cast<double>(v[static_cast<std::size_t>(i % row.value_dim)]);
      largest_value = std::max(largest_value, std::fabs(element));
    }
    const SoftmaxTerms terms{.keys = keys,
                             .score_error = score_bound(row.key_dim, largest_score),
                             .score_spread = 2 * largest_score,
                             .rescalings = keys / 64 + 1};
    return attention_bound(terms, {.magnitude = largest_value, .largest = largest_value});
  });
}

template <Activation A>
void PerturbedBackend::gate(Step& step, Matrix& y, const Matrix& x) {
  Matrix gates(y.rows(), y.cols());
  std::copy_n(y.row(0), y.rows() * y.cols(), gates.row(0));
  exact_.gate<A>(step, y, x);
  each(y, [&](std::int64_t t, std::int64_t i) {
    const double gate = value(gates, t, i);
    const double error = A == Activation::silu ? silu_bound(gate) : gelu_tanh_bound(gate);
    return store_bound(value(y, t, i), error * std::fabs(value(x, t, i)), float32_rounding);
  });
}

static_assert(Backend<PerturbedBackend>);

/// The bound for logits of this model on these tokens, from four seeds and a margin of 4.
template <Architecture A>
double model_bound(const GgufFile& file, std::span<const Token> tokens,
                   std::span<const float> expected) {
  double largest = 0;
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    auto graph = make_graph<A>(file, PerturbedBackend(seed));
    const std::vector<float> logits = feed_whole(graph, tokens);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      largest = std::max(
          largest, std::fabs(static_cast<double>(logits[i]) - static_cast<double>(expected[i])));
    }
  }
  return 4 * largest;
}

}  // namespace lamina::test
