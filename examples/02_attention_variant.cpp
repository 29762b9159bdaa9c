// An attention variant of one's own: a prefix that every query sees (a prompt read in both
// directions), and beyond it what the base shows. The struct below is all that the float64
// reference, the CPU kernel and a CUDA kernel need.
#include <lamina/attention/causal.h>
#include <lamina/attention/reference.h>
#include <lamina/attention/softcap.h>
#include <lamina/kv/contiguous.h>

#include <cstdio>

template <lamina::AttentionVariant Base = lamina::Causal>
struct Prefix : Base {
  lamina::Position prefix = 0;  // positions

  LAMINA_HD lamina::KeyRange keys(lamina::Position query) const {
    const lamina::KeyRange base = Base::keys(query);
    return {0, base.end > prefix ? base.end : prefix};
  }
  LAMINA_HD bool visible(lamina::Position query, lamina::Position key) const {
    return key < prefix || Base::visible(query, key);
  }
};

static_assert(lamina::AttentionVariant<Prefix<>>);
static_assert(lamina::AttentionVariant<lamina::Softcap<Prefix<>>>);  // composes with the others

int main() {
  constexpr lamina::Position length = 6;
  const lamina::KvRow row{.kv_heads = 1, .key_dim = 2, .value_dim = 1};
  lamina::ContiguousKv store(row, 1, length);
  store.append(length);
  const lamina::KvView kv = store.view(0);
  for (lamina::Position p = 0; p < length; ++p) {  // equal keys: the result is a mean of values
    const float key[2] = {}, value = static_cast<float>(p);
    lamina::write_kv(kv, 0, p, key, &value);
  }
  lamina::Softcap<Prefix<>> variant;
  variant.prefix = 3;
  const float expected[length] = {1, 1, 1, 1.5f, 2, 2.5f};  // means of 0 1 2, 0 1 2 3, ...
  bool right = true;
  for (lamina::Position query = 0; query < length; ++query) {
    const float q[2] = {1, 1};
    float out = 0;
    lamina::attend_reference({.heads = 1, .scale = 1, .position = query}, q, kv, variant, &out);
    std::printf("query %d sees ", query);
    for (lamina::Position key = 0; key < length; ++key) {
      std::putchar(variant.visible(query, key) ? '#' : '.');
    }
    std::printf("  mean of values %g\n", static_cast<double>(out));
    right = right && out == expected[query];
  }
  return right ? 0 : 1;
}
