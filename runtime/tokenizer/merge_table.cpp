// Reading merges, and the hash table of pairs.
#include "runtime/tokenizer/merge_table.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
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

MergeTable::MergeTable(const Metadata& metadata, const Vocabulary& vocabulary) {
  const auto merges = metadata.get<std::vector<std::string_view>>(key);
  const std::size_t size = std::max<std::size_t>(2, std::bit_ceil(2 * merges.size()));
  slots_.resize(size);
  shift_ = 64 - std::countr_zero(size);
  std::string joined;
  for (std::size_t rank = 0; rank < merges.size(); ++rank) {
    const std::string_view merge = merges[rank];
    const std::size_t space = merge.find(' ', 1);  // from 1: the left text may begin with a space
    if (space == std::string_view::npos || space + 1 == merge.size()) {
      fail(metadata, rank, merge, "expected two texts with a space between them");
    }
    joined.assign(merge, 0, space).append(merge, space + 1);
    const auto token = [&](std::string_view text) {
      const Token found = vocabulary.find(text);
      if (found >= 0) return found;
      fail(metadata, rank, merge, fmt::format("but no token is {}", quoted(text)));
    };
    const std::uint64_t pair =
        pair_of(token(merge.substr(0, space)), token(merge.substr(space + 1)));
    Slot& slot = slots_[locate(pair)];
    if (slot.pair == pair) fail(metadata, rank, merge, "which occurred before");
    const Token result = token(joined);
    // Ordinary text never becomes a control token, not even where a merge would make one.
    if (vocabulary.find_ordinary(joined) < 0) continue;
    slot = {pair, static_cast<std::uint32_t>(rank), result};
  }
}

std::size_t MergeTable::locate(std::uint64_t pair) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = static_cast<std::size_t>((pair * 0x9E3779B97F4A7C15) >> shift_);
  while (slots_[i].pair != free_slot && slots_[i].pair != pair) i = (i + 1) & mask;
  return i;
}

std::optional<Merge> MergeTable::find(Token left, Token right) const {
  const Slot& slot = slots_[locate(pair_of(left, right))];
  if (slot.pair == free_slot) return std::nullopt;
  return Merge{slot.rank, slot.result};
}

}  // namespace lamina
