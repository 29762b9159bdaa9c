// Hashing of short texts, and the table over them.
#include "runtime/tokenizer/token_texts.h"

#include <bit>
#include <cstring>

namespace lamina {
namespace {

/// Mixes eight bytes at a time; multiplication carries upwards, the shift brings it down again.
std::uint64_t hash_of(std::string_view text) {
  constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
  std::uint64_t hash = text.size() * multiplier;
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * multiplier;
    hash ^= hash >> 29;
  };
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= sizeof(std::uint64_t); left -= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    mix(word);
    at += sizeof word;
  }
  std::uint64_t word = 0;
  if (left > 0) std::memcpy(&word, at, left);
  mix(word);
  hash *= multiplier;
  return hash ^ hash >> 32;
}

}  // namespace

TokenTexts::TokenTexts(std::span<const std::string_view> texts) {
  std::size_t total = 0;
  for (const std::string_view text : texts) total += text.size();
  bytes_.reserve(total);
  ends_.reserve(texts.size());
  slots_.resize(std::bit_ceil(2 * texts.size() + (texts.empty() ? 1 : 0)));
  for (const std::string_view text : texts) {
    const Token token = size();
    bytes_ += text;
    ends_.push_back(bytes_.size());
    if (text.empty()) continue;
    const std::uint64_t hash = hash_of(text);
    Slot& slot = slots_[locate(text, hash)];
    if (slot.token < 0) slot = {static_cast<std::uint32_t>(hash >> 32), token};
  }
}

std::string_view TokenTexts::operator[](Token token) const {
  const auto i = static_cast<std::size_t>(token);
  const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
  return std::string_view(bytes_).substr(begin, ends_[i] - begin);
}

std::size_t TokenTexts::locate(std::string_view text, std::uint64_t hash) const {
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = static_cast<std::size_t>(hash) & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.token < 0 || (slot.tag == tag && (*this)[slot.token] == text)) return i;
  }
}

Token TokenTexts::find(std::string_view text) const {
  return text.empty() || slots_.empty() ? -1 : slots_[locate(text, hash_of(text))].token;
}

void TokenTexts::find(std::span<const std::string_view> texts, std::span<Token> found) const {
  const std::size_t mask = slots_.size() - 1;
  std::vector<std::uint64_t> hashes;
  hashes.reserve(texts.size());
  for (const std::string_view text : texts) {
    hashes.push_back(hash_of(text));
    __builtin_prefetch(&slots_[static_cast<std::size_t>(hashes.back()) & mask]);
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    found[i] = slots_[static_cast<std::size_t>(hashes[i]) & mask].token;  // the first to compare
    if (found[i] >= 0) __builtin_prefetch(&ends_[static_cast<std::size_t>(found[i])]);
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (found[i] >= 0) __builtin_prefetch((*this)[found[i]].data());
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    found[i] = texts[i].empty() ? -1 : slots_[locate(texts[i], hashes[i])].token;
  }
}

}  // namespace lamina
