// WordRules: what tells the patterns by which large models cut text into words from each other.
//
// All of them are alternatives in the same order: a contraction ('s 't 're 've 'm 'll 'd), a word,
// a number, punctuation, line breaks, other white space (openai/gpt-2, encoder.py; openai/tiktoken,
// openai_public.py; the tokenizer.json files of the models).
#pragma once

#include "runtime/unicode/unicode_classes.h"

#include <string>
#include <string_view>

namespace lamina {

/// How contractions are spelled: small letters, any ASCII letters, or those and U+017F, a long s.
enum class Contractions { none, small, ascii, folded };

/// What may follow punctuation and belongs to it.
enum class Closing { none, line_breaks, line_breaks_and_slashes };

struct WordRules {
  Contractions contractions = Contractions::ascii;
  bool joined = false;       // a contraction belongs to the word before it
  bool spaced = false;       // words and numbers may begin with a space, and with nothing else
  bool cased = false;        // capitals come before small letters
  bool ascii_words = false;  // ASCII letters may follow one ASCII punctuation mark
  bool han_words = false;    // Han characters are words of their own
  bool end_spaces = false;   // white space at the end of the text is one piece
  CharacterSet letters = character_set::letter;  // of words
  // A word may begin with one character that is no line break and not among these.
  CharacterSet no_lead = character_set::letter | character_set::number;
  CharacterSet marks = ~(character_set::white | character_set::letter | character_set::number |
                         character_set::han);  // punctuation, in the widest sense
  int digits = 0;  // the most in a number; 0: numbers are in no piece of their own; -1: any
  Closing closing = Closing::line_breaks;
  bool halving = false;  // other white space is cut into powers of two, at most 512 characters
  bool lines = true;     // white space up to a line break is a piece
};

namespace word_rules {
using namespace character_set;

inline constexpr WordRules gpt2{.contractions = Contractions::small,
                                .spaced = true,
                                .digits = -1,
                                .closing = Closing::none,
                                .lines = false};
inline constexpr WordRules llama3{.digits = 3};
inline constexpr WordRules jais2{.digits = 3, .halving = true};
inline constexpr WordRules qwen2{.digits = 1};
inline constexpr WordRules qwen35{
    .letters = letter | mark, .marks = WordRules{}.marks & ~mark, .digits = 1};
inline constexpr WordRules o200k{
    .joined = true, .cased = true, .digits = 3, .closing = Closing::line_breaks_and_slashes};
inline constexpr WordRules youtu{
    .joined = true, .cased = true, .digits = 1, .closing = Closing::line_breaks_and_slashes};
inline constexpr WordRules tekken{.contractions = Contractions::none,
                                  .cased = true,
                                  .digits = 1,
                                  .closing = Closing::line_breaks_and_slashes};
inline constexpr WordRules kimi{.contractions = Contractions::folded,
                                .joined = true,
                                .cased = true,
                                .han_words = true,
                                .digits = 3};
inline constexpr WordRules deepseek3{.contractions = Contractions::none,
                                     .ascii_words = true,
                                     .letters = letter | mark,
                                     .no_lead = letter | punctuation | symbol,
                                     .marks = punctuation | symbol};
inline constexpr WordRules seed_coder{.digits = 1, .closing = Closing::none};
}  // namespace word_rules

/// The pattern that says the same, in the spelling that normal_pattern gives.
std::string word_pattern(const WordRules& rules);

/// Spells what the published patterns spell in several ways in one: equal results mean equal pieces
/// where one of them is a word_pattern.
std::string normal_pattern(std::string_view pattern);

}  // namespace lamina
