// The vocabulary every other header shares: tokens and positions.
#pragma once

#include "lamina/core/config.h"

#include <cstdint>
#include <limits>

namespace lamina {

/// Index into the vocabulary.
using Token = std::int32_t;

/// Distance of a token from the start of its sequence, 0 for the first.
using Position = std::int32_t;

inline constexpr Position last_position = std::numeric_limits<Position>::max();

/// Names one sequence of a model; given out by the model, never reused while the sequence lives.
using SequenceId = std::int32_t;

}  // namespace lamina
