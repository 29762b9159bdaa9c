// tokenizer.json files against the PyPI package `tokenizers`: tokenizers like those of large
// models, and of random parts; and files that are wrong.
// Covers runtime/tokenizer/tokenizer_json_parts.h, runtime/tokenizer/text_model.h.
// Covers runtime/tokenizer/token_decoder.h.
#include "runtime/tokenizer/tokenizer_json.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/tokenizer/tokenizer.h"
#include "runtime/tokenizer/utf8.h"
#include "tests/runtime/tokenizer/python_oracle.h"

#include <boost/test/unit_test.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace lamina;
using Tokens = std::vector<Token>;

namespace {

/// With U+FFFD where `bytes` is no UTF-8, as tokenizers gives text.
std::string with_replacements(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    const Utf8Part part = first_utf8_part(bytes);
    if (part.kind == Utf8Part::Kind::character) {
      out += bytes.substr(0, part.length);
    } else {
      out += "\xEF\xBF\xBD";
    }
    bytes.remove_prefix(part.length);
  }
  return out;
}

std::string shown(const Tokens& tokens) {
  std::string out;
  for (const Token token : tokens) out += std::to_string(token) + " ";
  return out.substr(0, 400);
}

/// No warnings of texts that begin with the token which is put before them.
class Quiet {
 public:
  Quiet() : before_(spdlog::get_level()) { spdlog::set_level(spdlog::level::err); }
  ~Quiet() { spdlog::set_level(before_); }

 private:
  spdlog::level::level_enum before_;
};

/// Counts what differs, and shows the first few.
class Differences {
 public:
  void compare(const std::string& what, const std::string& name, const std::string& text,
               const std::string& found, const std::string& expected) {
    if (found == expected) return;
    if (++count_ > 40) return;
    BOOST_TEST_MESSAGE(name << ", " << what << " of " << lamina::quoted(text) << ":\n  "
                            << lamina::quoted(found) << "\n  " << lamina::quoted(expected));
  }
  int count() const { return count_; }

 private:
  int count_ = 0;
};

void compare_text(test::PythonOracle& oracle, const Tokenizer& tokenizer, const std::string& name,
                  Differences& differences) {
  const std::string text = oracle.text();
  const Tokens whole = oracle.tokens();
  const auto compare = [&](const std::string& what, const Tokens& found, const Tokens& expected) {
    differences.compare(what, name, text, shown(found), shown(expected));
  };
  compare("tokens", tokenizer.encode(text), whole);
  compare("plain tokens", tokenizer.encode(text, {.add_special = false}), oracle.tokens());
  const Tokens as_text = tokenizer.encode(text, {.add_special = false, .parse_special = false});
  const Tokens expected_as_text = oracle.tokens();
  // These models of tokenizers find special tokens that are the model's even in literal text.
  const bool spells_special = tokenizer.model() == "Unigram" || tokenizer.model() == "WordLevel";
  if (!spells_special) compare("tokens as text", as_text, expected_as_text);
  BOOST_TEST(std::none_of(as_text.begin(), as_text.end(),
                          [&](Token token) {
                            return tokenizer.is_special(token) &&
                                   tokenizer.text(token).starts_with("<s>");
                          }),
             name << ": " << text);
  for (const bool special : {false, true}) {
    differences.compare(special ? "decoding with special" : "decoding", name, text,
                        with_replacements(tokenizer.decode(whole, special)), oracle.text());
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tokenizer_json)

BOOST_AUTO_TEST_CASE(tokens_and_texts_equal_those_of_tokenizers) {
  auto oracle = test::python_oracle("tokenizer_json_oracle.py", "tokenizers, sentencepiece");
  if (!oracle) return;
  const Quiet quiet;
  const std::uint32_t cases = oracle->number();
  BOOST_TEST(cases > 100U);
  for (std::uint32_t i = 0; i < cases; ++i) {
    const std::string name = oracle->text();
    const bool joins_bytes = oracle->number() != 0;
    const std::string json = oracle->text();
    const Tokenizer tokenizer(read_tokenizer_json(json, name));
    Differences differences;
    for (std::uint32_t texts = oracle->number(); texts > 0; --texts) {
      compare_text(*oracle, tokenizer, name, differences);
    }
    for (std::uint32_t lists = oracle->number(); lists > 0; --lists) {
      const Tokens tokens = oracle->tokens();
      const std::string expected = oracle->text();
      if (joins_bytes) continue;  // there a run with one wrong byte is all wrong
      differences.compare("text", name, shown(tokens), with_replacements(tokenizer.decode(tokens)),
                          expected);
    }
    BOOST_TEST(differences.count() == 0,
               name << ": " << differences.count() << " differences, " << json.substr(0, 3000));
  }
  BOOST_TEST(oracle->at_end());
}

BOOST_AUTO_TEST_SUITE_END()
