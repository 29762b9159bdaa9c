// Activations of gated feed-forward blocks, generic in the real type so that one definition serves
// the float64 reference and every kernel.
#pragma once

#include "lamina/core/config.h"

#include <cmath>

namespace lamina {

/// Which function a feed-forward block applies to its gate.
enum class Activation { silu, gelu_tanh };

/// x * sigmoid(x) (Elfwing et al. 2017). At -infinity NaN, as the product says, not the limit 0: so
/// is gelu_tanh.
template <class Real>
LAMINA_HD Real silu(Real x) {
  using std::exp;
  return x / (Real(1) + exp(-x));
}

/// The tanh form of GELU: x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) (Hendrycks and Gimpel
/// 2016).
template <class Real>
LAMINA_HD Real gelu_tanh(Real x) {
  using std::tanh;
  const Real root = Real(0.79788456080286535588);
  return Real(0.5) * x * (Real(1) + tanh(root * (x + Real(0.044715) * x * x * x)));
}

template <Activation A, class Real>
LAMINA_HD Real activate(Real x) {
  if constexpr (A == Activation::silu) return silu(x);
  if constexpr (A == Activation::gelu_tanh) return gelu_tanh(x);
}

}  // namespace lamina
