// What was encoded once comes back unchanged, to its owner only.
#include "runtime/tokenizer/models/word_cache.h"

#include "tests/runtime/tokenizer/seed.h"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace lamina;

namespace {

/// As many tokens as the word says, made from its bytes and its owner.
std::vector<Token> tokens_of(WordCache::Owner owner, std::string_view word) {
  std::vector<Token> tokens;
  Token sum = static_cast<Token>(owner);
  for (const char byte : word) {
    sum = (sum * 257 + static_cast<unsigned char>(byte)) % 1000003;
    if (byte % 3 == 0) tokens.push_back(sum);
  }
  return tokens;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(word_cache)

BOOST_AUTO_TEST_CASE(words_keep_their_tokens) {
  std::mt19937 random(test::seed());
  WordCache cache;
  const WordCache::Owner owners[] = {WordCache::new_owner(), WordCache::new_owner()};
  int wrong = 0;
  for (int round = 0; round < 200000; ++round) {
    std::string word(random() % 34, '\0');
    for (char& byte : word) byte = static_cast<char>(random() % 3);
    const WordCache::Owner owner = owners[random() % 2];
    std::vector<Token> out = {-5};
    cache.append(owner, word, out, [&](std::string_view asked, std::vector<Token>& tokens) {
      wrong += asked != word;
      for (const Token token : tokens_of(owner, word)) tokens.push_back(token);
    });
    std::vector<Token> expected = tokens_of(owner, word);
    expected.insert(expected.begin(), -5);
    wrong += out != expected;
  }
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(a_short_word_of_few_tokens_is_encoded_once) {
  WordCache cache;
  const WordCache::Owner owner = WordCache::new_owner();
  BOOST_TEST(owner != 0U);
  int asked = 0;
  const auto encode = [&](std::string_view word, std::vector<Token>& out) {
    ++asked;
    out.insert(out.end(), word.size() / 4, 7);
  };
  std::vector<Token> out;
  for (int i = 0; i < 3; ++i) cache.append(owner, std::string(31, 'a'), out, encode);
  BOOST_TEST(asked == 1);
  BOOST_TEST(out == std::vector<Token>(21, 7), boost::test_tools::per_element());
  for (int i = 0; i < 3; ++i) cache.append(owner, "non", out, encode);  // no tokens: known too
  BOOST_TEST(asked == 2);
  for (int i = 0; i < 3; ++i) cache.append(owner, std::string(32, 'a'), out, encode);
  BOOST_TEST(asked == 5);
  const auto many = [&](std::string_view, std::vector<Token>& tokens) {
    ++asked;
    tokens.insert(tokens.end(), 8, 7);
  };
  for (int i = 0; i < 3; ++i) cache.append(owner, "many", out, many);
  BOOST_TEST(asked == 8);
}

BOOST_AUTO_TEST_CASE(owners_do_not_see_the_words_of_others) {
  WordCache cache;
  int wrong = 0;
  for (int i = 0; i < 20000; ++i) {  // more than there are places
    std::vector<Token> out;
    cache.append(WordCache::new_owner(), "word", out,
                 [&](std::string_view, std::vector<Token>& tokens) { tokens.push_back(i); });
    wrong += out != std::vector<Token>{i};
  }
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(each_thread_has_its_own) {
  WordCache* const mine = &WordCache::of_this_thread();
  BOOST_TEST(mine == &WordCache::of_this_thread());
  WordCache* other = nullptr;
  std::thread([&] { other = &WordCache::of_this_thread(); }).join();
  BOOST_TEST(mine != other);
}

BOOST_AUTO_TEST_SUITE_END()
