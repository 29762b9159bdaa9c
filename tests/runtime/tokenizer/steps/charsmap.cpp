// Charsmaps: a small one by hand, damaged ones, and against SentencePiece and tokenizers.
//
// The comparison runs where $LAMINA_PYTHON (default: python3) can import both packages.
#include "runtime/tokenizer/steps/charsmap.h"

#include "lamina/core/error.h"
#include "runtime/tokenizer/steps/normalizer.h"
#include "runtime/tokenizer/spaces.h"
#include "tests/runtime/tokenizer/cpu_time.h"
#include "tests/runtime/tokenizer/python_oracle.h"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace lamina;

namespace {

std::string bytes_of(std::initializer_list<std::uint32_t> numbers) {
  std::string bytes;
  for (const std::uint32_t number : numbers) {
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift & 0xFF);
  }
  return bytes;
}

constexpr std::uint32_t leaf = 1u << 8;
constexpr std::uint32_t value = 1u << 31;
constexpr std::uint32_t offset(std::uint32_t distance) { return distance << 10; }

/// Rules for a (to X), ab (to YZ) and é (to e). The root leads to 0x100 ^ byte, so that "a" is at
/// 0x161, whose leaf is at 0x120 and whose "b" at 0x120 ^ 0x62, and so on.
std::string made_charsmap() {
  std::vector<std::uint32_t> units(0x300, 0);
  units[0] = offset(0x100);
  units[0x100 ^ 'a'] = 'a' | leaf | offset((0x100 ^ 'a') ^ 0x220);
  units[0x220] = value | 0;
  units[0x220 ^ 'b'] = 'b' | leaf | offset((0x220 ^ 'b') ^ 0x221);
  units[0x221] = value | 2;
  units[0x100 ^ 0xC3] = 0xC3 | offset((0x100 ^ 0xC3) ^ 0x200);
  units[0x200 ^ 0xA9] = 0xA9 | leaf | offset((0x200 ^ 0xA9) ^ 0x222);
  units[0x222] = value | 5;
  std::string bytes = bytes_of({static_cast<std::uint32_t>(units.size() * 4)});
  for (const std::uint32_t unit : units) bytes += bytes_of({unit});
  return bytes + std::string("X\0YZ\0e\0", 7);
}

std::string unmarked(std::string_view text) {
  std::string out;
  append_unmarked(out, text);
  return out;
}

std::string precompiled(const std::string& charsmap, CharsmapMatching matching,
                        std::string_view text) {
  return Normalizer({Precompiled{charsmap, matching}}).apply(text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(charsmap)

BOOST_AUTO_TEST_CASE(rules_by_hand) {
  const Charsmap rules(made_charsmap(), "a test");
  BOOST_TEST(rules.longest("abc")->replacement == "YZ");
  BOOST_TEST(rules.longest("abc")->length == 2U);
  BOOST_TEST(rules.shortest("abc")->replacement == "X");
  BOOST_TEST(!rules.longest("b").has_value());
  BOOST_TEST(!rules.longest("").has_value());
  BOOST_TEST(!rules.longest(std::string_view("\0a", 2)).has_value());
  BOOST_TEST(rules.replace_longest("cabaé\xFF") == "cYZXe\xFF");
  BOOST_TEST(rules.replace_clusters("cabaé\xFF") == "cXbXe\xFF");
}

BOOST_AUTO_TEST_CASE(small_clusters_are_replaced_as_a_whole) {
  const std::string charsmap = made_charsmap();
  // The mark goes with its letter, unless there are too many.
  BOOST_TEST(precompiled(charsmap, CharsmapMatching::clusters, "a\u0301b") == "Xb");
  BOOST_TEST(precompiled(charsmap, CharsmapMatching::clusters, "a\u0301\u0301\u0301") ==
             "X\u0301\u0301\u0301");
  BOOST_TEST(precompiled(charsmap, CharsmapMatching::longest, "a\u0301ab") == "X\u0301YZ");
  BOOST_TEST(precompiled("", CharsmapMatching::clusters, "a") == "a");
}

BOOST_AUTO_TEST_CASE(damaged_bytes_are_errors) {
  const std::string good = made_charsmap();
  const auto made = [](std::string_view bytes) { return Charsmap(bytes, "a test"); };
  for (const std::string& bad :
       {std::string(), std::string("\1\0\0", 3), bytes_of({0}), bytes_of({4}), bytes_of({3, 0}),
        bytes_of({0xFFFFFFFC, 0}), bytes_of({8, 0}), bytes_of({4, 0}) + "\xFF"}) {
    BOOST_CHECK_EXCEPTION(made(bad), Error, [](const Error& error) {
      return std::string_view(error.what()).find("a test is damaged") != std::string_view::npos;
    });
  }
  BOOST_TEST(made(bytes_of({4, 0})).replace_longest("ab") == "ab");
  // Whatever the units say, a walk stays within them.
  std::mt19937 random(test::seed());
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = good;
    for (int i = 0; i < 20; ++i) {
      bytes[4 + random() % (0x300 * 4)] = static_cast<char>(random());
    }
    bytes[4 + 3 * (random() % 2)] = static_cast<char>(random());
    const Charsmap rules = made(bytes);
    const std::string text = "ab é\u0301aab";
    rules.replace_longest(text);
    rules.replace_clusters(text);
  }
}

BOOST_AUTO_TEST_CASE(long_runs_take_linear_time) {
  const Charsmap rules(made_charsmap(), "a test");
  for (const std::string_view unit : {"a", "ab", "\u0301", "é", "👍\u200D", "क्", "\xFF"}) {
    std::string text;
    while (text.size() < (512 << 10)) text += unit;
    const test::CpuTime time;
    BOOST_TEST(!rules.replace_longest(text).empty());
    BOOST_TEST(!rules.replace_clusters(text).empty());
    BOOST_TEST(time.seconds() < test::limit(0.5), unit << " took " << time.seconds());
  }
}

BOOST_AUTO_TEST_CASE(texts_equal_those_of_sentencepiece_and_tokenizers) {
  auto oracle = test::python_oracle("charsmap_oracle.py", "sentencepiece, tokenizers");
  if (!oracle) return;
  std::vector<Normalizer> longest;
  std::vector<Normalizer> clusters;
  for (std::uint32_t left = oracle->number(); left > 0; --left) {
    const std::string charsmap = oracle->text();
    longest.push_back(Normalizer({Precompiled{charsmap, CharsmapMatching::longest}}));
    clusters.push_back(Normalizer({Precompiled{charsmap, CharsmapMatching::clusters}}));
  }
  BOOST_TEST(longest.size() == 4U);
  int wrong = 0;
  const auto compare = [&](const std::string& text, const std::string& result,
                           const std::string& expected) {
    if (result == expected || wrong++ > 5) return;
    const auto differ =
        std::mismatch(result.begin(), result.end(), expected.begin(), expected.end());
    const auto at = static_cast<std::size_t>(differ.first - result.begin());
    const std::size_t from = at < 12 ? 0 : at - 12;
    BOOST_ERROR(text.substr(0, 20)
                << ": " << result.substr(from, 40) << " instead of " << expected.substr(from, 40));
  };
  const std::uint32_t texts = oracle->number();
  BOOST_TEST(texts > 2000U);
  for (std::uint32_t i = 0; i < texts; ++i) {
    const std::string text = oracle->text();
    for (std::size_t c = 0; c < longest.size(); ++c) {
      compare(text, unmarked(longest[c].apply(text)), oracle->text());
      compare(text, clusters[c].apply(text), oracle->text());
    }
  }
  BOOST_TEST(oracle->at_end());
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
