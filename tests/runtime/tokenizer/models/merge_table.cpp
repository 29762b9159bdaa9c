// Merges of a file: found by pair, refused where they cannot be meant.
#include "runtime/tokenizer/models/merge_table.h"

#include "lamina/core/error.h"
#include "tests/message_of.h"
#include "tests/runtime/tokenizer/made_vocabulary.h"

#include <boost/test/unit_test.hpp>

#include <span>
#include <string>
#include <vector>

using namespace lamina;
using lamina::test::MadeVocabulary;

namespace {

MadeVocabulary words() {
  MadeVocabulary made;
  for (const char* text : {"a", "b", "ab", "abb", " a", " ab", "<s>"}) made.add(text);
  made.types.back() = test::control;
  return made;
}

MergeTable table(const MadeVocabulary& made) {
  const Metadata metadata = made.metadata("gpt2");
  return MergeTable(read_merges(metadata, Vocabulary(metadata)));
}

std::string refusal(const std::string& merge) {
  MadeVocabulary made = words();
  made.merges = {"a b", merge};
  return test::message_of([&] { table(made); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(merge_table)

BOOST_AUTO_TEST_CASE(pairs_have_their_rank_and_result) {
  MadeVocabulary made = words();
  made.merges = {"ab b", "a b", " a b"};  // the last: the text " a", then "b"
  const MergeTable merges = table(made);
  BOOST_TEST(merges.find(2, 1)->rank == 0U);
  BOOST_TEST(merges.find(2, 1)->result == 3);
  BOOST_TEST(merges.find(0, 1)->rank == 1U);
  BOOST_TEST(merges.find(0, 1)->result == 2);
  BOOST_TEST(merges.find(4, 1)->result == 5);
  BOOST_TEST(!merges.find(1, 0).has_value());
  BOOST_TEST(!merges.find(-1, 0).has_value());
  BOOST_TEST(!merges.find(-1, -1).has_value());
  made.merges = {"a b", "ab b", "a b"};
  BOOST_TEST(table(made).find(0, 1)->rank == 2U);  // of a pair that occurs again the last counts
}

BOOST_AUTO_TEST_CASE(merges_may_be_given_as_tokens) {
  const MergeTable none(std::span<const PairMerge>{});
  BOOST_TEST(none.size() == 0U);
  BOOST_TEST(!none.find(0, 1).has_value());
  // Two pairs of one rank; a pair that occurs again.
  const std::vector<PairMerge> given = {{0, 1, 7, 5}, {1, 0, 7, 6}, {2, 2, 1, 8}, {2, 2, 3, 9}};
  const MergeTable merges(given);
  BOOST_TEST(merges.size() == 3U);
  BOOST_TEST(merges.find(0, 1)->rank == 7U);
  BOOST_TEST(merges.find(0, 1)->result == 5);
  BOOST_TEST(merges.find(1, 0)->rank == 7U);
  BOOST_TEST(merges.find(1, 0)->result == 6);
  BOOST_TEST(merges.find(2, 2)->rank == 3U);
  BOOST_TEST(merges.find(2, 2)->result == 9);
  BOOST_TEST(!merges.find(0, 2).has_value());
}

BOOST_AUTO_TEST_CASE(ranks_ascend_where_a_token_is_made_before_it_is_used) {
  const auto ascending = [](const std::vector<PairMerge>& given) {
    return MergeTable(given).ascending();
  };
  BOOST_TEST(ascending({}));
  BOOST_TEST(ascending({{0, 1, 0, 2}, {2, 1, 1, 3}}));
  BOOST_TEST(ascending({{2, 1, 1, 3}, {0, 1, 0, 2}}));  // the ranks count, not the order
  BOOST_TEST(!ascending({{0, 1, 1, 2}, {2, 1, 0, 3}}));
  BOOST_TEST(!ascending({{0, 1, 1, 2}, {1, 2, 1, 3}}));
  BOOST_TEST(!ascending({{0, 1, 0, 2}, {2, 1, 1, 3}, {1, 1, 2, 2}}));  // made once more, later
}

BOOST_AUTO_TEST_CASE(many_merges_are_all_found) {
  MadeVocabulary made;
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    if (i > 0) made.merges.push_back(text + " " + static_cast<char>('a' + i % 7));
    text += static_cast<char>('a' + i % 7);
    if (i > 6) made.add(text);
    if (i <= 6) made.add(std::string(1, static_cast<char>('a' + i)));
  }
  // The first seven prefixes are tokens too.
  for (std::size_t size = 2; size <= 7; ++size) made.add(text.substr(0, size));
  const Metadata metadata = made.metadata("gpt2");
  const Vocabulary vocabulary(metadata);
  const MergeTable merges(read_merges(metadata, vocabulary));
  int wrong = 0;
  for (std::size_t size = 1; size < text.size(); ++size) {
    const Token left = vocabulary.find(text.substr(0, size));
    const auto merge = merges.find(left, vocabulary.find(text.substr(size, 1)));
    wrong += !merge || merge->rank != size - 1 ||
             merge->result != vocabulary.find(text.substr(0, size + 1));
  }
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(malformed_merges_are_refused_by_key_and_index) {
  for (const char* merge : {"", "ab", "a ", " b", "a x", "x b", "b a", "ab  b"}) {
    const std::string message = refusal(merge);
    BOOST_TEST(test::contains(message, "tokenizer.ggml.merges[1]"), merge << ": " << message);
  }
  BOOST_TEST(test::contains(refusal("b a"), "no token is 'ba'"));
  const Metadata without({{"tokenizer.ggml.tokens", std::vector<std::string>{"a"}}});
  BOOST_CHECK_THROW(read_merges(without, Vocabulary(without)), Error);
}

BOOST_AUTO_TEST_CASE(no_merge_makes_a_control_token) {
  MadeVocabulary made = words();
  made.add("<");
  made.add("s>");
  made.merges = {"< s>"};
  BOOST_TEST(!table(made).find(7, 8).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
