// A text is never cut where one of the tokens lies in it.
#include "runtime/tokenizer/models/character_pairs.h"

#include "runtime/unicode/utf8.h"
#include "tests/runtime/tokenizer/seed.h"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>
#include <vector>

using namespace lamina;

namespace {

CharacterPairs pairs_of(const std::vector<std::string>& tokens) {
  CharacterPairs pairs(tokens.size());
  for (const std::string& token : tokens) pairs.add(token);
  return pairs;
}

/// The parts with bars between them; those that are not whole in brackets.
std::string parts(const CharacterPairs& pairs, std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const CharacterPairs::Part part = pairs.first_part(text);
    if (!out.empty()) out += '|';
    const std::string bytes(text.substr(0, part.size));
    out += part.whole ? bytes : "[" + bytes + "]";
    text.remove_prefix(part.size);
  }
  return out;
}

std::string random_bytes(std::mt19937& random, std::size_t characters) {
  static const char* const some[] = {"a",  "b",  "c", " ",    "é",   "中",
                                     "文", "丮", "😀", "\xE4", "\xB8"};
  std::string bytes;
  while (characters-- > 0) bytes += some[random() % std::size(some)];
  return bytes;
}

bool continues(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(character_pairs)

BOOST_AUTO_TEST_CASE(a_text_is_cut_between_characters_of_no_token) {
  BOOST_TEST(parts(pairs_of({"ab", "bc"}), "abcabba") == "abc|ab|b|a");
  BOOST_TEST(parts(pairs_of({"中文", "a中"}), "中文文中a中") == "中文|文|中|a中");
  BOOST_TEST(parts(pairs_of({"abc"}), "aabc") == "a|abc");
  BOOST_TEST(parts(pairs_of({}), "ab中") == "a|b|中");
  // A token that begins or ends within a character.
  BOOST_TEST(parts(pairs_of({"\xAD\xE6"}), "中文ab") == "[中文]|a|b");
  BOOST_TEST(parts(pairs_of({"\xAD"}), "中文") == "中|文");
  // Ill-formed text is not cut.
  BOOST_TEST(parts(pairs_of({}), "a\xFFz") == "[a\xFFz]");
  BOOST_TEST(parts(pairs_of({}), "\xE4\xB8") == "[\xE4\xB8]");
}

BOOST_AUTO_TEST_CASE(no_token_is_cut) {
  std::mt19937 random(test::seed());
  int cut = 0;
  int not_whole = 0;
  int parts_seen = 0;
  for (int round = 0; round < 40000; ++round) {
    std::vector<std::string> tokens(1 + random() % 6);
    for (std::string& token : tokens) token = random_bytes(random, 1 + random() % 3);
    for (std::string& token : tokens) token = token.substr(random() % token.size());
    const CharacterPairs pairs = pairs_of(tokens);
    const std::string text = random_bytes(random, 1 + random() % 12);
    for (std::size_t begin = 0; begin < text.size();) {
      const CharacterPairs::Part part = pairs.first_part(std::string_view(text).substr(begin));
      const std::size_t end = begin + part.size;
      ++parts_seen;
      for (const std::string& token : tokens) {
        for (std::size_t at = text.find(token); at != std::string::npos;
             at = text.find(token, at + 1)) {
          const std::size_t behind = at + token.size();
          cut += at < end && end < behind;
          if (!part.whole || at < begin || behind > end || token.size() == 1) continue;
          // In a whole part what spans two characters spans all of them.
          const bool one_character = character_length(text.substr(at)) >= token.size();
          bool inner = true;
          for (std::size_t i = at + 1; i < behind; ++i) inner = inner && continues(text, i);
          not_whole += !one_character && !inner && (continues(text, at) || continues(text, behind));
        }
      }
      begin = end;
    }
  }
  BOOST_TEST(cut == 0);
  BOOST_TEST(not_whole == 0);
  BOOST_TEST(parts_seen > 40000);
}

BOOST_AUTO_TEST_SUITE_END()
