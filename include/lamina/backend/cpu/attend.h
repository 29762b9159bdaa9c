// Attention on the CPU, staged on a tile of scores: score, modify and mask, softmax, accumulate.
//
// A task is one KV head and up to `query_block` consecutive rows of one sequence, with all query
// heads of the group. Keys come in chunks that start at absolute multiples of `key_chunk` and merge
// in order by a streaming softmax (attention/online.h), so that a query's bits are the same in
// prefill, in decode, in any batch. K and V are read from the store, after rounding.
#pragma once

#include "lamina/attention/online.h"
#include "lamina/attention/variant.h"
#include "lamina/backend/backend.h"
#include "lamina/backend/cpu/elementwise.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace lamina {

inline constexpr Position key_chunk = 64;
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

/// One chunk of keys and values of one head, decoded once for all queries of a block.
struct KeyTile {
  Position first = 0;               // of the chunk: a multiple of key_chunk
  std::vector<float> keys, values;  // [key_chunk, key_dim], [key_chunk, value_dim]
};

/// The running result of one query head.
struct PartialAttention {
  OnlineSoftmax<float> softmax;
  float* mean = nullptr;  // [value_dim]: the weighted sum of values so far
};

/// Takes the keys [first, end) of the tile that the variant shows to the query.
template <AttentionVariant V>
void attend_tile(PartialAttention& partial, const float* q, Position query, int head, float scale,
                 const V& variant, const KeyTile& tile, KeyRange keys, const KvRow& row) {
  constexpr float none = -std::numeric_limits<float>::infinity();
  const auto key_dim = static_cast<std::size_t>(row.key_dim);
  const auto value_dim = static_cast<std::size_t>(row.value_dim);
  float scores[key_chunk];
  float top = none;
  for (Position k = keys.first; k < keys.end; ++k) {
    float& score = scores[k - tile.first];
    score = none;
    if (!variant.visible(query, k)) continue;
    const float* key = tile.keys.data() + static_cast<std::size_t>(k - tile.first) * key_dim;
    score = variant.score(dot_lanes(q, key, key_dim) * scale, head, query, k);
    top = std::max(top, score);
  }
  const float factor = partial.softmax.rescale(top);
  if (factor != 1.0f) {
    for (std::size_t d = 0; d < value_dim; ++d) partial.mean[d] *= factor;
  }
  for (Position k = keys.first; k < keys.end; ++k) {
    const float score = scores[k - tile.first];
    if (score == none) continue;  // not visible: its value may be anything, NaN included
    const float weight = partial.softmax.weight(score);
    partial.softmax.sum += weight;
    const float* value = tile.values.data() + static_cast<std::size_t>(k - tile.first) * value_dim;
    for (std::size_t d = 0; d < value_dim; ++d) partial.mean[d] += weight * value[d];
  }
}

/// The scale of a mean by its sum; a sink joins the sum here, as a last key without a value.
template <AttentionVariant V>
void finish_attention(PartialAttention& partial, int head, const V& variant, int value_dim) {
  float rescale = 1.0f;
  if constexpr (SinkVariant<V>) {
    rescale = partial.softmax.rescale(variant.sink(head));
    partial.softmax.sum += partial.softmax.weight(variant.sink(head));
  }
  const float factor = rescale * partial.softmax.normalizer();
  for (int d = 0; d < value_dim; ++d) partial.mean[d] *= factor;
}

inline void read_tile(KeyTile& tile, const KvView& kv, int kv_head, KeyRange keys) {
  for (Position k = keys.first; k < keys.end; ++k) {
    const Position slot = k - tile.first;
    read_key(kv, kv_head, k, tile.keys.data() + slot * kv.row.key_dim);
    read_value(kv, kv_head, k, tile.values.data() + slot * kv.row.value_dim);
  }
}

/// One task: the rows of a block against one KV head. `q` is [n, heads * key_dim], `y` [n, heads *
/// value_dim].
template <AttentionVariant V>
void attend_block(MatrixView<float> y, MatrixView<const float> q,
                  std::span<const Position> positions, QueryBlock block, const KvView& kv,
                  int kv_head, const AttentionShape& shape, const V& variant) {
  const int group = shape.heads / kv.row.kv_heads;
  const auto visible = [&](std::int64_t t) -> KeyRange {
    const KeyRange keys = variant.keys(positions[static_cast<std::size_t>(t)]);
    return {std::max(keys.first, kv.first), std::min(keys.end, kv.end)};
  };
  KeyRange all{last_position, 0};
  std::vector<PartialAttention> partials(
      static_cast<std::size_t>((block.end - block.first) * group));
  const auto partial = [&](std::int64_t t, int g) -> PartialAttention& {
    return partials[static_cast<std::size_t>((t - block.first) * group + g)];
  };
  for (std::int64_t t = block.first; t < block.end; ++t) {
    all = {std::min(all.first, visible(t).first), std::max(all.end, visible(t).end)};
    for (int g = 0; g < group; ++g) {
      partial(t, g).mean = y.row(t) + (kv_head * group + g) * kv.row.value_dim;
      std::fill_n(partial(t, g).mean, kv.row.value_dim, 0.0f);
    }
  }
  KeyTile tile{0, std::vector<float>(static_cast<std::size_t>(key_chunk * kv.row.key_dim)),
               std::vector<float>(static_cast<std::size_t>(key_chunk * kv.row.value_dim))};
  for (Position chunk = all.first / key_chunk * key_chunk; chunk < all.end; chunk += key_chunk) {
    tile.first = chunk;
    const auto within = [&](KeyRange keys) -> KeyRange {
      return {std::max(keys.first, chunk), std::min(keys.end, chunk + key_chunk)};
    };
    read_tile(tile, kv, kv_head, within(all));
    for (std::int64_t t = block.first; t < block.end; ++t) {
      const KeyRange keys = within(visible(t));
      if (keys.first >= keys.end) continue;
      for (int g = 0; g < group; ++g) {
        const int head = kv_head * group + g;
        attend_tile(partial(t, g), q.row(t) + head * kv.row.key_dim,
                    positions[static_cast<std::size_t>(t)], head, shape.scale, variant, tile, keys,
                    kv.row);
      }
    }
  }
  for (std::int64_t t = block.first; t < block.end; ++t) {
    for (int g = 0; g < group; ++g) {
      finish_attention(partial(t, g), kv_head * group + g, variant, kv.row.value_dim);
    }
  }
}

}  // namespace lamina
