// Counting digits, then cutting between them.
#include "runtime/tokenizer/patterns/digit_groups.h"

#include "runtime/unicode/classified_text.h"

namespace lamina {
namespace {

struct DigitRules {
  CharacterSet digits = 0;
  bool before_no_word = false;  // a word character behind the number leaves it alone
  bool places_only = false;     // the number itself is not cut out
};

constexpr DigitRules word_numbers{.digits = set_of(Category::Nd), .before_no_word = true};
constexpr DigitRules all_numbers{.digits = character_set::number};
constexpr DigitRules places{.digits = set_of(Category::Nd), .places_only = true};

template <DigitRules rules>
void append_groups(std::string_view part, std::size_t offset, std::vector<std::size_t>& ends) {
  const ClassifiedText text(part);
  std::size_t last = 0;
  const auto cut = [&](std::size_t at) {
    if (at == last) return;
    ends.push_back(offset + at);
    last = at;
  };
  for (std::size_t at = 0; at < part.size();) {
    std::size_t digits = 0;
    std::size_t end = at;
    for (; text[end].in(rules.digits); end += text[end].size) ++digits;
    if (digits == 0) {
      at += text[at].size;
      continue;
    }
    const bool word = end < part.size() && UnicodeClasses::instance().word(text[end].code);
    if (!(rules.before_no_word && word)) {
      if (!rules.places_only) cut(at);
      for (std::size_t i = at; i < end; i += text[i].size, --digits) {
        if (digits % 3 == 0) cut(i);
      }
      if (!rules.places_only) cut(end);
    }
    at = end;
  }
  cut(part.size());
}

}  // namespace

PatternMatcher find_digit_groups(std::string_view pattern) {
  if (pattern == R"(\d{1,3}(?=(?:\d{3})*\b))") return append_groups<word_numbers>;
  if (pattern == R"(\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N})))") return append_groups<all_numbers>;
  if (pattern == R"((?=(\d{3})+(?!\d)))") return append_groups<places>;
  return nullptr;
}

}  // namespace lamina
