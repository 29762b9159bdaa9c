// Checks an attention kernel of one's own: it passes on every kind of input; with a slip, it fails.
#include <lamina/attention/full.h>
#include <lamina/attention/reference.h>
#include <lamina/kv/contiguous.h>
#include <lamina/verify/bounds.h>
#include <lamina/verify/inputs.h>

#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

using namespace lamina;

constexpr int keys = 200, dim = 64;
constexpr float scale = 0.125f;

/// The kernel under test: one query, key by key, streaming, all in float.
void attend_mine(const float* q, const float* k, const float* v, float* out, bool slip) {
  float top = -INFINITY, sum = 0;
  std::fill_n(out, dim, 0.0f);
  for (int j = 0; j < keys; ++j, k += dim, v += dim) {
    const float score = std::inner_product(q, q + dim, k, 0.0f) * scale;
    const float before = std::exchange(top, std::max(top, score));
    const float factor = std::exp(before - top), weight = std::exp(score - top);
    sum = (slip ? sum : sum * factor) + weight;
    for (int i = 0; i < dim; ++i) out[i] = out[i] * factor + weight * v[i];
  }
  for (int i = 0; i < dim; ++i) out[i] /= sum;
}

bool passes(InputKind kind, bool slip) {
  std::vector<float> q(dim), k(keys * dim), v(keys * dim), expected(dim);
  for (auto [x, seed] : {std::pair{&q, 1u}, {&k, 2u}, {&v, 3u}}) fill(*x, kind, seed);
  GuardedBuffer<float> out(dim);  // unwritten and overrun output shows
  attend_mine(q.data(), k.data(), v.data(), out.span().data(), slip);
  ContiguousKv store({.kv_heads = 1, .key_dim = dim, .value_dim = dim}, 1, keys);
  store.append(keys);
  double scores = 0, values = 0;  // no |q| . |k| * scale and no |v| is larger
  for (int j = 0; j < keys; ++j) {
    const float *key = k.data() + j * dim, *value = v.data() + j * dim;
    write_kv(store.view(0), 0, j, key, value);
    const auto size = [](double a, double b) { return std::fabs(a * b) * scale; };
    scores = std::max(scores, std::inner_product(key, key + dim, q.data(), 0.0, std::plus{}, size));
    for (int i = 0; i < dim; ++i) values = std::max(values, std::fabs(double{value[i]}));
  }
  attend_reference({1, double{scale}, keys - 1}, q.data(), store.view(0), Full{}, expected.data());
  const SoftmaxTerms terms{keys, score_bound(dim, scores), 2 * scores, keys};
  const double bound = attention_bound(terms, {values, values}) + ulp(values);
  const std::vector<double> exact(expected.begin(), expected.end());
  const Comparison result = compare(out.span(), exact, bound);
  std::printf("%s\n", result.report(std::string(name(kind))).c_str());
  return result.passed() && !out.damage();
}

int main() {
  bool right = !passes(InputKind::normal, true);  // the slip must not pass
  for (const InputKind kind : input_kinds) right = passes(kind, false) && right;
  return right ? 0 : 1;
}
