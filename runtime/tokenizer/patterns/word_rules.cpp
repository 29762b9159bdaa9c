// From rules to a pattern, and from a pattern to its usual spelling.
#include "runtime/tokenizer/patterns/word_rules.h"

#include <array>
#include <cstddef>
#include <utility>

namespace lamina {
namespace {

using namespace character_set;

constexpr std::string_view small_contractions = "'s|'t|'re|'ve|'m|'ll|'d";
constexpr std::string_view ascii_contractions =
    "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])";
constexpr std::string_view folded_contractions = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";

std::string_view contractions(const WordRules& rules) {
  switch (rules.contractions) {
    case Contractions::none:
      return "";
    case Contractions::small:
      return small_contractions;
    case Contractions::ascii:
      return ascii_contractions;
    case Contractions::folded:
      return folded_contractions;
  }
  return "";
}

/// The properties whose categories are all in `set`.
std::string properties(CharacterSet set) {
  constexpr std::pair<std::string_view, CharacterSet> known[] = {
      {R"(\p{L})", letter},      {R"(\p{M})", mark},   {R"(\p{N})", number},
      {R"(\p{P})", punctuation}, {R"(\p{S})", symbol},
  };
  std::string text;
  for (const auto& [name, categories] : known) {
    if ((set & categories) == categories) text += name;
  }
  return text;
}

std::string one_of(CharacterSet set) {
  const bool negated = (set & other & ~white) != 0;
  if (negated) return R"([^\s)" + properties(~set) + "]";
  return set == letter ? properties(set) : "[" + properties(set) + "]";
}

std::string words(const WordRules& rules) {
  const std::string lead = R"([^\r\n)" + properties(rules.no_lead) + "]?";
  if (!rules.cased) return lead + one_of(rules.letters) + "+";
  const std::string no_han = rules.han_words ? R"(&&[^\p{Han}]])" : "]";
  const std::string upper = R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M})" + no_han;
  const std::string lower = R"([\p{Ll}\p{Lm}\p{Lo}\p{M})" + no_han;
  std::string end;
  if (rules.joined) end = std::string(contractions(rules)) + "?";
  return lead + upper + "*" + lower + "+" + end + "|" + lead + upper + "+" + lower + "*" + end;
}

std::string_view closing(Closing closing) {
  switch (closing) {
    case Closing::none:
      return "";
    case Closing::line_breaks:
      return R"([\r\n]*)";
    case Closing::line_breaks_and_slashes:
      return R"([\r\n/]*)";
  }
  return "";
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

void replace_end(std::string& text, std::string_view from, std::string_view to) {
  if (text.ends_with(from)) text.replace(text.size() - from.size(), from.size(), to);
}

}  // namespace

std::string word_pattern(const WordRules& rules) {
  std::string text;
  const auto add = [&](std::string_view alternative) {
    if (alternative.empty()) return;
    if (!text.empty()) text += '|';
    text += alternative;
  };
  if (rules.han_words) add(R"([\p{Han}]+)");
  if (!rules.joined) add(contractions(rules));
  if (rules.ascii_words) add(R"re([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+)re");
  add(rules.spaced ? " ?" + one_of(rules.letters) + "+" : words(rules));
  if (rules.spaced) add(R"( ?\p{N}+)");
  if (rules.digits == 1) add(R"(\p{N})");
  if (rules.digits > 1) add(R"(\p{N}{1,)" + std::to_string(rules.digits) + "}");
  add(" ?" + one_of(rules.marks) + "+" + std::string(closing(rules.closing)));
  if (rules.end_spaces) add(R"(\s+\z)");
  if (rules.lines) add(R"(\s*[\r\n]+)");
  if (rules.halving) {
    for (int size = 512; size > 2; size /= 2) add(R"(\s{)" + std::to_string(size) + R"(}(?!\S))");
    add(R"(\s{1,2}(?!\S)|\s{1})");
  } else {
    add(R"(\s+(?!\S)|\s+)");
  }
  return text;
}

std::string normal_pattern(std::string_view pattern) {
  std::string text(pattern);
  replace_all(text, "\r", R"(\r)");
  replace_all(text, "\n", R"(\n)");
  replace_all(text, R"('(?i:[sdmt]|ll|ve|re))", folded_contractions);
  replace_all(text, R"('(?:[sdmt]|ll|ve|re))", small_contractions);
  // Possessive quantifiers: what they do not give back would match nothing else here either.
  constexpr std::pair<std::string_view, std::string_view> possessive[] = {
      {"]?+", "]?"}, {"]*+", "]*"},       {"]++", "]+"},
      {"}++", "}+"}, {"{1,3}+", "{1,3}"}, {R"(\s++)", R"(\s+)"},
  };
  for (const auto& [from, to] : possessive) replace_all(text, from, to);
  replace_all(text, R"(\p{N}{1}|)", R"(\p{N}|)");
  replace_all(text, R"([^\s\p{L}\p{N}\r\n])", R"([^\s\p{L}\p{N}])");
  replace_all(text, R"(\s*[\r\n]|)", R"(\s*[\r\n]+|)");
  replace_end(text, R"(|\s+(?!\S))", R"(|\s+(?!\S)|\s+)");  // the rest is one character
  replace_end(text, R"(|\s+(?!\S)|\s)", R"(|\s+(?!\S)|\s+)");
  return text;
}

}  // namespace lamina
