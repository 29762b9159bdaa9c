// Attention on the CPU, staged on a tile of scores: score, modify and mask, softmax, accumulate.
//
// A task is one KV head and up to `query_block` consecutive rows of one sequence, with all query
// heads of the group, so that keys and values are read once for all of them. Chunks of keys lie at
// absolute multiples of `key_chunk`: a query's bits are the same in prefill, in decode, in any
// batch. K and V are read from the store, after rounding.
#pragma once

#include "lamina/attention/variant.h"
#include "lamina/backend/backend.h"
#include "lamina/backend/cpu/attention/partial.h"
#include "lamina/backend/cpu/attention/tile.h"
#include "lamina/backend/cpu/reused_buffer.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lamina {

inline constexpr std::int64_t query_block = 16;  // rows

/// Consecutive rows of a batch that belong to one sequence.
struct QueryBlock {
  std::int64_t first = 0, end = 0;  // rows
};

inline std::vector<QueryBlock> query_blocks(std::span<const std::int32_t> sequence) {
  std::vector<QueryBlock> blocks;
  const auto n = static_cast<std::int64_t>(sequence.size());
  for (std::int64_t t = 0; t < n; ++t) {
    const auto at = [&](std::int64_t row) { return sequence[static_cast<std::size_t>(row)]; };
    const bool joins = !blocks.empty() && at(blocks.back().first) == at(t) &&
                       t - blocks.back().first < query_block;
    if (joins) {
      blocks.back().end = t + 1;
    } else {
      blocks.push_back({t, t + 1});
    }
  }
  return blocks;
}

/// The rows of a block against one KV head. `q` is [n, heads * key_dim], `y` [n, heads *
/// value_dim]. A row of the task is a query head at a position.
struct AttentionTask {
  MatrixView<float> y;
  MatrixView<const float> q;
  std::span<const Position> positions;  // [n]
  QueryBlock block;
  const KvView* kv = nullptr;
  int kv_head = 0;
  AttentionShape shape;

  int group() const { return shape.heads / kv->row.kv_heads; }
  int rows() const { return static_cast<int>(block.end - block.first) * group(); }
  std::int64_t token(int row) const { return block.first + row / group(); }
  int head(int row) const { return kv_head * group() + row % group(); }
  Position position(int row) const { return positions[static_cast<std::size_t>(token(row))]; }
  PartialAttention partial(float* memory) const {
    return {memory, rows(), padded_width(kv->row.value_dim)};
  }
  const float* query(int row) const { return q.row(token(row)) + head(row) * kv->row.key_dim; }
  float* result(int row) const { return y.row(token(row)) + head(row) * kv->row.value_dim; }
};

/// The stored keys that the variant lets a query at this position see.
template <AttentionVariant V>
KeyRange stored_keys(const V& variant, Position query, const KvView& kv) {
  const KeyRange keys = variant.keys(query);
  return {std::max(keys.first, kv.first), std::min(keys.end, kv.end)};
}

/// All keys that some row of the task sees.
template <AttentionVariant V>
KeyRange stored_keys(const V& variant, const AttentionTask& task) {
  KeyRange all{last_position, 0};
  for (std::int64_t t = task.block.first; t < task.block.end; ++t) {
    const KeyRange keys =
        stored_keys(variant, task.positions[static_cast<std::size_t>(t)], *task.kv);
    all = {std::min(all.first, keys.first), std::max(all.end, keys.end)};
  }
  return all;
}

/// What one thread needs for a tile.
struct AttentionScratch {
  ReusedBuffer keys, values, scores, factors, decoded;
  std::vector<const float*> queries;
};

/// One span of a task by the kernels of an instruction set.
template <AttentionVariant V>
class SpanAttention {
 public:
  SpanAttention(const AttentionTask& task, const AttentionKernels& kernels, const V& variant,
                AttentionScratch& scratch);

  /// Takes the keys [all.first, all.end) of the span that starts at `first` into `to`, which is
  /// overwritten.
  void run(Position first, KeyRange all, const PartialAttention& to);

 private:
  /// Slots [first, end) of a chunk that a row sees, all of them unless there are holes.
  struct Shown {
    int first = 0, end = 0;
    bool holes = false;
    bool operator==(const Shown&) const = default;
  };

  void read(Position chunk, KeyRange keys);
  void add_chunk(Position chunk, const PartialAttention& to);
  Shown modify(int row, Position chunk, float* scores);
  void accumulate_each(Position chunk, const Shown& row_shown, int row, const PartialAttention& to);

  const AttentionTask& task_;
  const AttentionKernels& kernels_;
  const V& variant_;
  int key_dim_, value_dim_, stride_;
  float *keys_, *values_, *scores_, *factors_, *decoded_;
  std::vector<const float*>& queries_;
};

template <AttentionVariant V>
SpanAttention<V>::SpanAttention(const AttentionTask& task, const AttentionKernels& kernels,
                                const V& variant, AttentionScratch& scratch)
    : task_(task),
      kernels_(kernels),
      variant_(variant),
      key_dim_(task.kv->row.key_dim),
      value_dim_(task.kv->row.value_dim),
      stride_(padded_width(value_dim_)),
      queries_(scratch.queries) {
  const auto chunk = static_cast<std::size_t>(key_chunk);
  const auto rows = static_cast<std::size_t>(task.rows());
  keys_ = scratch.keys.floats(chunk * static_cast<std::size_t>(key_dim_));
  values_ = scratch.values.floats(chunk * static_cast<std::size_t>(stride_));
  scores_ = scratch.scores.floats(chunk * rows);
  factors_ = scratch.factors.floats(rows);
  decoded_ =
      scratch.decoded.floats(chunk * static_cast<std::size_t>(std::max(key_dim_, value_dim_)));
  queries_.clear();
  for (int r = 0; r < task.rows(); ++r) queries_.push_back(task.query(r));
}

template <AttentionVariant V>
void SpanAttention<V>::run(Position first, KeyRange all, const PartialAttention& to) {
  to.clear();
  const Position end = std::min(all.end, first + key_span);
  for (Position chunk = std::max(first, all.first / key_chunk * key_chunk); chunk < end;
       chunk += key_chunk) {
    read(chunk, {std::max(all.first, chunk), std::min(end, chunk + key_chunk)});
    add_chunk(chunk, to);
  }
}

/// The keys and values of a chunk; those outside `keys` are zero.
template <AttentionVariant V>
void SpanAttention<V>::read(Position chunk, KeyRange keys) {
  const KvView& kv = *task_.kv;
  // The rows of one kind, decoded first where the kernels do not read their format.
  const auto rows = [&](FormatId format, int elements, std::size_t stride, auto&& row_of) {
    const bool direct = kernels_.reads(format);
    StoredRows stored{{}, format, elements, direct ? static_cast<std::int64_t>(stride) : 0};
    for (Position p = keys.first; p < keys.end; ++p) {
      const std::byte*& row = stored.row[p - chunk];
      row = row_of(p);
      if (direct) continue;
      float* floats = decoded_ + (p - chunk) * elements;
      decode_row(format, row, elements, floats);
      row = reinterpret_cast<const std::byte*>(floats);
    }
    if (!direct) stored.format = FormatId::f32;
    return stored;
  };
  kernels_.read_keys(rows(kv.row.key_format, key_dim_, kv.key_stride,
                          [&](Position p) { return kv.key(task_.kv_head, p); }),
                     keys_);
  kernels_.read_values(rows(kv.row.value_format, value_dim_, kv.value_stride,
                            [&](Position p) { return kv.value(task_.kv_head, p); }),
                       values_);
}

/// Whether no element is infinite or NaN.
inline bool all_finite(const float* values, std::int64_t count) {
  std::uint32_t not_finite = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto exponent = __builtin_bit_cast(std::uint32_t, values[i]) & 0x7f800000u;
    not_finite |= static_cast<std::uint32_t>(exponent == 0x7f800000u);
  }
  return not_finite == 0;
}

template <AttentionVariant V>
void SpanAttention<V>::add_chunk(Position chunk, const PartialAttention& to) {
  const int rows = task_.rows();
  kernels_.score(queries_.data(), rows, keys_, key_dim_, task_.shape.scale, scores_);
  Shown all = modify(0, chunk, scores_);
  bool same = !all.holes;
  factors_[0] = kernels_.weigh(scores_, to.top(0), to.sum(0));
  std::vector<Shown> shown{all};
  for (int r = 1; r < rows; ++r) {
    float* scores = scores_ + r * key_chunk;
    const Shown row = modify(r, chunk, scores);
    factors_[r] = kernels_.weigh(scores, to.top(r), to.sum(r));
    same = same && row == all;
    all = {std::min(all.first, row.first), std::max(all.end, row.end), false};
    shown.push_back(row);
  }
  // A row that does not see a key has weight 0 for it; its value, which may be anything, NaN
  // included, must then be finite to have no effect.
  if (same || all_finite(values_, key_chunk * stride_)) {
    kernels_.accumulate(scores_, rows, factors_, values_, stride_, all.first, all.end, to.means());
    return;
  }
  for (int r = 0; r < rows; ++r) accumulate_each(chunk, shown[static_cast<std::size_t>(r)], r, to);
}

/// Applies the variant to a row's scores: what it does not show becomes -infinity.
template <AttentionVariant V>
auto SpanAttention<V>::modify(int row, Position chunk, float* scores) -> Shown {
  constexpr float none = OnlineSoftmax<float>::none;
  const Position query = task_.position(row);
  const KeyRange keys = stored_keys(variant_, query, *task_.kv);
  const int first = static_cast<int>(std::clamp(keys.first - chunk, 0, key_chunk));
  const int end = static_cast<int>(std::clamp(keys.end - chunk, first, key_chunk));
  const int head = task_.head(row);
  std::fill(scores, scores + first, none);
  std::fill(scores + end, scores + key_chunk, none);
  int seen = 0;
  for (int slot = first; slot < end; ++slot) {
    const bool visible = variant_.visible(query, chunk + slot);
    const float score = variant_.score(scores[slot], head, query, chunk + slot);
    scores[slot] = visible ? score : none;
    seen += static_cast<int>(visible);
  }
  return {first, end, seen != end - first};
}

/// One row, one key at a time.
template <AttentionVariant V>
void SpanAttention<V>::accumulate_each(Position chunk, const Shown& row_shown, int row,
                                       const PartialAttention& to) {
  const float* weights = scores_ + row * key_chunk;
  const auto add = [&](float factor, int first, int end) {
    kernels_.accumulate(weights, 1, &factor, values_, stride_, first, end, to.mean(row));
  };
  add(factors_[row], 0, 0);
  for (int slot = row_shown.first; slot < row_shown.end; ++slot) {
    if (variant_.visible(task_.position(row), chunk + slot)) add(1.0f, slot, slot + 1);
  }
}

/// Means by their sums; a sink joins the sum here, as a last key without a value.
template <AttentionVariant V>
void finish_attention(const AttentionTask& task, const V& variant, const PartialAttention& total) {
  for (int r = 0; r < total.rows; ++r) {
    OnlineSoftmax<float> softmax{total.top(r), total.sum(r)};
    float rescale = 1.0f;
    if constexpr (SinkVariant<V>) {
      const float sink = variant.sink(task.head(r));
      rescale = softmax.rescale(sink);
      softmax.sum += softmax.weight(sink);
    }
    const float factor = rescale * softmax.normalizer();
    float* y = task.result(r);
    for (int d = 0; d < task.kv->row.value_dim; ++d) y[d] = total.mean(r)[d] * factor;
  }
}

}  // namespace lamina
