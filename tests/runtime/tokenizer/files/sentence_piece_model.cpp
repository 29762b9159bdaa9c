// Models of every type against the PyPI package `sentencepiece`, and files that are damaged or ask
// for what is not supported.
// Covers runtime/tokenizer/steps/sentence_piece_text.h.
//
// The comparison runs where $LAMINA_PYTHON (default: python3) can import sentencepiece.
#include "runtime/tokenizer/files/sentence_piece_model.h"

#include "lamina/core/error.h"
#include "runtime/tokenizer/steps/sentence_piece_text.h"
#include "runtime/tokenizer/tokenizer.h"
#include "runtime/unicode/utf8.h"
#include "tests/message_of.h"
#include "tests/runtime/tokenizer/python_oracle.h"
#include "tests/runtime/tokenizer/seed.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace lamina;
using Tokens = std::vector<Token>;

namespace {

// The fields of a protocol buffer.
std::string varint(std::uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(0x80 | (value & 0x7F));
  return out + static_cast<char>(value);
}
std::string integer(std::uint64_t number, std::uint64_t value) {
  return varint(number << 3) + varint(value);
}
std::string message(std::uint64_t number, std::string_view bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + std::string(bytes);
}
std::string score(std::uint64_t number, float value) {
  std::string out = varint(number << 3 | 5);
  for (std::uint32_t bits = std::bit_cast<std::uint32_t>(value), i = 0; i < 4; ++i, bits >>= 8) {
    out += static_cast<char>(bits & 0xFF);
  }
  return out;
}

enum Type : std::uint64_t { normal = 1, unknown, control, user_defined, unused, byte };
enum Kind : std::uint64_t { unigram = 1, bpe, word, character };

std::string piece(std::string_view text, float value, std::uint64_t type = normal) {
  return message(1, message(1, text) + score(2, value) + integer(3, type));
}
std::string trainer(Kind kind, const std::string& more = "") {
  return message(2, integer(3, kind) + more);
}

/// Pieces of a small model: <unk> 0, <s> 1, </s> 2, then a, b, ab, bc, c and more.
std::string small_pieces() {
  return piece("<unk>", 0, unknown) + piece("<s>", 0, control) + piece("</s>", 0, control) +
         piece("a", -1) + piece("b", -3) + piece("ab", -2) + piece("bc", -1.5F) + piece("c", -4) +
         piece("▁", -2) + piece("▁a", -2.5F) + piece("<x>", 0, user_defined);
}

std::string byte_pieces() {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (std::size_t i = 0; i < 256; ++i) {
    out += piece(std::string("<0x") + digits[i / 16] + digits[i % 16] + ">", 0, byte);
  }
  return out;
}

Tokenizer made(const std::string& bytes) {
  return Tokenizer(read_sentence_piece_model(bytes, "tokenizer.model"));
}

/// What is wrong with the file.
std::string refusal(const std::string& bytes) {
  return test::message_of([&] { read_sentence_piece_model(bytes, "tokenizer.model"); });
}

/// Reads a file that may be damaged and, where it is read all the same, uses it.
void survive(const std::string& bytes) {
  try {
    const Tokenizer tokenizer = made(bytes);
    const Tokens tokens = tokenizer.encode(" abc  <x>▁\xFF\n");
    tokenizer.decode(tokens);
  } catch (const Error&) {
  }
}

/// Bytes that are no UTF-8 as sentencepiece writes them, while Tokenizer keeps them.
std::string with_replacements(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = well_formed_length(text.substr(at));
    out += length > 0 ? text.substr(at, length) : "\xEF\xBF\xBD";
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

/// Compares one model of the script with sentencepiece; counts what differs.
int differences(test::PythonOracle& oracle, const Tokenizer& tokenizer) {
  int wrong = 0;
  const auto check = [&](bool equal, const std::string& what) {
    if (!equal && ++wrong <= 3) BOOST_TEST_MESSAGE(what.substr(0, 200));
  };
  const std::uint32_t texts = oracle.number();
  BOOST_TEST(texts > 1000U);
  for (std::uint32_t i = 0; i < texts; ++i) {
    const std::string text = oracle.text();
    const Tokens tokens = oracle.tokens();
    check(tokenizer.encode(text, {.parse_special = false}) == tokens, "encoding " + text);
    const std::string decoded = oracle.text();
    check(tokenizer.decode(tokens) == decoded, "decoding to " + decoded);
  }
  const std::uint32_t lists = oracle.number();
  for (std::uint32_t i = 0; i < lists; ++i) {
    const Tokens tokens = oracle.tokens();
    const std::string decoded = oracle.text();
    check(with_replacements(tokenizer.decode(tokens)) == decoded, "random tokens to " + decoded);
  }
  return wrong;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sentence_piece_model)

BOOST_AUTO_TEST_CASE(tokens_and_texts_equal_those_of_sentencepiece) {
  auto oracle = test::python_oracle("sentence_piece_oracle.py", "sentencepiece");
  if (!oracle) return;
  const std::uint32_t models = oracle->number();
  BOOST_TEST(models >= 14U);
  for (std::uint32_t m = 0; m < models; ++m) {
    const std::string description = oracle->text();
    const Tokenizer tokenizer(read_sentence_piece_model(oracle->text(), "model"));
    BOOST_TEST(tokenizer.bos() == static_cast<Token>(oracle->number()), description);
    BOOST_TEST(tokenizer.eos() == static_cast<Token>(oracle->number()), description);
    BOOST_TEST(tokenizer.padding() == static_cast<Token>(oracle->number()), description);
    const int wrong = differences(*oracle, tokenizer);
    BOOST_TEST(wrong == 0, description << ": " << wrong << " differ");
  }
  BOOST_TEST(oracle->at_end());
}

BOOST_AUTO_TEST_CASE(each_type_of_model_encodes_by_its_own_rule) {
  // "▁abc": by sums ▁a + bc is best; by merges bc (-1.5) comes first, then ▁a; characters merge
  // never; the whole word is unknown.
  const std::string pieces = small_pieces();
  BOOST_TEST(made(pieces + trainer(unigram)).encode("abc") == (Tokens{9, 6}),
             boost::test_tools::per_element());
  BOOST_TEST(made(pieces).encode("abc") == (Tokens{9, 6}), boost::test_tools::per_element());
  BOOST_TEST(made(pieces + trainer(bpe)).encode("abc") == (Tokens{9, 6}),
             boost::test_tools::per_element());
  BOOST_TEST(made(pieces + trainer(bpe)).encode("bab") == (Tokens{8, 4, 5}),
             boost::test_tools::per_element());
  BOOST_TEST(made(pieces + trainer(word)).encode("abc x a") == (Tokens{0, 9}),
             boost::test_tools::per_element());
  const std::string characters = piece("<unk>", 0, unknown) + piece("a", -1) + piece("▁", -2) +
                                 piece("xy", -9, user_defined) + trainer(character);
  // A user-defined piece is found before anything merges.
  const std::string found = piece("<unk>", 0, unknown) + piece("a", -1) + piece("ab", -1) +
                            piece("bc", -9, user_defined) + trainer(bpe);
  BOOST_TEST(made(found).encode("abc") == (Tokens{0, 1, 3}), boost::test_tools::per_element());
  BOOST_TEST(made(characters).encode("aaxya zz") == (Tokens{2, 1, 1, 3, 1, 2, 0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(special_pieces_are_read) {
  const Tokenizer tokenizer = made(small_pieces() + trainer(bpe));
  BOOST_TEST(tokenizer.bos() == 1);
  BOOST_TEST(tokenizer.eos() == 2);
  BOOST_TEST(tokenizer.padding() == -1);
  BOOST_TEST(tokenizer.is_end(2));
  BOOST_TEST(tokenizer.encode("a</s>") == (Tokens{9, 2}), boost::test_tools::per_element());
  BOOST_TEST(tokenizer.decode(Tokens{1, 9, 6, 0, 10, 2}) == "abc \u2047 <x>");
  const Tokenizer renamed =
      made(small_pieces() + trainer(bpe, message(46, "</s>") + message(47, "a") +
                                             message(48, "<s>") + message(44, "?")));
  BOOST_TEST(renamed.bos() == 2);
  BOOST_TEST(renamed.eos() == -1);  // not of type control
  BOOST_TEST(renamed.padding() == 1);
  BOOST_TEST(renamed.decode(Tokens{0}) == "?");
}

BOOST_AUTO_TEST_CASE(bytes_stand_for_characters_without_a_piece) {
  for (const Kind kind : {unigram, bpe}) {
    const Tokenizer tokenizer =
        made(small_pieces() + byte_pieces() + trainer(kind, integer(35, 1)));
    const Tokens tokens = tokenizer.encode("aé\xFF");
    BOOST_TEST(tokens == (Tokens{9, 11 + 0xC3, 11 + 0xA9, 11 + 0xFF}),
               boost::test_tools::per_element());
    BOOST_TEST(tokenizer.decode(tokens) == "aé\xFF");
  }
  // Then there need be no unknown piece.
  const Tokenizer without = made(piece("a", -1) + byte_pieces() + trainer(unigram, integer(35, 1)));
  BOOST_TEST(without.encode("ab") == (Tokens{1 + 0xE2, 1 + 0x96, 1 + 0x81, 0, 1 + 'b'}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(spaces_are_rewritten_as_the_file_says) {
  const auto rewritten = [](SentencePieceNormalizer rules, std::string_view text) {
    return SentencePieceRewriter(rules).apply(text);
  };
  BOOST_TEST(rewritten({}, "  a  b ") == "▁a▁b");
  BOOST_TEST(rewritten({}, "   ") == "");
  BOOST_TEST(rewritten({}, "") == "");
  BOOST_TEST(rewritten({"", true, false, false, {}}, " a  b ") == "▁▁a▁▁b▁");
  BOOST_TEST(rewritten({"", false, false, false, {}}, " a") == "▁a");
  BOOST_TEST(rewritten({"", true, true, true, {}}, " a  b ") == "a▁b▁");
  BOOST_TEST(rewritten({"", true, true, false, {"b  c"}}, "a b  c") == "▁a▁b▁▁c");
  BOOST_TEST(rewritten({}, "a\xFF b") == "▁a\xFF▁b");
  BOOST_CHECK_THROW(rewritten({"abc", true, true, false, {}}, "a"), Error);
}

BOOST_AUTO_TEST_CASE(pieces_are_joined_as_the_file_says) {
  const auto joined = [](const SentencePieceDecoder& rules, std::vector<std::string> texts,
                         bool keep_invalid = false) {
    join_sentence_pieces(rules, texts, keep_invalid);
    BOOST_TEST(texts.size() == 1U);
    return texts.front();
  };
  const std::vector<std::string> texts{"▁", "▁▁a", "<0xC3>", "<0xA9>", "<0xFF>", "▁b", "<u>"};
  BOOST_TEST(joined({true, true, true, "<u>", "?"}, texts) == " aé\uFFFD b?");
  BOOST_TEST(joined({true, true, true, "<u>", "?"}, texts, true) == " aé\xFF b?");
  BOOST_TEST(joined({true, false, true, "<u>", "?"}, texts) == "  aé\uFFFD b?");
  BOOST_TEST(joined({false, false, true, "", ""}, texts) == "   aé\uFFFD b<u>");
  BOOST_TEST(joined({true, false, false, "", ""}, {"▁<0x41>", "<0x4a>"}) == "<0x41><0x4a>");
  BOOST_TEST(joined({true, false, true, "", ""}, {"<0x4a>", "<0x4A>"}) == "<0x4a>J");
  BOOST_TEST(joined({}, {}) == "");
}

BOOST_AUTO_TEST_CASE(what_is_not_supported_is_refused_by_name) {
  const std::string pieces = small_pieces();
  const std::pair<std::string, std::string_view> cases[] = {
      {"", "has no pieces"},
      {"{\"model\": 1}", "tokenizer.model: "},
      {pieces + trainer(static_cast<Kind>(5)), "trainer_spec.model_type is 5"},
      {pieces + message(3, integer(5, 0)), "normalizer_spec.escape_whitespaces is false"},
      {pieces + message(5, message(2, "rules")), "denormalizer_spec.precompiled_charsmap"},
      {pieces + piece("u", -1, unused) + trainer(bpe), "piece 11 is of type UNUSED"},
      {pieces + piece("v", -1, unknown), "two unknown pieces, 0 and 11"},
      {piece("a", -1), "no piece of type UNKNOWN"},
      {pieces + piece("ab", -1), "'ab' twice, as pieces 5 and 11"},
      {pieces + piece("x", -1, 7), "pieces[11]: type is 7"},
      {pieces + piece("", -1), "pieces[11] has no text"},
      {pieces + piece("<0x41>", 0, byte), "has 1 byte pieces, expected 0"},
      {pieces + piece("<0x41>", 0, byte) + trainer(bpe, integer(35, 1)), "expected 256"},
      {pieces + piece("<0xG1>", 0, byte), "<0xG1>"},
      {pieces + byte_pieces() + trainer(word, integer(35, 1)), "byte_fallback is not supported"},
      {pieces + piece("nan", std::bit_cast<float>(0x7FC00000)), "NaN"},
      {pieces + integer(1, 3), "pieces has the wire type 0"},
  };
  for (const auto& [bytes, part] : cases) {
    const std::string said = refusal(bytes);
    BOOST_TEST(test::contains(said, part), said << " should contain " << part);
    BOOST_TEST(test::contains(said, "tokenizer.model"), said);
  }
  // What only says how the model was trained is passed over.
  BOOST_TEST(
      refusal(pieces + message(2, message(1, "corpus.txt") + integer(4, 8000) + score(15, 0.75F)) +
              message(4, message(1, "samples")) + message(3, message(1, "nfkc"))) == "no error");
}

BOOST_AUTO_TEST_CASE(damaged_files_are_refused_or_harmless) {
  const std::string bytes = small_pieces() + trainer(bpe, message(44, "?") + message(46, "<s>")) +
                            message(3, message(1, "x") + integer(3, 1) + integer(4, 0));
  for (std::size_t size = 0; size < bytes.size(); ++size) survive(bytes.substr(0, size));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int value = 0; value < 256; value += value < 16 ? 1 : 5) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(value);
      survive(changed);
    }
  }
  std::mt19937 random(test::seed());
  for (int i = 0; i < 2000; ++i) {
    std::string changed = bytes + byte_pieces().substr(0, random() % 200);
    for (int flips = 0; flips < 4; ++flips) {
      changed[random() % changed.size()] = static_cast<char>(random() % 256);
    }
    survive(changed);
  }
  BOOST_TEST(refusal(bytes) == "no error");
}

BOOST_AUTO_TEST_SUITE_END()
