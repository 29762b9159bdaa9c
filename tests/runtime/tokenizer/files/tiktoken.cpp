// Files of tiktoken against the PyPI package, by every pattern; damaged files.
// Covers runtime/tokenizer/files/base64.h.
//
// The comparison runs where $LAMINA_PYTHON (default: python3) can import tiktoken and tokenizers.
#include "runtime/tokenizer/files/tiktoken.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/tokenizer/files/base64.h"
#include "runtime/tokenizer/patterns/pattern_matcher.h"
#include "runtime/tokenizer/tokenizer.h"
#include "tests/message_of.h"
#include "tests/runtime/tokenizer/cpu_time.h"
#include "tests/runtime/tokenizer/python_oracle.h"
#include "tests/runtime/tokenizer/seed.h"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace lamina;
using Tokens = std::vector<Token>;

namespace {

/// RFC 4648, written the other way round than it is read.
std::string base64(std::string_view bytes) {
  constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out += at + i > bytes.size() ? '=' : alphabet[bits >> (18 - 6 * i) & 63];
    }
  }
  return out;
}

std::string line(std::string_view bytes, std::size_t rank) {
  return base64(bytes) + " " + std::to_string(rank) + "\n";
}

/// A token for each byte, numbered as the bytes.
std::string byte_lines() {
  std::string out;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    out += line(std::string(1, static_cast<char>(static_cast<unsigned char>(byte))), byte);
  }
  return out;
}

const TiktokenOptions whole_text{R"([\s\S]+)", {}};

Tokenizer made(std::string_view bytes, const TiktokenOptions& options = whole_text) {
  return Tokenizer(read_tiktoken(bytes, "x.tiktoken", options));
}

std::string refusal(std::string_view bytes, const TiktokenOptions& options = whole_text) {
  return test::message_of([&] { read_tiktoken(bytes, "x.tiktoken", options); });
}

/// Reads a file that may be damaged and, where it is read all the same, uses it.
void survive(std::string_view bytes) {
  try {
    const Tokenizer tokenizer = made(bytes);
    BOOST_TEST(tokenizer.decode(tokenizer.encode("abc\xFF")) == "abc\xFF");
  } catch (const Error&) {
  }
}

void compare(test::PythonOracle& oracle, const std::string& file,
             const std::vector<std::pair<std::string, Token>>& special) {
  const std::string name = oracle.text();
  const std::string published = oracle.text();
  const std::string pattern = name.empty() ? published : std::string(tiktoken_pattern(name));
  const Tokenizer tokenizer = made(file, {pattern, special});
  const std::uint32_t texts = oracle.number();
  BOOST_TEST(texts > 900U);
  int wrong = 0;
  for (std::uint32_t i = 0; i < texts; ++i) {
    const std::string text = oracle.text();
    const Tokens expected = oracle.tokens();
    const Tokens found = tokenizer.encode(text);
    if (found == expected && tokenizer.decode(found, true) == text) continue;
    if (++wrong <= 3) BOOST_TEST_MESSAGE(name << ": " << quoted(text, 200));
  }
  BOOST_TEST(wrong == 0, name << " " << published << ": " << wrong << " texts differ");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tiktoken)

BOOST_AUTO_TEST_CASE(tokens_equal_those_of_tiktoken) {
  auto oracle = test::python_oracle("tiktoken_oracle.py", "tiktoken, tokenizers");
  if (!oracle) return;
  const std::uint32_t files = oracle->number();
  BOOST_TEST(files >= 2U);
  for (std::uint32_t f = 0; f < files; ++f) {
    const std::string file = oracle->text();
    std::vector<std::pair<std::string, Token>> special(oracle->number());
    for (auto& [text, token] : special) {
      text = oracle->text();
      token = static_cast<Token>(oracle->number());
    }
    const std::uint32_t patterns = oracle->number();
    BOOST_TEST(patterns >= 9U);
    for (std::uint32_t p = 0; p < patterns; ++p) compare(*oracle, file, special);
  }
  BOOST_TEST(oracle->at_end());
}

BOOST_AUTO_TEST_CASE(the_lowest_rank_merges_first_and_a_whole_piece_at_once) {
  // ab has the lowest rank; abcd is made of ab and cd, bcd only of b and cd, which ab prevents.
  const std::string file = byte_lines() + line("ab", 256) + line("cd", 257) + line("bcd", 258) +
                           line("abcd", 259) + line("xyz", 260) + line("bc", 261);
  const Tokenizer tokenizer = made(file);
  BOOST_TEST(tokenizer.encode("abcd") == Tokens{259}, boost::test_tools::per_element());
  BOOST_TEST(tokenizer.encode("abcdabcd") == (Tokens{259, 259}), boost::test_tools::per_element());
  BOOST_TEST(tokenizer.encode("xbcd") == (Tokens{'x', 258}), boost::test_tools::per_element());
  BOOST_TEST(tokenizer.encode("abc") == (Tokens{256, 'c'}), boost::test_tools::per_element());
  // No two tokens make xyz: it is found as a whole piece only.
  BOOST_TEST(tokenizer.encode("xyz") == Tokens{260}, boost::test_tools::per_element());
  BOOST_TEST(tokenizer.encode("xyzz") == (Tokens{'x', 'y', 'z', 'z'}),
             boost::test_tools::per_element());
  BOOST_TEST(tokenizer.decode(Tokens{259, 0xC3, 0xA9, 0xFF}) == "abcdé\xFF");
}

BOOST_AUTO_TEST_CASE(special_tokens_and_gaps) {
  const std::string file = byte_lines() + line("ab", 300);
  const Tokenizer tokenizer = made(file, {R"([\s\S]+)", {{"<|end|>", 400}}});
  BOOST_TEST(tokenizer.vocab_size() == 401);
  BOOST_TEST(tokenizer.encode("ab<|end|>") == (Tokens{300, 400}), boost::test_tools::per_element());
  BOOST_TEST(tokenizer.encode("<|end|>", {.parse_special = false}).size() == 7U);
  BOOST_TEST(tokenizer.decode(Tokens{300, 400, 350}) == "ab");
  BOOST_TEST(tokenizer.decode(Tokens{300, 400}, true) == "ab<|end|>");
}

BOOST_AUTO_TEST_CASE(patterns_by_name) {
  for (const char* name : {"cl100k", "o200k", "p50k", "gpt2", "llama3", "qwen", "kimi"}) {
    BOOST_TEST((find_pattern_matcher(tiktoken_pattern(name)) != nullptr), name);
  }
  const std::string said = test::message_of([] { tiktoken_pattern("r50k"); });
  BOOST_TEST(test::contains(said, "'r50k'"));
  BOOST_TEST(test::contains(said, " cl100k"));
}

BOOST_AUTO_TEST_CASE(base64_is_read_strictly) {
  std::mt19937 random(test::seed());
  for (int i = 0; i < 1000; ++i) {
    std::string bytes(random() % 20, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % 256);
    BOOST_TEST(decode_base64(base64(bytes)).value_or("none") == bytes);
  }
  BOOST_TEST(decode_base64("Zm9v").value_or("") == "foo");  // RFC 4648, section 10
  BOOST_TEST(decode_base64("Zg==").value_or("") == "f");
  for (const char* text : {"Z", "Zg", "Zg=", "Zg=a", "Z===", "====", "Zh==", "Zm9=", "Zm9v\n",
                           "Zm 9", "Zm-_", "Zg==Zg=="}) {
    BOOST_TEST(!decode_base64(text).has_value(), text);
  }
}

BOOST_AUTO_TEST_CASE(damaged_files_are_refused_by_line) {
  const std::string file = byte_lines();
  const std::pair<std::string, std::string_view> cases[] = {
      {"", "the vocabulary is empty"},
      {file + "YWI=\n", "line 257: 'YWI=' has no space"},
      {file + "YW? 256\n", "line 257: 'YW?' is no base64"},
      {file + " 256\n", "line 257: '' is no base64"},
      {file + "YWI= -1\n", "'-1' is no number"},
      {file + "YWI= 25x\n", "'25x' is no number"},
      {file + "YWI= \n", "'' is no number"},
      {file + "YWI= 99999999999999999999\n", "is no number"},
      {file + "YWI= 4000000000\n", "number 4000000000, far more"},
      {file + "YWI= 255\n", "two tokens have the number 255"},
      {file + "YWI= 256\nYWI= 257\n", "'ab' twice, as tokens 256 and 257"},
      {file.substr(file.find('\n') + 1), "byte 0x00 has no token"},
  };
  for (const auto& [bytes, part] : cases) {
    const std::string said = refusal(bytes);
    BOOST_TEST(test::contains(said, part), said << " should contain " << part);
    BOOST_TEST(test::contains(said, "x.tiktoken"), said);
  }
  BOOST_TEST(test::contains(refusal(file, {"a", {{"<|x|>", 5}}}), "two tokens have the number 5"));
  BOOST_TEST(test::contains(refusal(file, {"a", {{"", 300}}}), "special token ''"));
  BOOST_TEST(test::contains(refusal(file, {"a", {{"<|x|>", -1}}}), "number -1"));
  BOOST_TEST(refusal(file + "\r\n\nYWI= 256\r\nYWM= 257") == "no error");
}

BOOST_AUTO_TEST_CASE(damaged_files_are_refused_or_harmless) {
  const std::string file = byte_lines() + line("ab", 256) + line("abc", 257);
  for (std::size_t size = 0; size < file.size(); size += size < 100 ? 1 : 7) {
    survive(file.substr(0, size));
  }
  std::mt19937 random(test::seed());
  for (int i = 0; i < 1000; ++i) {
    std::string changed = file;
    const std::size_t near_end = file.size() - 1 - random() % 40;
    changed[i % 2 == 0 ? near_end : random() % file.size()] = static_cast<char>(random() % 256);
    survive(changed);
  }
}

BOOST_AUTO_TEST_CASE(a_long_token_takes_linear_time) {
  const std::string file = byte_lines() + line(std::string(1 << 20, 'a'), 256) + line("aa", 257);
  const test::CpuTime time;
  BOOST_TEST(made(file).decode(Tokens{256}).size() == 1U << 20);
  BOOST_TEST(time.seconds() < test::limit(2.0));
}

BOOST_AUTO_TEST_SUITE_END()
