// Classes of characters against the PyPI package `tokenizers`, whose they are to be.
//
// The comparison runs where $LAMINA_PYTHON (default: python3) can import tokenizers.
#include "runtime/unicode/unicode_classes.h"

#include "runtime/child_process.h"
#include "runtime/unicode/utf8.h"
#include "tests/runtime/temporary_folder.h"
#include "tests/runtime/tokenizer/seed.h"
#include "tests/skip.h"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

using namespace lamina;

namespace {

constexpr const char* names[] = {"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No",
                                 "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So",
                                 "Zs", "Zl", "Zp", "Cc", "Cw", "Cf", "Co", "Cn", "Cs"};

/// What is known of a code point, as the script writes it.
std::string known(char32_t code) {
  const UnicodeClasses& classes = UnicodeClasses::instance();
  std::string text = names[static_cast<std::size_t>(classes.category(code))];
  if (classes.han(code)) text += " Han";
  if (classes.word(code)) text += " word";
  return text;
}

bool surrogate(char32_t code) { return code >= 0xD800 && code <= 0xDFFF; }

/// Code points beside which the class changes, and some more.
std::string interesting_code_points(unsigned seed) {
  std::mt19937 random(seed);
  std::string lines;
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (surrogate(code)) continue;
    const bool changes = code == 0 || code == 0x10FFFF || known(code) != known(code - 1) ||
                         known(code) != known(code + 1);
    if (!changes && random() % 100 != 0) continue;
    lines += std::to_string(static_cast<unsigned long>(code)) + " " + known(code) + "\n";
  }
  return lines;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unicode_classes)

BOOST_AUTO_TEST_CASE(characters_have_their_category) {
  using namespace character_set;
  const UnicodeClasses& classes = UnicodeClasses::instance();
  BOOST_TEST((classes.category('A') == Lu));
  BOOST_TEST((classes.category(U'ǅ') == Lt));
  BOOST_TEST((classes.category('\n') == Cw));
  BOOST_TEST((classes.category(0x85) == Cw));
  BOOST_TEST((classes.category(0) == Cc));
  BOOST_TEST((classes.category(0xDBFF) == Cs));
  BOOST_TEST((classes.category(0x10FFFF) == Cn));
  BOOST_TEST((classes.category(0x1C89) == Lu));  // since Unicode 16
  BOOST_TEST(classes.recent(0x1C89));
  BOOST_TEST(!classes.recent('A'));
  BOOST_TEST(classes.is(0x3000, white));
  BOOST_TEST(classes.is('\t', white));
  BOOST_TEST(!classes.is(0x180E, white));
  BOOST_TEST(classes.is(U'々', han));
  BOOST_TEST(classes.is(U'々', letter));
  BOOST_TEST(!classes.is(U'あ', han));
  BOOST_TEST(classes.word(U'Ⓐ'));
  BOOST_TEST(!classes.word(U'①'));
  BOOST_TEST((letter | mark | number | punctuation | symbol | separator | other | han) == ~0U);
}

BOOST_AUTO_TEST_CASE(classes_are_those_of_tokenizers) {
  const char* chosen = std::getenv("LAMINA_PYTHON");
  const std::string python = chosen != nullptr ? chosen : "python3";
  const test::TemporaryFolder folder;
  const ChildResult there =
      run({.arguments = {python, "-c", "import tokenizers"}, .log = folder.path() / "log"});
  if (!there.found || there.exit_code != 0) {
    return test::skip(python +
                      " cannot import tokenizers: set LAMINA_PYTHON to one that can "
                      "(tests/requirements.txt)");
  }
  const auto script = std::filesystem::path(LAMINA_SOURCE_DIR) / "tests" / "runtime" / "tokenizer" /
                      "oracles" / "unicode_classes_oracle.py";
  const auto classes = folder.write("classes", interesting_code_points(test::seed()));
  const ChildResult compared =
      run({.arguments = {python, script.string(), classes.string()}, .log = folder.path() / "log"});
  std::ifstream log(folder.path() / "log");
  const std::string said((std::istreambuf_iterator<char>(log)), {});
  BOOST_TEST(compared.exit_code == 0, said);
  BOOST_TEST(said.find("code points agree") != std::string::npos, said);
}

BOOST_AUTO_TEST_SUITE_END()
