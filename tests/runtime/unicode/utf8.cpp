// UTF-8 by the character, the byte alphabet, and spaces as marks.
// Covers runtime/tokenizer/byte_alphabet.h runtime/tokenizer/spaces.h.
#include "runtime/unicode/utf8.h"

#include "runtime/tokenizer/byte_alphabet.h"
#include "runtime/tokenizer/spaces.h"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(utf8)

BOOST_AUTO_TEST_CASE(every_code_point_is_written_and_recognised) {
  std::string text;
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    text.clear();
    append_utf8(text, code);
    const std::size_t expected = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (text.size() != expected || well_formed_length(text) != expected) {
      BOOST_ERROR("code point " << static_cast<unsigned>(code));
    }
  }
  BOOST_TEST(text == "\xF4\x8F\xBF\xBF");
}

BOOST_AUTO_TEST_CASE(what_is_no_character_has_no_length) {
  // Continuation, overlong forms, surrogate, above U+10FFFF, never a lead, cut short.
  for (const std::string_view text :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC3", "\xE4\xB8", "\xF0\x9F\x98", "\xC3(",
        "\xE4(\xAD", "\xE4\xB8("}) {
    BOOST_TEST(well_formed_length(text) == 0U);
    BOOST_TEST(character_length(text) == 1U);
    BOOST_TEST(!is_utf8(text));
    BOOST_TEST(!is_utf8("aé" + std::string(text)));
  }
  BOOST_TEST(is_utf8(""));
  BOOST_TEST(is_utf8("aé中😀"));
  BOOST_TEST(well_formed_length("") == 0U);
  BOOST_TEST(well_formed_length(std::string_view("\0", 1)) == 1U);
}

BOOST_AUTO_TEST_CASE(the_byte_alphabet_is_that_of_gpt2) {
  BOOST_TEST(byte_symbol(' ') == "Ġ");
  BOOST_TEST(byte_symbol('\n') == "Ċ");
  BOOST_TEST(byte_symbol(0) == "Ā");
  BOOST_TEST(byte_symbol('!') == "!");
  BOOST_TEST(byte_symbol(0x7F) == "ġ");
  BOOST_TEST(byte_symbol(0xAD) == "Ń");
  BOOST_TEST(byte_symbol(0xFF) == "ÿ");
  std::set<std::string_view> symbols;
  std::string bytes, spelling, back;
  for (int byte = 0; byte < 256; ++byte) {
    symbols.insert(byte_symbol(static_cast<unsigned char>(byte)));
    bytes += static_cast<char>(byte);
  }
  BOOST_TEST(symbols.size() == 256U);
  append_spelled(spelling, bytes);
  BOOST_TEST(append_unspelled(back, spelling));
  BOOST_TEST((back == bytes));
}

BOOST_AUTO_TEST_CASE(what_is_outside_the_alphabet_is_refused_whole) {
  for (const std::string_view text : {"a b", "a\x80", "aŅ", "a\xC2\xAD", "a世", "a😀", "\n"}) {
    std::string out = "kept";
    BOOST_TEST(!append_unspelled(out, text));
    BOOST_TEST(out == "kept");
  }
}

BOOST_AUTO_TEST_CASE(spaces_become_marks_and_marks_spaces) {
  std::string marked, back;
  append_marked(marked, " a  b\n ");
  BOOST_TEST(marked == "▁a▁▁b\n▁");
  append_unmarked(back, marked);
  BOOST_TEST(back == " a  b\n ");
  append_unmarked(back, "\xE2\x96");  // the beginning of a mark is none
  BOOST_TEST(back == " a  b\n \xE2\x96");
}

BOOST_AUTO_TEST_SUITE_END()
