// The trie against a search through all texts.
#include "runtime/tokenizer/byte_trie.h"

#include "tests/runtime/tokenizer/seed.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace lamina;

namespace {

/// Tokens of all prefixes of `text`, the shortest first.
std::vector<Token> prefixes(const ByteTrie& trie, std::string_view text) {
  std::vector<Token> found;
  ByteTrie::Node node = ByteTrie::root;
  for (const char byte : text) {
    node = trie.next(node, byte);
    if (node == ByteTrie::none) break;
    if (trie.token(node) >= 0) found.push_back(trie.token(node));
  }
  return found;
}

std::string random_bytes(std::mt19937& random, int letters, std::size_t longest) {
  std::string text(random() % (longest + 1), '\0');
  for (char& byte : text) byte = static_cast<char>(static_cast<int>(random()) % letters);
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(byte_trie)

BOOST_AUTO_TEST_CASE(every_prefix_that_is_a_text_is_found) {
  ByteTrie trie;
  trie.insert("a", 0);
  trie.insert("ab", 1);
  trie.insert("abcd", 2);
  trie.insert("", 3);    // left out
  trie.insert("ab", 4);  // the first stays
  trie.insert(std::string_view("\0\xFF", 2), 5);
  BOOST_TEST(prefixes(trie, "abcde") == (std::vector<Token>{0, 1, 2}),
             boost::test_tools::per_element());
  BOOST_TEST(prefixes(trie, "abc") == (std::vector<Token>{0, 1}), boost::test_tools::per_element());
  BOOST_TEST(prefixes(trie, "b").empty());
  BOOST_TEST(prefixes(trie, std::string_view("\0\xFF", 2)) == std::vector<Token>{5},
             boost::test_tools::per_element());
  BOOST_TEST(trie.token(ByteTrie::root) == -1);
  BOOST_TEST(trie.token(trie.walk(ByteTrie::root, "abcd")) == 2);
  BOOST_TEST(trie.walk(ByteTrie::root, "abd") == ByteTrie::none);
  BOOST_TEST(trie.walk(ByteTrie::root, "x, which nothing begins with") == ByteTrie::none);
}

BOOST_AUTO_TEST_CASE(random_texts_are_found_and_no_others) {
  std::mt19937 random(test::seed());
  for (const int letters : {2, 3, 256}) {
    ByteTrie trie;
    std::map<std::string, Token> known;
    for (Token token = 0; token < 3000; ++token) {
      const std::string text = random_bytes(random, letters, 12);
      trie.insert(text, token);
      if (!text.empty()) known.emplace(text, token);
    }
    for (int i = 0; i < 3000; ++i) {
      const std::string text = random_bytes(random, letters, 16);
      std::vector<Token> expected;
      for (std::size_t size = 1; size <= text.size(); ++size) {
        const auto found = known.find(text.substr(0, size));
        if (found != known.end()) expected.push_back(found->second);
      }
      BOOST_TEST_REQUIRE((prefixes(trie, text) == expected));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
