// The best cut, by each original's rules, on vocabularies small enough to check by hand; the
// comparison with tokenizers is in tokenizers_models.cpp, that with sentencepiece in
// sentence_piece_model.cpp.
#include "runtime/tokenizer/models/unigram.h"

#include "lamina/core/error.h"
#include "tests/runtime/tokenizer/cpu_time.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace lamina;
using Tokens = std::vector<Token>;

namespace {

struct Entry {
  std::string text;
  double score = 0;
  TokenType type = TokenType::normal;
};

/// A vocabulary and its model, which stay together.
class Made {
 public:
  Made(const std::vector<Entry>& entries, UnigramOptions options)
      : vocabulary_(vocabulary(entries)), model_(vocabulary_, scores(entries), options) {}
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;

  Tokens operator()(std::string_view text) const {
    Tokens out;
    model_.encode(text, out);
    return out;
  }

 private:
  static Vocabulary vocabulary(const std::vector<Entry>& entries) {
    std::vector<std::string_view> texts;
    std::vector<TokenType> types;
    for (const Entry& entry : entries) {
      texts.push_back(entry.text);
      types.push_back(entry.type);
    }
    return Vocabulary("test", texts, types, {});
  }
  static std::vector<double> scores(const std::vector<Entry>& entries) {
    std::vector<double> all;
    for (const Entry& entry : entries) all.push_back(entry.score);
    return all;
  }

  Vocabulary vocabulary_;
  Unigram model_;
};

const Entry unknown{"<unk>", 0, TokenType::unknown};

std::vector<Entry> with_bytes(std::vector<Entry> entries) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (std::size_t byte = 0; byte < 256; ++byte) {
    entries.push_back(
        {std::string("<0x") + digits[byte / 16] + digits[byte % 16] + ">", 0, TokenType::byte});
  }
  return entries;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unigram)

BOOST_AUTO_TEST_CASE(the_highest_sum_of_scores_wins) {
  // The example in huggingface/tokenizers, models/unigram/model.rs.
  const std::vector<Entry> entries{unknown,   {"a", 0},  {"b", 0},   {"c", 0},     {"d", 0},
                                   {"cd", 1}, {"ab", 2}, {"abc", 5}, {"abcd", 10}, {"zz", 0}};
  for (const auto rules :
       {UnigramRules::tokenizers, UnigramRules::sentence_piece, UnigramRules::gguf}) {
    const Made model(entries, {0, false, rules});
    BOOST_TEST(model("abcd") == Tokens{8}, boost::test_tools::per_element());
    BOOST_TEST(model("abcdacdxx") == (Tokens{8, 1, 5, 0}), boost::test_tools::per_element());
    BOOST_TEST(model("zzaz") == (Tokens{9, 1, 0}), boost::test_tools::per_element());
    BOOST_TEST(model("xyza") == (Tokens{0, 1}), boost::test_tools::per_element());
    BOOST_TEST(model("axbyc") == (Tokens{1, 0, 2, 0, 3}), boost::test_tools::per_element());
    BOOST_TEST(model("").empty());
  }
}

BOOST_AUTO_TEST_CASE(of_equal_sums_the_first_found_wins) {
  // "abc" as a + bc or ab + c: the place 3 is reached first from 1, by bc.
  const std::vector<Entry> entries{unknown,    {"a", -1},  {"b", -9}, {"c", -1},
                                   {"ab", -2}, {"bc", -2}, {"é", -1}};
  for (const auto rules : {UnigramRules::tokenizers, UnigramRules::sentence_piece}) {
    BOOST_TEST(Made(entries, {0, false, rules})("abc") == (Tokens{1, 5}),
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(sums_are_rounded_as_in_the_originals) {
  // As doubles a + bc is less than ab + c by 1e-7; as floats both are -16777220.
  const std::vector<Entry> entries{unknown,          {"a", -16777216},  {"b", -99999999},
                                   {"c", -4 + 1e-7}, {"ab", -16777216}, {"bc", -4}};
  BOOST_TEST(Made(entries, {0, false, UnigramRules::tokenizers})("abc") == (Tokens{4, 3}),
             boost::test_tools::per_element());
  BOOST_TEST(Made(entries, {0, false, UnigramRules::sentence_piece})("abc") == (Tokens{1, 5}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(user_defined_tokens_score_by_their_length) {
  // The sum of a, b and c is 0.1: less than the 0.2 of three bytes in sentencepiece, more than the
  // 0 of GGUF.
  const std::vector<Entry> entries{
      unknown, {"a", 0.05}, {"b", 0.03}, {"c", 0.02}, {"abc", -50, TokenType::user_defined}};
  BOOST_TEST(Made(entries, {0, false, UnigramRules::sentence_piece})("abc") == Tokens{4},
             boost::test_tools::per_element());
  BOOST_TEST(Made(entries, {0, false, UnigramRules::gguf})("abc") == (Tokens{1, 2, 3}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(sums_begin_anew_in_sentencepiece_where_they_are_large) {
  // ab + c is better than a + bc by 2^-8, which a float loses beside 200000, but not after a reset.
  const std::vector<Entry> entries{unknown,   {"x", -200000},      {"a", -1}, {"b", -1},
                                   {"c", -1}, {"ab", -0.99609375}, {"bc", -1}};
  const Made sentence_piece(entries, {0, false, UnigramRules::sentence_piece});
  BOOST_TEST(sentence_piece("xabc") == (Tokens{1, 5, 4}), boost::test_tools::per_element());
  BOOST_TEST(sentence_piece("abcx") == (Tokens{5, 4, 1}), boost::test_tools::per_element());
  BOOST_TEST(Made(entries, {0, false, UnigramRules::gguf})("xabc") == (Tokens{1, 2, 6}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(types_tell_what_is_found) {
  const std::vector<Entry> entries{unknown,
                                   {"a", -1},
                                   {"aa", -1, TokenType::unused},
                                   {"<s>", -1, TokenType::control},
                                   {"<", -1},
                                   {"s", -1},
                                   {">", -1}};
  const Made sentence_piece(entries, {0, false, UnigramRules::sentence_piece});
  BOOST_TEST(sentence_piece("aa") == (Tokens{1, 1}), boost::test_tools::per_element());
  BOOST_TEST(sentence_piece("<s>") == (Tokens{4, 5, 6}), boost::test_tools::per_element());
  const Made tokenizers(entries, {0, false, UnigramRules::tokenizers});
  BOOST_TEST(tokenizers("aa") == Tokens{2}, boost::test_tools::per_element());
  BOOST_TEST(tokenizers("<s>") == (Tokens{4, 5, 6}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(unknown_characters_become_bytes_where_there_are_tokens_for_them) {
  const auto entries = with_bytes({unknown, {"a", -1}});
  for (const auto rules : {UnigramRules::tokenizers, UnigramRules::gguf}) {
    const Made model(entries, {0, true, rules});
    BOOST_TEST(model("aé\xFF") == (Tokens{1, 2 + 0xC3, 2 + 0xA9, 2 + 0xFF}),
               boost::test_tools::per_element());
    const Made without(entries, {0, false, rules});
    BOOST_TEST(without("aéü") == (Tokens{1, 0}), boost::test_tools::per_element());
  }
  std::vector<Entry> few = entries;
  few.erase(few.begin() + 2 + 0xA9);  // the second byte of é
  BOOST_TEST(Made(few, {0, true, UnigramRules::tokenizers})("\x7F"
                                                            "aé") == (Tokens{2 + 0x7F, 1, 0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(tokenizers_looks_a_run_of_unknown_characters_up_again) {
  // Scores above 10 make two unknown characters better than the token of both.
  const std::vector<Entry> entries{unknown, {"a", 90}, {"xy", 95}};
  BOOST_TEST(Made(entries, {0, false, UnigramRules::tokenizers})("axy") == (Tokens{1, 2}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(tokens_beyond_the_model_are_never_found) {
  const std::vector<std::string_view> texts{"a", "b", "ab"};
  const Vocabulary vocabulary("test", texts, {}, {});
  const Unigram model(vocabulary, std::vector<double>{-1, -1}, {});
  Tokens out;
  model.encode("ab", out);
  BOOST_TEST(out == (Tokens{0, 1}), boost::test_tools::per_element());
  BOOST_CHECK_THROW(Unigram(vocabulary, std::vector<double>(4), {}), Error);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_encoded_is_refused) {
  const Made model({{"a", -1}}, {});
  BOOST_TEST(model("aa") == (Tokens{0, 0}), boost::test_tools::per_element());
  BOOST_CHECK_EXCEPTION(model("ab"), Error, [](const Error& error) {
    return std::string_view(error.what()).find("'b'") != std::string_view::npos;
  });
}

BOOST_AUTO_TEST_CASE(a_long_piece_takes_linear_time) {
  const Made model({unknown, {"a", -1}, {"aa", -1.5}, {std::string(16, 'a'), -3}}, {0});
  const std::string text(1 << 20, 'a');
  const test::CpuTime time;
  BOOST_TEST(model(text).size() == text.size() / 16);
  BOOST_TEST(time.seconds() < test::limit(1.0));
}

BOOST_AUTO_TEST_SUITE_END()
