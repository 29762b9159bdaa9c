// Normalizers: cases by hand, bytes that are no UTF-8, long texts, and against tokenizers.
// Covers runtime/unicode/normalization_form.h, runtime/unicode/code_point_sets.h.
// Covers runtime/unicode/character_reader.h.
//
// The comparison runs where $LAMINA_PYTHON (default: python3) can import tokenizers.
#include "runtime/tokenizer/steps/normalizer.h"

#include "lamina/core/error.h"
#include "runtime/unicode/character_reader.h"
#include "runtime/unicode/code_point_sets.h"
#include "runtime/unicode/normalization_form.h"
#include "tests/runtime/tokenizer/cpu_time.h"
#include "tests/runtime/tokenizer/python_oracle.h"
#include "tests/runtime/tokenizer/repeated.h"

#include <boost/test/unit_test.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace lamina;

namespace {

std::string applied(NormalizerStep step, std::string_view text) {
  return Normalizer({std::move(step)}).apply(text);
}

TextPattern literal(std::string text) { return {std::move(text), false}; }
TextPattern regex(std::string text) { return {std::move(text), true}; }

BertNormalizer bert(bool clean, bool chinese, std::optional<bool> accents, bool lowercase) {
  return {clean, chinese, accents, lowercase};
}

/// By the names of normalizer_oracle.py.
std::map<std::string, Normalizer> known_normalizers() {
  const auto one = [](NormalizerStep step) { return Normalizer({std::move(step)}); };
  std::map<std::string, Normalizer> known;
  known.emplace("nfc", one(Nfc{}));
  known.emplace("nfd", one(Nfd{}));
  known.emplace("nfkc", one(Nfkc{}));
  known.emplace("nfkd", one(Nfkd{}));
  known.emplace("lowercase", one(Lowercase{}));
  known.emplace("strip", one(Strip{}));
  known.emplace("strip left", one(Strip{true, false}));
  known.emplace("strip right", one(Strip{false, true}));
  known.emplace("strip nothing", one(Strip{false, false}));
  known.emplace("strip accents", one(StripAccents{}));
  known.emplace("nmt", one(Nmt{}));
  known.emplace("byte level", one(ByteLevelNormalizer{}));
  known.emplace("prepend", one(Prepend{"▁x"}));
  known.emplace("replace text", one(Replace{literal("a"), "<é>"}));
  known.emplace("replace dot", one(Replace{literal("."), ""}));
  known.emplace("replace nothing", one(Replace{literal(""), "_"}));
  known.emplace("replace spaces", one(Replace{regex("\\s+"), " "}));
  known.emplace("replace empty", one(Replace{regex("a*"), "-"}));
  known.emplace("replace ends", one(Replace{regex("^|$"), "|"}));
  known.emplace("bert", one(BertNormalizer{}));
  known.emplace("bert clean", one(bert(true, false, false, false)));
  known.emplace("bert chinese", one(bert(false, true, false, false)));
  known.emplace("bert accents", one(bert(false, false, true, false)));
  known.emplace("bert lowercase", one(bert(false, false, false, true)));
  known.emplace("bert cased", one(bert(true, true, std::nullopt, false)));
  known.emplace("bert lowercase accents", one(bert(true, true, std::nullopt, true)));
  known.emplace("albert",
                Normalizer({Replace{literal("``"), "\""}, Replace{literal("''"), "\""}, Nfkd{},
                            StripAccents{}, Lowercase{}, Replace{regex(" {2,}"), " "}}));
  known.emplace("llama", Normalizer({Prepend{"▁"}, Replace{literal(" "), "▁"}}));
  known.emplace("stripped", Normalizer({Nmt{}, Nfkc{}, Strip{}, ByteLevelNormalizer{}}));
  return known;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(normalizer)

BOOST_AUTO_TEST_CASE(normalization_forms) {
  BOOST_TEST(applied(Nfc{}, "e\u0301 A\u030A \u1112\u1161\u11AB") == "é Å 한");
  BOOST_TEST(applied(Nfd{}, "é 한 \u1E69") == "e\u0301 \u1112\u1161\u11AB s\u0323\u0307");
  BOOST_TEST(applied(Nfkc{}, "ﬁ ① ｶﾞ") == "fi 1 ガ");
  BOOST_TEST(applied(Nfkd{}, "½ é") == "1\u20442 e\u0301");
  BOOST_TEST(applied(Nfc{}, "a\u0307\u0323") == "\u1EA1\u0307");  // sorted before it is composed
  BOOST_TEST(applied(Nfc{}, "\u212B \u2126") == "Å Ω");
  BOOST_TEST(applied(Nfd{}, "a\u0345\u1ABF") == "a\u0345\u1ABF");  // a mark that Unicode 9 has not
  BOOST_TEST(normalized("\u0344", {.composed = true}) == "\u0308\u0301");  // not composed again
}

BOOST_AUTO_TEST_CASE(case_and_marks) {
  BOOST_TEST(applied(Lowercase{}, "ÀÉ İ ΑΣ ǅ ẞ") == "àé i\u0307 ασ ǆ ß");
  BOOST_TEST(applied(StripAccents{}, "e\u0301é") == "eé");  // decomposes nothing
  BOOST_TEST(applied(StripAccents{}, "\u0E01\u0E31\u0903") == "\u0E01");
  BOOST_TEST(code_points::numbers().contains(0xBD));
  BOOST_TEST(!code_points::punctuation().contains(U'a'));
  BOOST_TEST(script_number(U'a') == script_number(U'é'));
  BOOST_TEST(script_number(U'a') != script_number(U'я'));
  BOOST_TEST(script_number(0x0378) == 0U);
}

BOOST_AUTO_TEST_CASE(spaces_and_replacements) {
  BOOST_TEST(applied(Strip{}, " \u3000a b\n") == "a b");
  BOOST_TEST(applied(Strip{true, false}, " a ") == "a ");
  BOOST_TEST(applied(Strip{false, true}, " \t ").empty());
  BOOST_TEST(applied(Prepend{"x"}, "").empty());
  BOOST_TEST(applied(Prepend{"x"}, "a") == "xa");
  BOOST_TEST(applied(Replace{literal("aa"), "b"}, "aaaaa") == "bba");
  BOOST_TEST(applied(Replace{regex("a+"), ""}, "caab") == "cb");
  BOOST_TEST(applied(Replace{literal(""), "-"}, "aé") == "-a-é-");
  BOOST_TEST(applied(Replace{literal(""), "-"}, "").empty());
  BOOST_TEST(applied(Nmt{}, "a\u200Bb\x01\x0C\u2581") == "a b  ");
  BOOST_TEST(applied(ByteLevelNormalizer{}, " é\n") == "ĠÃ©Ċ");
  BOOST_TEST(Normalizer().apply("as it is") == "as it is");
  BOOST_TEST(Normalizer().empty());
}

BOOST_AUTO_TEST_CASE(bert_options) {
  BOOST_TEST(applied(BertNormalizer{}, "Café\t世界\x01") == "cafe  世  界 ");
  BOOST_TEST(applied(bert(false, false, std::nullopt, false), "É") == "É");
  BOOST_TEST(applied(bert(false, false, false, true), "É") == "é");
  BOOST_TEST(applied(bert(false, false, true, false), "É") == "E");
}

BOOST_AUTO_TEST_CASE(what_becomes_of_the_first_character) {
  const auto keeps = [](std::vector<NormalizerStep> steps, std::string_view text) {
    return Normalizer(std::move(steps)).keeps_start(text);
  };
  BOOST_TEST(keeps({}, " a"));
  BOOST_TEST(keeps({Strip{}}, "a "));
  BOOST_TEST(!keeps({Strip{}}, " a"));
  BOOST_TEST(keeps({Strip{false, true}}, " a "));
  BOOST_TEST(!keeps({StripAccents{}}, "\u0301a"));
  BOOST_TEST(keeps({Nfd{}, StripAccents{}}, "éa"));
  BOOST_TEST(!keeps({Nmt{}},
                    "\x01"
                    "a"));
  BOOST_TEST(!keeps({BertNormalizer{}},
                    "\x01"
                    "a"));
  BOOST_TEST(keeps({Nfkc{}, Lowercase{}, ByteLevelNormalizer{}}, "Éa"));
  BOOST_TEST(keeps({Prepend{"x"}, Replace{literal("x"), ""}}, "ab"));
  BOOST_TEST(!keeps({Replace{literal("a"), ""}}, "ab"));
  BOOST_TEST(keeps({Replace{literal("a"), ""}}, "ba"));
  // What is put in the place of a match stands where its last character stood.
  BOOST_TEST(keeps({Replace{regex("a+"), "c"}}, "ab"));
  BOOST_TEST(!keeps({Replace{regex("a+"), "c"}}, "aab"));
  BOOST_TEST(keeps({Replace{regex("^"), "c"}}, "ab"));
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_utf8_pass_through) {
  const std::string_view text("\xFF\xE4\xB8 a\0\xC0\x80\xED\xA0\x80\x80", 12);
  for (const auto& [name, normalizer] : known_normalizers()) {
    const std::string result = normalizer.apply(text);
    const std::string_view kept = name == "byte level" || name == "stripped"
                                      ? std::string_view("ÿä¸")
                                      : std::string_view("\xFF\xE4\xB8");
    // Empty matches lie around the bytes, and one pattern knows them as a control character.
    if (name != "replace nothing" && name != "replace empty") {
      BOOST_TEST(result.find(kept) != std::string::npos, name << " -> " << result);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_pattern_is_an_error) {
  BOOST_CHECK_THROW(Normalizer({Replace{regex("(a"), ""}}), Error);
  BOOST_CHECK_THROW(Normalizer({Precompiled{"\x04\0\0\0"}}), Error);
}

BOOST_AUTO_TEST_CASE(long_runs_take_linear_time) {
  constexpr std::size_t size = 256 << 10;
  for (const auto& [name, normalizer] : known_normalizers()) {
    for (const std::string_view unit : {"a", " ", "\u0301", "\u0323\u0301", "é", "中", "\uFDFA"}) {
      const test::CpuTime time;
      const std::string result = normalizer.apply(test::repeated(unit, size));
      BOOST_TEST(time.seconds() < test::limit(0.5), name << " took " << time.seconds());
    }
  }
}

BOOST_AUTO_TEST_CASE(texts_equal_those_of_tokenizers) {
  auto oracle = test::python_oracle("normalizer_oracle.py", "tokenizers");
  if (!oracle) return;
  const std::map<std::string, Normalizer> known = known_normalizers();
  const std::vector<std::string> names = oracle->texts();
  BOOST_TEST_REQUIRE(names.size() == known.size());
  test::Differences wrong;
  const std::uint32_t texts = oracle->number();
  BOOST_TEST(texts > 2000U);
  for (std::uint32_t i = 0; i < texts; ++i) {
    const std::string text = oracle->text();
    for (const std::string& name : names) {
      const std::string expected = oracle->text();
      const std::string result = known.at(name).apply(text);
      if (result == expected || !wrong.add(name)) continue;
      const auto differ =
          std::mismatch(result.begin(), result.end(), expected.begin(), expected.end());
      const auto at = static_cast<std::size_t>(differ.first - result.begin());
      const std::size_t from = at < 8 ? 0 : at - 8;
      BOOST_TEST_MESSAGE(name << ": " << result.substr(from, 24) << " instead of "
                              << expected.substr(from, 24));
    }
  }
  BOOST_TEST(oracle->at_end());
  wrong.check("texts");
}

BOOST_AUTO_TEST_SUITE_END()
