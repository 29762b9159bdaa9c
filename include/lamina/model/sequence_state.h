// SequenceState: everything one sequence remembers, one store for each kind of layer.
#pragma once

#include "lamina/kv/contiguous.h"
#include "lamina/kv/ring.h"
#include "lamina/model/extents.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

namespace lamina {

/// How keys and values are stored, the same for all layers of a model.
struct KvFormats {
  FormatId key = FormatId::f16;
  FormatId value = FormatId::f16;
};

class SequenceState {
 public:
  /// An empty sequence of at most `context` tokens, fed at most `longest_append` at a time.
  SequenceState(const Extents& e, KvFormats formats, Position context, Position longest_append);

  /// Bytes that such a state takes.
  static std::uint64_t bytes(const Extents& e, KvFormats formats, Position context,
                             Position longest_append);

  Position length() const { return length_; }
  Position context() const { return context_; }
  void append(Position count);
  void rollback(Position length);
  SequenceState fork() const;

  /// The store view of layer number `index` among the layers of its kind.
  KvView view(Mixer mixer, int index) const {
    return mixer == Mixer::sliding ? sliding_->view(index) : full_->view(index);
  }

 private:
  SequenceState() = default;

  Position context_ = 0;
  Position length_ = 0;
  std::optional<ContiguousKv> full_;  // nothing where no layer is of the kind
  std::optional<RingKv> sliding_;
};

namespace detail {

inline int count_layers(const Extents& e, Mixer mixer) {
  return static_cast<int>(std::count(e.mixers.begin(), e.mixers.end(), mixer));
}

inline KvRow kv_row(const Extents& e, KvFormats formats) {
  return {e.kv_heads, e.key_dim, e.value_dim, formats.key, formats.value};
}

/// A window longer than the context is the whole context.
inline Position ring_window(const Extents& e, Position context) {
  return std::max(1, std::min(static_cast<Position>(e.window), context));
}

}  // namespace detail

inline SequenceState::SequenceState(const Extents& e, KvFormats formats, Position context,
                                    Position longest_append)
    : context_(context) {
  const KvRow row = detail::kv_row(e, formats);
  const int full = detail::count_layers(e, Mixer::full);
  const int sliding = detail::count_layers(e, Mixer::sliding);
  if (full > 0) full_.emplace(row, full, context);
  if (sliding > 0) sliding_.emplace(row, sliding, detail::ring_window(e, context), longest_append);
}

inline std::uint64_t SequenceState::bytes(const Extents& e, KvFormats formats, Position context,
                                          Position longest_append) {
  const KvRow row = detail::kv_row(e, formats);
  const Position ring = RingKv::capacity(detail::ring_window(e, context), longest_append);
  const std::uint64_t full = SinglePage::bytes(row, detail::count_layers(e, Mixer::full), context);
  const std::uint64_t sliding =
      SinglePage::bytes(row, detail::count_layers(e, Mixer::sliding), ring);
  std::uint64_t sum = 0;
  return __builtin_add_overflow(full, sliding, &sum) ? std::numeric_limits<std::uint64_t>::max()
                                                     : sum;
}

inline void SequenceState::append(Position count) {
  if (count < 0 || count > context_ - length_) refuse_append(length_, count, context_);
  if (sliding_) sliding_->append(count);  // may refuse; then nothing has changed yet
  if (full_) full_->append(count);
  length_ += count;
}

inline void SequenceState::rollback(Position length) {
  if (length < 0 || length > length_) refuse_rollback(length_, length);
  if (sliding_) sliding_->rollback(length);  // may refuse; then nothing has changed yet
  if (full_) full_->rollback(length);
  length_ = length;
}

inline SequenceState SequenceState::fork() const {
  SequenceState twin;
  twin.context_ = context_;
  twin.length_ = length_;
  if (full_) twin.full_ = full_->fork();
  if (sliding_) twin.sliding_ = sliding_->fork();
  return twin;
}

}  // namespace lamina
