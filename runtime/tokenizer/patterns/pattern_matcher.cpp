// One matcher for each set of rules, made by the compiler from one text.
#include "runtime/tokenizer/patterns/pattern_matcher.h"

#include "runtime/unicode/classified_text.h"
#include "runtime/tokenizer/patterns/digit_groups.h"
#include "runtime/tokenizer/patterns/word_rules.h"

#include <bit>
#include <string>

namespace lamina {
namespace {

using namespace character_set;

bool line_break(char byte) { return byte == '\n' || byte == '\r'; }
bool ascii_letter(char byte) { return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z'; }
bool ascii_punctuation(char byte) {
  return byte > ' ' && byte < 0x7F && !ascii_letter(byte) && !(byte >= '0' && byte <= '9');
}

using Character = ClassifiedText::Character;

template <WordRules rules>
class WordMatcher {
 public:
  explicit WordMatcher(std::string_view part) : part_(part) {}

  void append_pieces(std::size_t offset, std::vector<std::size_t>& ends);

 private:
  // Each gives the end of what matches at `at`, or `at` where nothing does.
  std::size_t match(std::size_t at);
  std::size_t contraction(std::size_t at) const;
  std::size_t ascii_word(std::size_t at) const;
  std::size_t spaced(std::size_t at, const Character& first) const;
  std::size_t word(std::size_t at, const Character& first) const;
  std::size_t cased_word(std::size_t at, const Character& first) const;
  std::size_t capitals_then_small(std::size_t at) const;
  std::size_t capitals(std::size_t at) const;
  std::size_t number(std::size_t at) const;
  std::size_t marks(std::size_t at, const Character& first) const;
  std::size_t white_space(std::size_t at);
  std::size_t half(std::size_t at) const;

  bool leads(std::size_t at, const Character& first) const {
    return first.size > 0 && !line_break(part_.byte(at)) && !first.in(rules.no_lead);
  }

  static constexpr CharacterSet no_han = rules.han_words ? han : 0;
  static constexpr CharacterSet upper = set_of(Lu, Lt, Lm, Lo) | mark;
  static constexpr CharacterSet lower = set_of(Ll, Lm, Lo) | mark;

  ClassifiedText part_;
  std::size_t plain_until_ = 0;  // white space that was looked at, without a line break
};

template <WordRules rules>
void WordMatcher<rules>::append_pieces(std::size_t offset, std::vector<std::size_t>& ends) {
  bool unmatched = false;  // something before `at`
  for (std::size_t at = 0; at < part_.size();) {
    const std::size_t end = match(at);
    if (end == at) {
      unmatched = true;
      at += part_[at].size;
      continue;
    }
    if (unmatched) ends.push_back(offset + at);
    unmatched = false;
    ends.push_back(offset + end);
    at = end;
  }
  if (unmatched) ends.push_back(offset + part_.size());
}

template <WordRules rules>
std::size_t WordMatcher<rules>::match(std::size_t at) {
  const Character first = part_[at];
  if (rules.han_words && first.in(han)) return part_.run(at, han);
  std::size_t end = at;
  if constexpr (rules.contractions != Contractions::none && !rules.joined) {
    if (end == at) end = contraction(at);
  }
  if constexpr (rules.ascii_words) {
    if (end == at) end = ascii_word(at);
  }
  if constexpr (rules.spaced) {
    if (end == at) end = spaced(at, first);
  } else {
    if (end == at) end = rules.cased ? cased_word(at, first) : word(at, first);
    if (end == at && rules.digits > 0 && first.in(character_set::number)) end = number(at);
    if (end == at) end = marks(at, first);
  }
  return end == at && first.in(white) ? white_space(at) : end;
}

template <WordRules rules>
std::size_t WordMatcher<rules>::contraction(std::size_t at) const {
  if (part_.byte(at) != '\'') return at;
  constexpr bool any_case = rules.contractions != Contractions::small;
  const auto letter_at = [&](std::size_t i) {
    const char byte = part_.byte(i);
    return any_case && byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte | 0x20) : byte;
  };
  const char first = letter_at(at + 1);
  if (first == 's' || first == 't' || first == 'm' || first == 'd') return at + 2;
  const char second = letter_at(at + 2);
  if ((first == 'l' && second == 'l') || ((first == 'r' || first == 'v') && second == 'e')) {
    return at + 3;
  }
  const bool long_s = part_.byte(at + 1) == '\xC5' && part_.byte(at + 2) == '\xBF';  // U+017F
  return rules.contractions == Contractions::folded && long_s ? at + 3 : at;
}

template <WordRules rules>
std::size_t WordMatcher<rules>::ascii_word(std::size_t at) const {
  if (!ascii_punctuation(part_.byte(at))) return at;
  std::size_t end = at + 1;
  while (ascii_letter(part_.byte(end))) ++end;
  return end > at + 1 ? end : at;
}

template <WordRules rules>
std::size_t WordMatcher<rules>::spaced(std::size_t at, const Character& first) const {
  const bool space = part_.byte(at) == ' ';
  const std::size_t from = space ? at + 1 : at;
  const Character start = space ? part_[from] : first;
  for (const CharacterSet set : {rules.letters, character_set::number, rules.marks}) {
    if (start.in(set)) return part_.run(from + start.size, set);
  }
  return at;
}

template <WordRules rules>
std::size_t WordMatcher<rules>::word(std::size_t at, const Character& first) const {
  // A mark may both lead and be a letter of the word: the word is the same.
  if (first.in(rules.letters)) return part_.run(at + first.size, rules.letters);
  if (!leads(at, first)) return at;
  const std::size_t from = at + first.size;
  const std::size_t end = part_.run(from, rules.letters);
  return end > from ? end : at;
}

template <WordRules rules>
std::size_t WordMatcher<rules>::cased_word(std::size_t at, const Character& first) const {
  const std::size_t from = leads(at, first) ? at + first.size : at;
  std::size_t end = capitals_then_small(from);
  bool found = end > from;
  if (!found && from > at) {
    end = capitals_then_small(at);
    found = end > at;
  }
  if (!found) {
    end = capitals(from);
    found = end > from;  // without a lead there is no capital: marks were found above
  }
  if (!found) return at;
  return rules.joined ? contraction(end) : end;
}

/// Some capitals, then one or more small letters; letters without case and marks may be either.
template <WordRules rules>
std::size_t WordMatcher<rules>::capitals_then_small(std::size_t at) const {
  std::size_t end = at;  // of the last of the capitals that may be a small letter too
  std::size_t i = at;
  for (;;) {
    const Character character = part_[i];
    if (!character.in(upper) || character.in(no_han)) break;
    i += character.size;
    if (character.in(lower)) end = i;
  }
  const std::size_t small = part_.run(i, lower, no_han);
  return small > i ? small : end;
}

template <WordRules rules>
std::size_t WordMatcher<rules>::capitals(std::size_t at) const {
  const std::size_t end = part_.run(at, upper, no_han);
  return end > at ? part_.run(end, lower, no_han) : at;
}

template <WordRules rules>
std::size_t WordMatcher<rules>::number(std::size_t at) const {
  for (int count = 0; count < rules.digits; ++count) {
    const Character digit = part_[at];
    if (!digit.in(character_set::number)) break;
    at += digit.size;
  }
  return at;
}

template <WordRules rules>
std::size_t WordMatcher<rules>::marks(std::size_t at, const Character& first) const {
  const bool space = part_.byte(at) == ' ';
  const std::size_t from = space ? at + 1 : at;
  const Character start = space ? part_[from] : first;
  if (!start.in(rules.marks)) return at;
  std::size_t end = part_.run(from + start.size, rules.marks);
  if constexpr (rules.closing == Closing::none) return end;
  constexpr bool slashes = rules.closing == Closing::line_breaks_and_slashes;
  while (line_break(part_.byte(end)) || (slashes && part_.byte(end) == '/')) ++end;
  return end;
}

/// Up to the last line break; else all but the last character where a word follows that it may
/// lead.
template <WordRules rules>
std::size_t WordMatcher<rules>::white_space(std::size_t at) {
  if (at >= plain_until_) {
    const std::size_t end = part_.run(at, white);
    if (rules.end_spaces && end == part_.size()) return end;
    if constexpr (rules.lines) {
      for (std::size_t i = end; i > at; --i) {
        if (line_break(part_.byte(i - 1))) return i;
      }
    }
    plain_until_ = end;
  }
  if constexpr (rules.halving) return half(at);
  if (plain_until_ == part_.size()) return plain_until_;
  std::size_t last = plain_until_ - 1;
  while ((part_.byte(last) & 0xC0) == 0x80) --last;
  return last > at ? last : plain_until_;
}

/// The longest of 512, 256, ... characters that leaves one of them to what follows.
template <WordRules rules>
std::size_t WordMatcher<rules>::half(std::size_t at) const {
  const bool last = plain_until_ == part_.size();  // nothing follows
  std::size_t best = at + part_[at].size;
  std::size_t count = 0;
  for (std::size_t i = at; count < 512 && i < plain_until_;) {
    i += part_[i].size;
    ++count;
    if (std::has_single_bit(count) && (i < plain_until_ || last)) best = i;
  }
  return best;
}

template <WordRules rules>
void append_pieces(std::string_view part, std::size_t offset, std::vector<std::size_t>& ends) {
  WordMatcher<rules>(part).append_pieces(offset, ends);
}

struct Known {
  std::string pattern;
  PatternMatcher matcher;
};

template <WordRules rules>
Known known() {
  return {normal_pattern(word_pattern(rules)), append_pieces<rules>};
}

constexpr WordRules folded(WordRules rules) {
  rules.contractions = Contractions::folded;
  return rules;
}

constexpr WordRules to_the_end(WordRules rules) {
  rules.end_spaces = true;
  return rules;
}

}  // namespace

PatternMatcher find_pattern_matcher(std::string_view pattern) {
  using namespace word_rules;
  static const std::vector<Known> all = {
      known<gpt2>(),
      known<to_the_end(gpt2)>(),
      known<llama3>(),
      known<jais2>(),
      known<folded(llama3)>(),
      known<qwen2>(),
      known<folded(qwen2)>(),
      known<qwen35>(),
      known<folded(qwen35)>(),
      known<o200k>(),
      known<folded(o200k)>(),
      known<youtu>(),
      known<folded(youtu)>(),
      known<tekken>(),
      known<kimi>(),
      known<deepseek3>(),
      known<seed_coder>(),
      known<folded(seed_coder)>(),
      known<to_the_end(folded(llama3))>(),
  };
  if (const PatternMatcher groups = find_digit_groups(pattern)) return groups;
  const std::string normal = normal_pattern(pattern);
  for (const Known& each : all) {
    if (each.pattern == normal) return each.matcher;
  }
  return nullptr;
}

}  // namespace lamina
