// Sums over the tensors of a model, and over what the tokens of a step see.
#include "runtime/model_work.h"

#include <algorithm>
#include <limits>

namespace lamina {
namespace {

constexpr Slot matrices[] = {Slot::q, Slot::k, Slot::v, Slot::o, Slot::gate, Slot::up, Slot::down};

std::int64_t bytes_of(const TensorView& tensor) {
  return static_cast<std::int64_t>(tensor.bytes.size());
}

/// Positions that are read for the tokens [first, first + count) by layers that see `window`.
double positions_read(Position first, Position count, Position window) {
  const std::int64_t oldest = std::max<std::int64_t>(0, std::int64_t{first} - window + 1);
  return static_cast<double>(std::int64_t{first} + count - oldest);
}

/// Pairs of one of these tokens and a position it sees: the sum of min(position + 1, window).
double pairs(Position first, Position count, Position window) {
  const double begin = first, full = window;
  const auto end = static_cast<double>(std::int64_t{first} + count);
  // Of numbers so large that squares would not be exact.
  const auto growing = [](double from, double to) { return (to - from) * (from + to + 1) / 2; };
  if (end <= full) return growing(begin, end);
  if (begin >= full) return (end - begin) * full;
  return growing(begin, full) + (end - full) * full;
}

}  // namespace

ModelWork model_work(const Extents& e, const ModelTensors& tensors, KvFormats formats) {
  ModelWork work;
  const SlotTensors& global = tensors.global;
  const TensorView& embedding = global[Slot::token_embedding];
  const TensorView& output = global.has(Slot::output) ? global[Slot::output] : embedding;
  work.output_bytes = bytes_of(output);
  work.output_weights = output.elements();
  work.embedding_bytes = bytes_of(embedding) / embedding.rows();
  work.layer_bytes = bytes_of(global[Slot::output_norm]);
  for (const SlotTensors& layer : tensors.layers) {
    for (std::size_t s = 0; s < slots; ++s) work.layer_bytes += bytes_of(layer[Slot(s)]);
    for (const Slot slot : matrices) work.layer_weights += layer[slot].elements();
  }
  const KvRow row{e.kv_heads, e.key_dim, e.value_dim, formats.key, formats.value};
  work.kv_bytes = static_cast<std::int64_t>(row.bytes());
  work.pair_products = std::int64_t{e.heads} * (e.key_dim + e.value_dim);
  work.full_layers = static_cast<int>(std::ranges::count(e.mixers, Mixer::full));
  work.sliding_layers = static_cast<int>(std::ranges::count(e.mixers, Mixer::sliding));
  work.window = static_cast<Position>(e.window);
  return work;
}

Work ModelWork::of(const WorkStep& step) const {
  constexpr Position everything = std::numeric_limits<Position>::max();
  const auto tokens = static_cast<double>(std::int64_t{step.sequences} * step.count);
  const auto rows = static_cast<double>(step.rows);
  const auto over_layers = [&](auto measure) {
    return step.sequences * (full_layers * measure(step.first, step.count, everything) +
                             sliding_layers * measure(step.first, step.count, window));
  };
  Work work;
  work.bytes = static_cast<double>(layer_bytes) + tokens * static_cast<double>(embedding_bytes) +
               (step.rows > 0 ? static_cast<double>(output_bytes) : 0) +
               static_cast<double>(kv_bytes) * over_layers(positions_read);
  work.operations = 2 * (tokens * static_cast<double>(layer_weights) +
                         rows * static_cast<double>(output_weights) +
                         static_cast<double>(pair_products) * over_layers(pairs));
  return work;
}

}  // namespace lamina
