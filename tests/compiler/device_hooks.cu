// Every hook that must run on a device, in a kernel: decode of each format, keys, visible and score
// of each attention variant, streaming softmax, activations. Compiling is the test: a hook that is
// not LAMINA_HD, or uses a host function, fails here.
#include "lamina/attention/alibi.h"
#include "lamina/attention/causal.h"
#include "lamina/attention/chunked.h"
#include "lamina/attention/full.h"
#include "lamina/attention/online.h"
#include "lamina/attention/sinks.h"
#include "lamina/attention/sliding_window.h"
#include "lamina/attention/softcap.h"
#include "lamina/ops/activation.h"
#include "lamina/quant/formats.h"

namespace lamina::cuda {

template <QuantFormat Q>
__global__ void decode(const typename Q::Block* blocks, float* values) {
  float block_values[Q::block_size];
  Q::decode(blocks[blockIdx.x], block_values);
  for (int i = 0; i < Q::block_size; ++i) values[blockIdx.x * Q::block_size + i] = block_values[i];
}

template <AttentionVariant V, class Real>
__global__ void modify(V variant, const Real* scores, Position query, Real* modified) {
  const KeyRange range = variant.keys(query);
  for (Position key = range.first; key < range.end; ++key) {
    if (variant.visible(query, key)) modified[key] = variant.score(scores[key], 0, query, key);
  }
  if constexpr (SinkVariant<V>) modified[0] += Real(variant.sink(0));
}

template <Activation A, class Real>
__global__ void gate(Real* gates, const Real* values) {
  gates[threadIdx.x] = activate<A>(gates[threadIdx.x]) * values[threadIdx.x];
}

template <class Real>
__global__ void stream(const Real* scores, const Real* values, int count, Real* mean) {
  OnlineSoftmax<Real> softmax;
  Real sum = 0;
  for (int i = 0; i < count; ++i) {
    sum *= softmax.rescale(scores[i]);
    const Real weight = softmax.weight(scores[i]);
    softmax.sum += weight;
    sum += weight * values[i];
  }
  mean[0] = sum * softmax.normalizer();
  mean[1] = softmax.log_sum();
}

template <QuantFormat... Qs>
void launch_decode(FormatList<Qs...>, const void* blocks, float* values) {
  (decode<Qs><<<1, 1>>>(static_cast<const typename Qs::Block*>(blocks), values), ...);
}

template <AttentionVariant... Vs>
void launch_modify(const double* scores64, const float* scores32, double* modified64,
                   float* modified32) {
  (modify<Vs, double><<<1, 1>>>(Vs{}, scores64, 0, modified64), ...);
  (modify<Vs, float><<<1, 1>>>(Vs{}, scores32, 0, modified32), ...);
}

void launch_all(const void* blocks, const double* s64, const float* s32, double* m64, float* m32) {
  launch_decode(Formats{}, blocks, m32);
  launch_modify<Causal, Full, SlidingWindow<>, Chunked<>, Softcap<>, Alibi<>, Sinks<>,
                Softcap<SlidingWindow<Causal>>, SlidingWindow<Full>>(s64, s32, m64, m32);
  gate<Activation::silu><<<1, 1>>>(m32, s32);
  gate<Activation::gelu_tanh><<<1, 1>>>(m64, s64);
  stream<<<1, 1>>>(s32, s32, 1, m32);
  stream<<<1, 1>>>(s64, s64, 1, m64);
}

}  // namespace lamina::cuda
