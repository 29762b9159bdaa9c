// Viterbi's algorithm, and what becomes of unknown characters.
#include "runtime/tokenizer/models/unigram.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/unicode/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lamina {
namespace {

constexpr double unknown_penalty = 10;

}  // namespace

struct Unigram::Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  Token token = unknown_character;
};

Unigram::Unigram(const Vocabulary& vocabulary, std::span<const double> scores,
                 UnigramOptions options)
    : vocabulary_(&vocabulary), options_(options) {
  if (scores.size() > static_cast<std::size_t>(vocabulary.size())) {
    throw Error(fmt::format("a Unigram model has {} scores for a vocabulary of {} tokens",
                            scores.size(), vocabulary.size()));
  }
  scores_.reserve(scores.size());
  for (const double score : scores) scores_.push_back(rounded(score));
  add_tokens();
}

void Unigram::add_tokens() {
  const bool every = options_.rules == UnigramRules::tokenizers;
  double lowest = std::numeric_limits<float>::max();
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    const auto token = static_cast<Token>(i);
    const TokenType type = vocabulary_->type(token);
    if (every || type == TokenType::normal) lowest = std::min(lowest, scores_[i]);
    // Text never becomes a special token.
    if (type == TokenType::control) continue;
    if (every || type == TokenType::normal || type == TokenType::user_defined) {
      trie_.insert(vocabulary_->text(token), token);
    }
  }
  unknown_score_ = rounded(lowest - unknown_penalty);
}

double Unigram::rounded(double sum) const {
  return options_.rules == UnigramRules::tokenizers ? sum : double{static_cast<float>(sum)};
}

double Unigram::score_of(Token token, std::size_t size) const {
  const double score = scores_[static_cast<std::size_t>(token)];
  if (options_.rules == UnigramRules::tokenizers) return score;
  if (vocabulary_->type(token) != TokenType::user_defined) return score;
  if (options_.rules == UnigramRules::gguf) return 0;
  return rounded(0.1 * static_cast<double>(size - 1));
}

void Unigram::offer(Best& best, double sum, std::size_t begin, Token token) const {
  sum = rounded(sum);
  if (best.token != unreached && !(sum > best.score)) return;
  best = {sum, static_cast<std::uint32_t>(begin), token};
}

/// Goes on from `begin` by every token and by one character; where the longest of these ends.
std::size_t Unigram::extend(std::string_view piece, std::size_t begin,
                            std::vector<Best>& best) const {
  const double here = best[begin].score;
  const std::size_t character = character_length(piece.substr(begin));
  bool known = false;  // the character alone is a token
  std::size_t reached = begin + character;
  ByteTrie::Node node = ByteTrie::root;
  for (std::size_t end = begin; end < piece.size();) {
    node = trie_.next(node, piece[end++]);
    if (node == ByteTrie::none) break;
    const Token token = trie_.token(node);
    if (token < 0) continue;
    offer(best[end], score_of(token, end - begin) + here, begin, token);
    known = known || end - begin == character;
    reached = std::max(reached, end);
  }
  if (!known) offer(best[begin + character], unknown_score_ + here, begin, unknown_character);
  return reached;
}

/// Takes the score at `begin` off those of all places up to `end`, where it is large.
void Unigram::reset(std::size_t begin, std::size_t end, std::vector<Best>& best) const {
  constexpr double threshold = 100000;
  const double offset = best[begin].score;
  if (options_.rules != UnigramRules::sentence_piece || std::abs(offset) <= threshold) return;
  for (std::size_t i = begin; i <= end; ++i) best[i].score = rounded(best[i].score - offset);
}

void Unigram::encode(std::string_view piece, std::vector<Token>& out) const {
  if (piece.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(fmt::format("a text of {} bytes cannot be encoded at once", piece.size()));
  }
  std::vector<Best> best(piece.size() + 1);
  std::size_t reached = 0;
  for (std::size_t at = 0; at < piece.size(); at += character_length(piece.substr(at))) {
    reset(at, reached, best);
    reached = std::max(reached, extend(piece, at, best));
  }
  std::vector<Span> spans;  // from the end; unknown characters side by side are one
  for (std::size_t end = piece.size(); end > 0; end = best[end].begin) {
    const bool every = options_.rules == UnigramRules::tokenizers;
    const Token found = best[end].token;
    const Token token = every && found == options_.unknown ? unknown_character : found;
    const bool goes_on =
        token == unknown_character && !spans.empty() && spans.back().token == unknown_character;
    if (!goes_on) spans.push_back({0, end, token});
    spans.back().begin = best[end].begin;
  }
  for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
    if (span->token >= 0) {
      out.push_back(span->token);
    } else {
      append_unknown(piece.substr(span->begin, span->end - span->begin), out);
    }
  }
}

void Unigram::append_unknown(std::string_view text, std::vector<Token>& out) const {
  if (options_.rules == UnigramRules::tokenizers) {  // looks the joined text up again
    const ByteTrie::Node node = trie_.walk(ByteTrie::root, text);
    const Token token = node == ByteTrie::none ? -1 : trie_.token(node);
    if (token >= 0) return out.push_back(token);
  }
  if (options_.byte_fallback && append_bytes(text, out)) return;
  if (options_.unknown >= 0) return out.push_back(options_.unknown);
  throw Error(
      fmt::format("{} is in no token of the vocabulary, which has no unknown token and no "
                  "tokens of bytes: the text cannot be encoded",
                  quoted(text)));
}

/// All or none.
bool Unigram::append_bytes(std::string_view text, std::vector<Token>& out) const {
  const std::size_t before = out.size();
  for (const char byte : text) {
    const Token token = vocabulary_->byte_token(static_cast<unsigned char>(byte));
    if (token < 0) {
      out.resize(before);
      return false;
    }
    out.push_back(token);
  }
  return true;
}

}  // namespace lamina
