// One pass over the logits for their sum, and one for what is made of them.
#include "runtime/perplexity/measure.h"

#include "lamina/core/error.h"
#include "runtime/perplexity/stored_row.h"

#include <cmath>

namespace lamina {
namespace {

void check_finite(double value) {
  if (std::isfinite(value)) return;
  throw Error(
      "the model's logits hold NaN or infinity, of which no probability can be made: its numbers "
      "are damaged");
}

/// Calls body(i, logits, log_sum_exp, next token) for the positions; returns when all are done.
template <class Body>
void for_each_position(const ScoredSlice& slice, ThreadPool& pool, std::span<Measured> measured,
                       const Body& body) {
  pool.for_each(static_cast<std::int64_t>(slice.next.size()), [&](std::int64_t index) {
    const auto i = static_cast<std::size_t>(index);
    const std::span<const float> logits = slice.outputs.row(i);
    const double sum = log_sum_exp(logits);
    measured[i].nll = sum - logits[static_cast<std::size_t>(slice.next[i])];
    check_finite(measured[i].nll);
    body(i, logits, sum);
  });
}

}  // namespace

void measure(const ScoredSlice& slice, ThreadPool& pool, std::span<Measured> measured) {
  for_each_position(slice, pool, measured, [](std::size_t, std::span<const float>, double) {});
}

void measure_and_store(const ScoredSlice& slice, ThreadPool& pool, std::span<Measured> measured,
                       std::span<std::byte> rows) {
  const std::size_t size = StoredRow::size(slice.outputs.vocab);
  for_each_position(slice, pool, measured,
                    [&](std::size_t i, std::span<const float> logits, double sum) {
                      StoredRow::write(logits, sum, slice.next[i], rows.subspan(i * size, size));
                    });
}

void measure_against(const ScoredSlice& slice, ThreadPool& pool, std::span<Measured> measured,
                     std::span<const std::byte> rows) {
  const std::int64_t vocab = slice.outputs.vocab;
  const std::size_t size = StoredRow::size(vocab);
  for_each_position(slice, pool, measured,
                    [&](std::size_t i, std::span<const float> logits, double sum) {
                      const StoredRow base(rows.subspan(i * size, size), vocab);
                      Measured& m = measured[i];
                      m.base_nll = base.nll();
                      m.divergence = base.divergence(logits, sum);
                      m.same_top = base.top() == likeliest(logits);
                      check_finite(m.divergence);
                    });
}

}  // namespace lamina
