// Merging by score.
#include "runtime/tokenizer/models/sentence_piece.h"

#include "runtime/tokenizer/spaces.h"
#include "runtime/unicode/utf8.h"

#include <algorithm>
#include <bit>
#include <string>

namespace lamina {
namespace {

/// Integers in the opposite order of the scores: the bits of an IEEE float compare like its
/// magnitude.
std::uint32_t descending(float score) {
  const auto bits = std::bit_cast<std::uint32_t>(score + 0.0F);  // -0 becomes 0
  const std::uint32_t ascending = (bits >> 31) != 0 ? ~bits : bits | 0x80000000U;
  return ~ascending;
}

}  // namespace

SentencePiece::SentencePiece(const Vocabulary& vocabulary, Token unknown)
    : vocabulary_(&vocabulary),
      characters_(vocabulary, unknown),
      pairs_(static_cast<std::size_t>(vocabulary.size())),
      merged_(static_cast<std::size_t>(vocabulary.size())) {
  ranks_.reserve(vocabulary.scores().size());
  for (const float score : vocabulary.scores()) ranks_.push_back(descending(score));
  for (Token token = 0; token < vocabulary.size(); ++token) {
    longest_ = std::max(longest_, vocabulary.text(token).size());
    if (vocabulary.ordinary(token)) pairs_.add(vocabulary.text(token));
    if (vocabulary.type(token) == TokenType::user_defined) {
      user_defined_.insert(vocabulary.text(token), token);
    }
  }
}

std::optional<Merge> SentencePiece::merge(std::string_view text, const Symbol& left,
                                          const Symbol& right) const {
  const std::size_t size = std::size_t{left.size} + right.size;
  if (size > longest_) return std::nullopt;
  const Token token = vocabulary_->find_ordinary(text.substr(left.begin, size));
  if (token < 0) return std::nullopt;
  return Merge{ranks_[static_cast<std::size_t>(token)], token};
}

void SentencePiece::merge_characters(std::string_view word, SymbolChain& chain) const {
  characters_.start(chain, word);
  chain.merge([&](const Symbol& left, const Symbol& right) { return merge(word, left, right); });
}

void SentencePiece::encode_word(std::string_view word, SymbolChain& chain,
                                std::vector<Token>& out) const {
  const Token token = word.size() <= longest_ ? vocabulary_->find_ordinary(word) : -1;
  const auto find_out = [&]() -> signed char {
    merge_characters(word, chain);
    std::size_t others = 0;
    chain.for_each([&](const Symbol& symbol) { others += symbol.token == token ? 0 : 1; });
    return others == 0;
  };
  if (token >= 0 && merged_.get(static_cast<std::size_t>(token), find_out) != 0) {
    out.push_back(token);
    return;
  }
  merge_characters(word, chain);
  characters_.finish(chain, word, out);
}

void SentencePiece::encode_part(std::string_view text, SymbolChain& chain,
                                std::vector<Token>& out) const {
  WordCache& cache = WordCache::of_this_thread();
  const bool bytes_known = characters_.bytes_known();
  const auto encode = [&](std::string_view word, std::vector<Token>& tokens) {
    encode_word(word, chain, tokens);
  };
  while (!text.empty()) {
    const std::string_view word = text.substr(0, pairs_.first_part(text).size);
    if (bytes_known) {
      cache.append(words_, word, out, encode);
    } else {
      encode(word, out);  // an unknown token may depend on the one before it
    }
    text.remove_prefix(word.size());
  }
}

void SentencePiece::encode(std::string_view text, std::vector<Token>& out) const {
  std::string marked;
  append_marked(marked, text);
  std::string_view rest = marked;
  SymbolChain chain;
  std::size_t part = 0;  // bytes of `rest` before the place looked at
  while (!user_defined_.empty() && part < rest.size()) {
    const auto [token, size] = user_defined_.longest(rest.substr(part));
    if (token < 0) {
      part += character_length(rest.substr(part));
      continue;
    }
    encode_part(rest.substr(0, part), chain, out);
    out.push_back(token);
    rest.remove_prefix(part + size);
    part = 0;
  }
  encode_part(rest, chain, out);
}

}  // namespace lamina
