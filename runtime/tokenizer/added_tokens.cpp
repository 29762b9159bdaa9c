// Finding tokens by narrowing the range of sorted texts, byte by byte.
#include "runtime/tokenizer/added_tokens.h"

#include "runtime/unicode/unicode_classes.h"
#include "runtime/unicode/utf8.h"

#include <algorithm>
#include <utility>

namespace lamina {
namespace {

bool white(char32_t code) { return UnicodeClasses::instance().is(code, character_set::white); }

/// The regular expression \w of the Rust crate regex: unlike Oniguruma's it has the joiners, and no
/// fractions.
bool word(char32_t code) {
  const UnicodeClasses& classes = UnicodeClasses::instance();
  const bool joiner = code == 0x200C || code == 0x200D;
  return joiner || (classes.word(code) && classes.category(code) != Category::No);
}

/// Bytes of the last character of `text`, which is not empty.
std::size_t last_length(std::string_view text) {
  for (std::size_t length = std::min<std::size_t>(4, text.size()); length > 1; --length) {
    if (well_formed_length(text.substr(text.size() - length)) == length) return length;
  }
  return 1;
}

/// The code point of one character; a byte that is none has no properties.
char32_t code_of(std::string_view character) {
  constexpr char32_t no_character = 0xFFFF;
  const std::size_t length = well_formed_length(character);
  if (length == 0) return no_character;
  const auto lead = static_cast<unsigned char>(character[0]);
  char32_t code = length == 1 ? lead : lead & 0x7FU >> length;
  for (std::size_t i = 1; i < length; ++i) {
    code = code << 6 | (static_cast<unsigned char>(character[i]) & 0x3FU);
  }
  return code;
}

std::size_t leading_white(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = character_length(text.substr(at));
    if (!white(code_of(text.substr(at, length)))) break;
    at += length;
  }
  return at;
}

/// Where the white space at the end of `text` begins, at least `from`.
std::size_t trailing_white(std::string_view text, std::size_t from) {
  while (text.size() > from) {
    const std::size_t length = last_length(text);
    if (!white(code_of(text.substr(text.size() - length)))) break;
    text.remove_suffix(length);
  }
  return std::max(text.size(), from);
}

/// Whether no word touches text[begin, end).
bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
  const std::string_view before = text.substr(0, begin);
  const std::string_view after = text.substr(end);
  if (!before.empty() && word(code_of(before.substr(begin - last_length(before))))) return false;
  return after.empty() || !word(code_of(after.substr(0, character_length(after))));
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  std::erase_if(tokens_, [](const AddedToken& token) { return token.text.empty(); });
  const auto text = [](const AddedToken& token) { return std::string_view(token.text); };
  std::stable_sort(tokens_.begin(), tokens_.end(),
                   [&](const auto& a, const auto& b) { return text(a) < text(b); });
  const auto same = [&](const auto& a, const auto& b) { return text(a) == text(b); };
  tokens_.erase(std::unique(tokens_.begin(), tokens_.end(), same), tokens_.end());
  for (const AddedToken& token : tokens_) {
    ++by_first_[static_cast<unsigned char>(token.text[0]) + std::size_t{1}];
  }
  for (std::size_t byte = 1; byte < by_first_.size(); ++byte) {
    by_first_[byte] += by_first_[byte - 1];
  }
}

/// The longest token that `text` starts with; a special one of at most `special_room` bytes.
const AddedToken* AddedTokens::match(std::string_view text, std::size_t special_room) const {
  const auto first = static_cast<unsigned char>(text[0]);
  auto low = tokens_.begin() + static_cast<std::ptrdiff_t>(by_first_[first]);
  auto high = tokens_.begin() + static_cast<std::ptrdiff_t>(by_first_[first + std::size_t{1}]);
  const AddedToken* longest = nullptr;
  // All texts in [low, high) start with the same `depth` bytes as `text`.
  for (std::size_t depth = 1; low != high; ++depth) {
    if (low->text.size() == depth) {
      if (!low->special || depth <= special_room) longest = &*low;
      ++low;
    }
    if (depth == text.size()) break;
    const auto next = static_cast<unsigned char>(text[depth]);
    const auto byte_of = [&](const AddedToken& token) {
      return static_cast<unsigned char>(token.text[depth]);
    };
    low = std::partition_point(low, high, [&](const auto& token) { return byte_of(token) < next; });
    high =
        std::partition_point(low, high, [&](const auto& token) { return byte_of(token) == next; });
  }
  return longest;
}

std::vector<Fragment> AddedTokens::split(std::string_view text,
                                         std::span<const Section> sections) const {
  std::vector<Fragment> fragments;
  std::size_t begin = 0;  // of the text not yet in a fragment
  auto section = sections.begin();
  for (std::size_t at = 0; at < text.size();) {
    while (section->end <= at) ++section;
    const auto first = static_cast<unsigned char>(text[at]);
    const AddedToken* token = nullptr;
    if (by_first_[first] < by_first_[first + std::size_t{1}]) {
      token = match(text.substr(at), section->end - at);
    }
    if (token == nullptr) {
      ++at;
      continue;
    }
    std::size_t start = at;
    at += token->text.size();
    if (token->special && !section->special) continue;
    if (token->single_word && !stands_alone(text, start, at)) continue;
    if (token->left_strip) start = trailing_white(text.substr(0, start), begin);
    const std::size_t stop = token->right_strip ? at + leading_white(text.substr(at)) : at;
    if (start >= stop) continue;  // the token before it has swallowed it
    if (start > begin) fragments.push_back({text.substr(begin, start - begin), -1});
    fragments.push_back({text.substr(start, stop - start), token->id});
    begin = stop;
  }
  if (begin < text.size()) fragments.push_back({text.substr(begin), -1});
  return fragments;
}

}  // namespace lamina
