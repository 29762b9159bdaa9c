// Reading merges, and the hash table of pairs.
#include "runtime/tokenizer/merge_table.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>
#include <string>

namespace lamina {
namespace {

constexpr std::string_view key = "tokenizer.ggml.merges";

std::uint64_t pair_of(Token left, Token right) {
  return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
}

[[noreturn]] void fail(const Metadata& metadata, std::size_t rank, std::string_view merge,
                       const std::string& why) {
  throw Error(
      fmt::format("{}: {}[{}] is {}, {}; the file is damaged or badly converted: convert "
                  "it again",
                  metadata.source(), key, rank, quoted(merge), why));
}

}  // namespace

/// The left text, the right text and both together of some merges, and their tokens.
struct MergeTable::Batch {
  static constexpr std::size_t size = 256;  // merges

  std::size_t first_rank = 0;
  std::span<const std::string_view> merges;
  std::string joined;                   // all texts that merges make
  std::vector<std::string_view> texts;  // three a merge
  std::vector<Token> tokens;            // of texts; -1: none

  Batch(const Metadata& metadata, const Vocabulary& vocabulary,
        std::span<const std::string_view> merges, std::size_t first_rank);
};

MergeTable::Batch::Batch(const Metadata& metadata, const Vocabulary& vocabulary,
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

MergeTable::MergeTable(const Metadata& metadata, const Vocabulary& vocabulary) {
  const auto merges = metadata.get<std::vector<std::string_view>>(key);
  const std::size_t size = std::max<std::size_t>(2, std::bit_ceil(2 * merges.size()));
  slots_.resize(size);
  shift_ = 64 - std::countr_zero(size);
  for (std::size_t first = 0; first < merges.size(); first += Batch::size) {
    const std::size_t count = std::min(Batch::size, merges.size() - first);
    insert(metadata, vocabulary,
           Batch(metadata, vocabulary, std::span(merges).subspan(first, count), first));
  }
}

void MergeTable::insert(const Metadata& metadata, const Vocabulary& vocabulary,
                        const Batch& batch) {
  for (std::size_t i = 0; i < batch.tokens.size(); ++i) {
    if (batch.tokens[i] >= 0) continue;
    fail(metadata, batch.first_rank + i / 3, batch.merges[i / 3],
         fmt::format("but no token is {}", quoted(batch.texts[i])));
  }
  const auto pair_at = [&](std::size_t i) {
    return pair_of(batch.tokens[3 * i], batch.tokens[3 * i + 1]);
  };
  for (std::size_t i = 0; i < batch.merges.size(); ++i) {
    __builtin_prefetch(&slots_[home(pair_at(i))], 1);
  }
  for (std::size_t i = 0; i < batch.merges.size(); ++i) {
    const Token result = batch.tokens[3 * i + 2];
    // Ordinary text never becomes a control token, not even where a merge would make one.
    if (!vocabulary.ordinary(result)) continue;
    const std::uint64_t pair = pair_at(i);
    Slot& slot = slots_[locate(pair)];
    const std::size_t rank = batch.first_rank + i;
    if (slot.pair == pair) fail(metadata, rank, batch.merges[i], "which occurred before");
    slot = {pair, static_cast<std::uint32_t>(rank), result};
  }
}

std::size_t MergeTable::home(std::uint64_t pair) const {
  return static_cast<std::size_t>((pair * 0x9E3779B97F4A7C15) >> shift_);
}

std::size_t MergeTable::locate(std::uint64_t pair) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = home(pair);
  while (slots_[i].pair != free_slot && slots_[i].pair != pair) i = (i + 1) & mask;
  return i;
}

std::optional<Merge> MergeTable::find(Token left, Token right) const {
  const Slot& slot = slots_[locate(pair_of(left, right))];
  if (slot.pair == free_slot) return std::nullopt;
  return Merge{slot.rank, slot.result};
}

}  // namespace lamina
