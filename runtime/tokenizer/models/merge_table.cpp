// Reading merges, and filling the hash table of pairs.
#include "runtime/tokenizer/models/merge_table.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

namespace lamina {
namespace {

constexpr std::string_view key = "tokenizer.ggml.merges";
constexpr std::size_t batch_size = 256;  // merges looked at together

[[noreturn]] void fail(const Metadata& metadata, std::size_t rank, std::string_view merge,
                       const std::string& why) {
  throw Error(
      fmt::format("{}: {}[{}] is {}, {}; the file is damaged or badly converted: convert "
                  "it again",
                  metadata.source(), key, rank, quoted(merge), why));
}

/// The left text, the right text and both together of some merges, and their tokens.
struct Batch {
  std::size_t first_rank = 0;
  std::span<const std::string_view> merges;
  std::string joined;                   // all texts that merges make
  std::vector<std::string_view> texts;  // three a merge
  std::vector<Token> tokens;            // of texts; -1: none

  Batch(const Metadata& metadata, const Vocabulary& vocabulary,
        std::span<const std::string_view> merges, std::size_t first_rank);
};

Batch::Batch(const Metadata& metadata, const Vocabulary& vocabulary,
             std::span<const std::string_view> given, std::size_t first)
    : first_rank(first), merges(given) {
  std::size_t bytes = 0;
  for (const std::string_view merge : merges) bytes += merge.size();
  joined.reserve(bytes);  // so that views into it stay
  texts.reserve(3 * merges.size());
  for (std::size_t i = 0; i < merges.size(); ++i) {
    const std::string_view merge = merges[i];
    const std::size_t space = merge.find(' ', 1);  // from 1: the left text may begin with a space
    if (space == std::string_view::npos || space + 1 == merge.size()) {
      fail(metadata, first_rank + i, merge, "expected two texts with a space between them");
    }
    const std::size_t begin = joined.size();
    joined.append(merge, 0, space).append(merge, space + 1);
    texts.push_back(merge.substr(0, space));
    texts.push_back(merge.substr(space + 1));
    texts.push_back(std::string_view(joined).substr(begin));
  }
  tokens.resize(texts.size());
  vocabulary.find(texts, tokens);
}

void append(std::vector<PairMerge>& out, const Metadata& metadata, const Vocabulary& vocabulary,
            const Batch& batch) {
  for (std::size_t i = 0; i < batch.tokens.size(); ++i) {
    if (batch.tokens[i] >= 0) continue;
    fail(metadata, batch.first_rank + i / 3, batch.merges[i / 3],
         fmt::format("but no token is {}", quoted(batch.texts[i])));
  }
  for (std::size_t i = 0; i < batch.merges.size(); ++i) {
    const Token result = batch.tokens[3 * i + 2];
    // Ordinary text never becomes a control token, not even where a merge would make one.
    if (!vocabulary.ordinary(result)) continue;
    out.push_back({batch.tokens[3 * i], batch.tokens[3 * i + 1],
                   static_cast<std::uint32_t>(batch.first_rank + i), result});
  }
}

/// See MergeTable::ascending.
bool in_ascending_order(std::span<const PairMerge> merges) {
  Token last = -1;
  for (const PairMerge& merge : merges) {
    last = std::max({last, merge.left, merge.right, merge.result});
  }
  std::vector<std::uint64_t> lowest(static_cast<std::size_t>(last) + 1);  // rank that may use it
  for (const PairMerge& merge : merges) {
    std::uint64_t& rank = lowest[static_cast<std::size_t>(merge.result)];
    rank = std::max(rank, std::uint64_t{merge.rank} + 1);
  }
  return std::all_of(merges.begin(), merges.end(), [&](const PairMerge& merge) {
    return merge.rank >= lowest[static_cast<std::size_t>(merge.left)] &&
           merge.rank >= lowest[static_cast<std::size_t>(merge.right)];
  });
}

}  // namespace

std::vector<PairMerge> read_merges(const Metadata& metadata, const Vocabulary& vocabulary) {
  const auto texts = metadata.get<std::vector<std::string_view>>(key);
  const std::span<const std::string_view> merges = texts;
  std::vector<PairMerge> out;
  out.reserve(merges.size());
  for (std::size_t first = 0; first < merges.size(); first += batch_size) {
    const std::size_t count = std::min(batch_size, merges.size() - first);
    append(out, metadata, vocabulary,
           Batch(metadata, vocabulary, merges.subspan(first, count), first));
  }
  return out;
}

MergeTable::MergeTable(std::span<const PairMerge> merges) : ascending_(in_ascending_order(merges)) {
  const std::size_t size = std::max<std::size_t>(2, std::bit_ceil(merges.size() * 4 / 3 + 1));
  slots_.resize(size);
  shift_ = 64 - std::countr_zero(size);
  for (std::size_t i = 0; i < merges.size(); ++i) {
    constexpr std::size_t ahead = 16;
    if (i + ahead < merges.size()) {
      __builtin_prefetch(&slots_[home(pair_of(merges[i + ahead].left, merges[i + ahead].right))],
                         1);
    }
    const std::uint64_t pair = pair_of(merges[i].left, merges[i].right);
    Slot& slot = slots_[locate(pair)];
    if (slot.pair == free_slot) ++size_;
    slot = {pair, merges[i].rank, merges[i].result};
  }
}

}  // namespace lamina
