// Finding tokens by narrowing the range of sorted texts, byte by byte.
#include "runtime/tokenizer/special_tokens.h"

#include <algorithm>

namespace lamina {
namespace {

bool is_special(TokenType type) {
  return type == TokenType::control || type == TokenType::unknown ||
         type == TokenType::user_defined;
}

std::size_t leading_white_space(std::string_view text) {
  return std::min(text.find_first_not_of(" \t\n\v\f\r"), text.size());
}

}  // namespace

SpecialTokens::SpecialTokens(const Vocabulary& vocabulary, std::vector<Token> strip_right)
    : vocabulary_(&vocabulary), strip_right_(std::move(strip_right)) {
  for (Token token = 0; token < vocabulary.size(); ++token) {
    if (is_special(vocabulary.type(token)) && !vocabulary.text(token).empty()) {
      sorted_.push_back(token);
    }
  }
  std::sort(sorted_.begin(), sorted_.end(),
            [&](Token a, Token b) { return vocabulary.text(a) < vocabulary.text(b); });
  std::sort(strip_right_.begin(), strip_right_.end());
  for (const Token token : sorted_) {
    ++by_first_[static_cast<unsigned char>(vocabulary.text(token)[0]) + std::size_t{1}];
  }
  for (std::size_t byte = 1; byte < by_first_.size(); ++byte) {
    by_first_[byte] += by_first_[byte - 1];
  }
}

Token SpecialTokens::match(std::string_view text, bool parse_special) const {
  const auto first = static_cast<unsigned char>(text[0]);
  auto low = sorted_.begin() + static_cast<std::ptrdiff_t>(by_first_[first]);
  auto high = sorted_.begin() + static_cast<std::ptrdiff_t>(by_first_[first + std::size_t{1}]);
  Token longest = -1;
  // All texts in [low, high) start with the same `depth` bytes as `text`.
  for (std::size_t depth = 1; low != high; ++depth) {
    const std::string_view shortest = vocabulary_->text(*low);
    if (shortest.size() == depth) {
      const bool wanted = parse_special || vocabulary_->type(*low) == TokenType::user_defined;
      if (wanted) longest = *low;
      ++low;
    }
    if (depth == text.size()) break;
    const auto next = static_cast<unsigned char>(text[depth]);
    const auto byte_of = [&](Token token) {
      return static_cast<unsigned char>(vocabulary_->text(token)[depth]);
    };
    low = std::partition_point(low, high, [&](Token token) { return byte_of(token) < next; });
    high = std::partition_point(low, high, [&](Token token) { return byte_of(token) == next; });
  }
  return longest;
}

std::vector<Fragment> SpecialTokens::split(std::string_view text, bool parse_special) const {
  std::vector<Fragment> fragments;
  std::size_t begin = 0;  // of the text not yet in a fragment
  for (std::size_t at = 0; at < text.size();) {
    const Token token = match(text.substr(at), parse_special);
    if (token < 0) {
      ++at;
      continue;
    }
    if (at > begin) fragments.push_back({text.substr(begin, at - begin)});
    const std::size_t size = vocabulary_->text(token).size();
    fragments.push_back({text.substr(at, size), token});
    at += size;
    if (std::binary_search(strip_right_.begin(), strip_right_.end(), token)) {
      at += leading_white_space(text.substr(at));
    }
    begin = at;
  }
  if (begin < text.size()) fragments.push_back({text.substr(begin)});
  return fragments;
}

}  // namespace lamina
