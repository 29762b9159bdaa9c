// Concepts, constrained parameters, fold expressions, template lambdas and `if constexpr (requires
// ...)` in device code.
#include <concepts>

namespace lamina {

template <class F>
concept Hook = requires(const F hook, float x) {
  { hook(x) } -> std::same_as<float>;
};

struct Twice {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};
struct Named {
  static constexpr int rank = 3;
  __host__ __device__ float operator()(float x) const { return x; }
};

__device__ float apply(Hook auto hook, float x) { return hook(x); }

template <Hook... Hooks>
__global__ void kernel(float* out) {
  float sum = 0;
  ((sum += apply(Hooks{}, 1.0f)), ...);
  auto rank = []<class H>(H) {
    if constexpr (requires { H::rank; })
      return H::rank;
    else
      return 0;
  };
  out[0] = sum + static_cast<float>((rank(Hooks{}) + ...));
}

void launch(float* out) { kernel<Twice, Named><<<1, 1>>>(out); }

}  // namespace lamina
