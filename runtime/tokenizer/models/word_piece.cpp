// The longest tokens, by walking a trie of all of them.
#include "runtime/tokenizer/models/word_piece.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/unicode/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace lamina {
namespace {

bool longer_than(std::string_view word, std::size_t characters) {
  if (word.size() <= characters) return false;
  std::size_t count = 0;
  for (std::size_t at = 0; at < word.size(); at += character_length(word.substr(at))) ++count;
  return count > characters;
}

}  // namespace

WordPiece::WordPiece(const Vocabulary& vocabulary, Token model_size,
                     const WordPieceOptions& options)
    : unknown_(options.unknown), max_characters_(options.max_characters) {
  const Token size = std::min(model_size, vocabulary.size());
  for (Token token = 0; token < size; ++token) {
    // Text never becomes a special token.
    const bool special = vocabulary.type(token) == TokenType::control;
    if (!special) trie_.insert(vocabulary.text(token), token);
  }
  beginning_ = trie_.walk(ByteTrie::root, options.word_prefix);
  continuing_ = trie_.walk(ByteTrie::root, options.continuing_subword_prefix);
}

void WordPiece::encode(std::string_view word, std::vector<Token>& out) const {
  const std::size_t before = out.size();
  if (!longer_than(word, max_characters_) && spell(word, out)) return;
  out.resize(before);
  if (unknown_ >= 0) return out.push_back(unknown_);
  throw Error(
      fmt::format("the word {} is not in the vocabulary, which has no unknown token: the "
                  "text cannot be encoded",
                  quoted(word)));
}

bool WordPiece::spell(std::string_view word, std::vector<Token>& out) const {
  ByteTrie::Node start = beginning_;
  while (!word.empty()) {
    const auto [token, size] = trie_.longest(word, start);
    if (token < 0) return false;
    out.push_back(token);
    word.remove_prefix(size);
    start = continuing_;
  }
  return true;
}

}  // namespace lamina
