// Merging characters by rank.
#include "runtime/tokenizer/models/character_bpe.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/tokenizer/spaces.h"
#include "runtime/unicode/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace lamina {
namespace {

/// Where the word ends that `text` begins with: before a mark that does not follow another.
std::size_t word_end(std::string_view text) {
  std::size_t at = text.find(space_mark, 1);
  while (at != std::string_view::npos && text.substr(0, at).ends_with(space_mark)) {
    at = text.find(space_mark, at + space_mark.size());
  }
  return std::min(at, text.size());
}

}  // namespace

CharacterBpe::CharacterBpe(const Vocabulary& vocabulary, Token model_size, BpeOptions options)
    : vocabulary_(&vocabulary),
      model_size_(model_size),
      options_(std::move(options)),
      merges_(options_.merges),
      affixes_(!options_.continuing_subword_prefix.empty() ||
               !options_.end_of_word_suffix.empty()) {
  by_word_ = words_begin_with_space_mark();
  if (characters_are_independent()) {
    pairs_.emplace(static_cast<std::size_t>(model_size_));
    for (Token token = 0; token < model_size_; ++token) pairs_->add(vocabulary.text(token));
  }
  options_.merges = {};
  for (std::size_t code = 0; code < ascii_.size(); ++code) {
    const char character = static_cast<char>(code);
    ascii_[code] = find({&character, 1});
  }
}

/// Whether no merge joins a U+2581 to something before it that does not end with one.
bool CharacterBpe::words_begin_with_space_mark() const {
  if (affixes_ || options_.ignore_merges || find(space_mark) < 0) return false;
  return std::none_of(options_.merges.begin(), options_.merges.end(), [&](const PairMerge& merge) {
    return vocabulary_->text(merge.right).starts_with(space_mark) &&
           !vocabulary_->text(merge.left).ends_with(space_mark);
  });
}

/// Whether a character without a token becomes bytes that merge with nothing.
bool CharacterBpe::characters_are_independent() const {
  if (affixes_ || !options_.byte_fallback) return false;
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (vocabulary_->byte_token(static_cast<unsigned char>(byte)) < 0) return false;
  }
  const auto is_byte = [&](Token token) { return vocabulary_->type(token) == TokenType::byte; };
  return std::none_of(options_.merges.begin(), options_.merges.end(), [&](const PairMerge& merge) {
    return is_byte(merge.left) || is_byte(merge.right);
  });
}

/// Text never becomes a special token.
Token CharacterBpe::find(std::string_view text) const {
  const Token token = vocabulary_->find_ordinary(text);
  return token < model_size_ ? token : -1;
}

Token CharacterBpe::find_character(std::string_view character, bool first, bool last) const {
  if (!affixes_ || (first && !last && options_.continuing_subword_prefix.empty())) {
    const auto code = static_cast<unsigned char>(character[0]);
    return code < ascii_.size() ? ascii_[code] : find(character);
  }
  return find((first ? "" : options_.continuing_subword_prefix) + std::string(character) +
              (last ? options_.end_of_word_suffix : ""));
}

bool CharacterBpe::append_bytes(std::string_view text, SymbolChain& chain) const {
  const auto token = [&](char byte) {
    return vocabulary_->byte_token(static_cast<unsigned char>(byte));
  };
  if (std::any_of(text.begin(), text.end(), [&](char byte) { return token(byte) < 0; })) {
    return false;
  }
  for (const char byte : text) chain.append(token(byte), 1);
  return true;
}

/// Counts a character without a token into the run of them that is not yet in the chain.
void CharacterBpe::add_unknown(std::size_t size, std::size_t& run, SymbolChain& chain) const {
  if (options_.unknown == BpeOptions::no_unknown) {
    throw Error(
        "the text has a character without a token, and the unknown token that the tokenizer's file "
        "names is not in its vocabulary; the file is damaged");
  }
  if (options_.unknown < 0) return;
  if (!options_.fuse_unknown && run > 0) chain.append(options_.unknown, std::exchange(run, 0));
  run += size;
}

void CharacterBpe::start(SymbolChain& chain, std::string_view piece) const {
  chain.clear();
  std::size_t unknown = 0;  // bytes
  for (std::size_t at = 0; at < piece.size();) {
    const std::string_view rest = piece.substr(at);
    const std::string_view character = rest.substr(0, character_length(rest));
    const bool first = at == 0;
    at += character.size();
    const bool last = at == piece.size();
    const Token token = find_character(character, first, last);
    const std::size_t size = character.size() +
                             (first ? 0 : options_.continuing_subword_prefix.size()) +
                             (last ? options_.end_of_word_suffix.size() : 0);
    if (token >= 0) {
      if (unknown > 0) chain.append(options_.unknown, std::exchange(unknown, 0));
      chain.append(token, size);
      continue;
    }
    // As in the original, bytes come before an unknown run that they follow.
    const std::string spelled = (first ? "" : options_.continuing_subword_prefix) +
                                std::string(character) + (last ? options_.end_of_word_suffix : "");
    if (options_.byte_fallback && append_bytes(spelled, chain)) continue;
    add_unknown(size, unknown, chain);
  }
  if (unknown > 0) chain.append(options_.unknown, unknown);
}

void CharacterBpe::merge_word(SymbolChain& chain, std::string_view word,
                              std::vector<Token>& out) const {
  start(chain, word);
  chain.merge([&](const Symbol& left, const Symbol& right) {
    return merges_.find(left.token, right.token);
  });
  chain.for_each([&](const Symbol& symbol) { out.push_back(symbol.token); });
}

void CharacterBpe::encode(std::string_view piece, std::vector<Token>& out) const {
  if (options_.ignore_merges) {
    if (const Token token = find(piece); token >= 0) return out.push_back(token);
  }
  SymbolChain chain;
  WordCache& cache = WordCache::of_this_thread();
  const auto encode_part = [&](std::string_view part, std::vector<Token>& tokens) {
    merge_word(chain, part, tokens);
  };
  while (pairs_ && !piece.empty()) {
    const std::size_t size = pairs_->first_part(piece).size;
    cache.append(parts_, piece.substr(0, size), out, encode_part);
    piece.remove_prefix(size);
  }
  while (!piece.empty()) {
    const std::size_t end = by_word_ ? word_end(piece) : piece.size();
    merge_word(chain, piece.substr(0, end), out);
    piece.remove_prefix(end);
  }
}

}  // namespace lamina
