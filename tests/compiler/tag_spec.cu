// A tag type that holds a constexpr spec, arrays included, is a valid template argument of a
// kernel; the device reads the spec through a local constexpr copy.
enum class Mixer { full, sliding };

struct Spec {
  bool gated = true;
  Mixer layers[3] = {Mixer::sliding, Mixer::sliding, Mixer::full};
};

namespace lamina {

struct Tag {
  static constexpr Spec spec{.gated = false};
};

template <class A>
__global__ void kernel(int* out) {
  constexpr auto spec = A::spec;
  const int i = static_cast<int>(threadIdx.x);
  out[i] = spec.gated ? 1 : static_cast<int>(spec.layers[i % 3]);
}

void launch(int* out) { kernel<Tag><<<1, 3>>>(out); }

}  // namespace lamina
