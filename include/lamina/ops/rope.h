// rope: rotary position embedding (Su et al. 2021): pairs of a head are turned by angle position *
// frequency.
//
// frequency_i = base^(-2i / rotated), i = 0 .. rotated/2 - 1; a scaled model divides each by its
// own divisor. A pair is (2i, 2i + 1) where the file stores pairs interleaved, else (i, i +
// rotated/2).
#pragma once

#include "lamina/core/config.h"
#include "lamina/core/types.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace lamina {

/// Which two elements of a head turn together.
enum class RopePairing { halves, interleaved };

/// How the positions of a model turn its heads; numbers from the file.
struct RopeSettings {
  int rotated = 0;  // leading elements of a head that turn; the rest pass
  float base = 10000.0f;
  float factor = 1.0f;               // linear scaling: positions are divided by it
  std::vector<float> divisors = {};  // [rotated / 2] of each frequency, or empty: all 1
  RopePairing pairing = RopePairing::halves;
};

/// [rotated / 2] angles per position step, in double: at position 100 000 a float's last bit is
/// visible.
inline std::vector<double> rope_frequencies(const RopeSettings& rope) {
  std::vector<double> frequencies(static_cast<std::size_t>(rope.rotated) / 2);
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double exponent = -2.0 * static_cast<double>(i) / rope.rotated;
    const double divisor = rope.divisors.empty() ? 1.0 : static_cast<double>(rope.divisors[i]);
    frequencies[i] = std::pow(static_cast<double>(rope.base), exponent) /
                     (divisor * static_cast<double>(rope.factor));
  }
  return frequencies;
}

/// cos and sin of every angle at `position`; each span is [rotated / 2].
inline void rope_angles(std::span<const double> frequencies, Position position,
                        std::span<float> cosines, std::span<float> sines) {
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double angle = static_cast<double>(position) * frequencies[i];
    cosines[i] = static_cast<float>(std::cos(angle));
    sines[i] = static_cast<float>(std::sin(angle));
  }
}

/// Turns one head in place: (a, b) -> (a cos - b sin, a sin + b cos).
inline void rope(std::span<float> head, std::span<const float> cosines,
                 std::span<const float> sines, RopePairing pairing) {
  const std::size_t half = cosines.size();
  for (std::size_t i = 0; i < half; ++i) {
    float& first = pairing == RopePairing::interleaved ? head[2 * i] : head[i];
    float& second = pairing == RopePairing::interleaved ? head[2 * i + 1] : head[i + half];
    const double a = static_cast<double>(first), b = static_cast<double>(second);
    const double c = static_cast<double>(cosines[i]), s = static_cast<double>(sines[i]);
    first = static_cast<float>(a * c - b * s);
    second = static_cast<float>(a * s + b * c);
  }
}

}  // namespace lamina
