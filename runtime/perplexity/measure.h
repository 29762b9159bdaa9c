// What the logits of a slice of positions give: of the model alone, stored as a base, or compared
// with one. Positions are shared out to threads; which one takes a position changes nothing.
//
// Throws Error where logits hold what no probability can be made of (NaN, infinity).
#pragma once

#include "lamina/backend/thread_pool.h"
#include "runtime/perplexity/perplexity.h"
#include "runtime/perplexity/statistics.h"

#include <cstddef>
#include <span>

namespace lamina {

/// Fills in -ln p(next) for each position of the slice.
void measure(const ScoredSlice& slice, ThreadPool& pool, std::span<Measured> measured);

/// The same, and writes the positions' rows (stored_row.h).
void measure_and_store(const ScoredSlice& slice, ThreadPool& pool, std::span<Measured> measured,
                       std::span<std::byte> rows);

/// Compares with the base, whose rows of these positions are `rows`.
void measure_against(const ScoredSlice& slice, ThreadPool& pool, std::span<Measured> measured,
                     std::span<const std::byte> rows);

}  // namespace lamina
