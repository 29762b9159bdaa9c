// Merging by score.
#include "runtime/tokenizer/sentence_piece.h"

#include "runtime/tokenizer/spaces.h"
#include "runtime/tokenizer/utf8.h"

#include <algorithm>
#include <bit>

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

SentencePiece::SentencePiece(const Metadata& metadata, const Vocabulary& vocabulary, Token unknown)
    : SentencePiece(vocabulary, unknown) {
  metadata.get<std::vector<float>>("tokenizer.ggml.scores");  // read already; here it must be there
  metadata.get<std::vector<std::int32_t>>("tokenizer.ggml.token_type");
}

SentencePiece::SentencePiece(const Vocabulary& vocabulary, Token unknown)
    : vocabulary_(&vocabulary), characters_(vocabulary, unknown) {
  ranks_.reserve(vocabulary.scores().size());
  for (const float score : vocabulary.scores()) ranks_.push_back(descending(score));
  for (Token token = 0; token < vocabulary.size(); ++token) {
    longest_ = std::max(longest_, vocabulary.text(token).size());
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

void SentencePiece::encode_part(std::string_view text, std::vector<Token>& out) const {
  if (text.empty()) return;
  SymbolChain chain;
  characters_.start(chain, text);
  chain.merge([&](const Symbol& left, const Symbol& right) { return merge(text, left, right); });
  characters_.finish(chain, text, out);
}

void SentencePiece::encode(std::string_view text, std::vector<Token>& out) const {
  std::string marked;
  append_marked(marked, text);
  std::string_view rest = marked;
  std::size_t part = 0;  // bytes of `rest` before the place looked at
  while (!user_defined_.empty() && part < rest.size()) {
    const auto [token, size] = user_defined_.longest(rest.substr(part));
    if (token < 0) {
      part += character_length(rest.substr(part));
      continue;
    }
    encode_part(rest.substr(0, part), out);
    out.push_back(token);
    rest.remove_prefix(part + size);
    part = 0;
  }
  encode_part(rest, out);
}

void SentencePiece::decode(Token token, std::string& out) const {
  append_unmarked(out, vocabulary_->text(token));
}

}  // namespace lamina
