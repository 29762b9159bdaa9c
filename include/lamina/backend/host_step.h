// HostStep: one batch as a CPU backend keeps it: its rows and the cosines and sines of their
// positions.
#pragma once

#include "lamina/backend/backend.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace lamina {

/// The angles of every row of a batch under one rope table.
struct RopeAngles {
  RopePairing pairing = RopePairing::halves;
  std::size_t half = 0;               // rotated / 2
  std::vector<float> cosines, sines;  // [n, half]

  std::span<const float> cos_of(std::int64_t row) const { return of(cosines, row); }
  std::span<const float> sin_of(std::int64_t row) const { return of(sines, row); }

 private:
  std::span<const float> of(const std::vector<float>& all, std::int64_t row) const {
    return std::span(all).subspan(static_cast<std::size_t>(row) * half, half);
  }
};

struct HostStep {
  BatchRows rows;
  std::vector<RopeAngles> ropes;
};

inline HostStep make_host_step(const BatchRows& rows, std::span<const RopeSettings> ropes) {
  HostStep step{rows, {}};
  for (const RopeSettings& rope : ropes) {
    const std::vector<double> frequencies = rope_frequencies(rope);
    RopeAngles angles{rope.pairing, frequencies.size(), {}, {}};
    angles.cosines.resize(rows.tokens.size() * angles.half);
    angles.sines.resize(angles.cosines.size());
    for (std::size_t t = 0; t < rows.tokens.size(); ++t) {
      const std::size_t at = t * angles.half;
      rope_angles(frequencies, rows.positions[t],
                  std::span(angles.cosines).subspan(at, angles.half),
                  std::span(angles.sines).subspan(at, angles.half));
    }
    step.ropes.push_back(std::move(angles));
  }
  return step;
}

}  // namespace lamina
