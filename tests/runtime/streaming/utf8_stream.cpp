// Every split of every sequence: whole characters only, and U+FFFD where Unicode puts it.
//
// The comparison with Python runs where $LAMINA_PYTHON (default: python3) is one.
#include "runtime/streaming/utf8_stream.h"

#include "lamina/gguf/quoted.h"
#include "runtime/child_process.h"
#include "tests/runtime/temporary_folder.h"
#include "tests/skip.h"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace lamina {
namespace {

const std::string r = "\xEF\xBF\xBD";  // U+FFFD

std::string at_once(std::string_view bytes) {
  Utf8Stream stream;
  const std::string text = stream.feed(bytes);
  return text + stream.finish();
}

/// For comparisons whose values are printed: every stray byte escaped.
std::string shown(std::string_view bytes) { return quoted(bytes, 1000); }

std::string encode(char32_t c) {
  const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xC0 | c >> 6), byte(0x80 | (c & 63))};
  if (c < 0x10000) return {byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 63)), byte(0x80 | (c & 63))};
  return {byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 63)), byte(0x80 | (c >> 6 & 63)),
          byte(0x80 | (c & 63))};
}

BOOST_AUTO_TEST_SUITE(utf8_stream)

BOOST_AUTO_TEST_CASE(every_character_byte_by_byte) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;  // surrogates are no characters
    const std::string bytes = encode(c);
    Utf8Stream stream;
    for (std::size_t i = 0; i + 1 < bytes.size(); ++i)
      BOOST_REQUIRE(stream.feed({&bytes[i], 1}).empty());
    BOOST_REQUIRE(stream.feed({&bytes.back(), 1}) == bytes);
    BOOST_REQUIRE(stream.finish().empty());
  }
}

// The examples of the Unicode standard, section 3.9, tables 3-8 to 3-11.
BOOST_AUTO_TEST_CASE(ill_formed_parts_as_the_standard_replaces_them) {
  BOOST_TEST(shown(at_once("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41")) ==
             shown(r + r + r + r + r + r + r + r + "A"));
  BOOST_TEST(shown(at_once("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41")) ==
             shown(r + r + r + r + r + r + r + r + "A"));
  BOOST_TEST(shown(at_once("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42")) ==
             shown(r + r + r + r + r + "A" + r + r + "B"));
  BOOST_TEST(shown(at_once("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41")) == shown(r + r + r + r + "A"));
}

BOOST_AUTO_TEST_CASE(an_incomplete_end_is_replaced_once) {
  BOOST_TEST(shown(at_once("a\xF0\x9F\x8C")) == shown("a" + r));
  BOOST_TEST(shown(at_once("a\xC3")) == shown("a" + r));
  BOOST_TEST(shown(at_once(std::string("a\0b", 3))) == shown(std::string("a\0b", 3)));
}

BOOST_AUTO_TEST_CASE(random_bytes_split_at_random) {
  const auto seed = std::random_device{}();
  BOOST_TEST_MESSAGE("seed " << seed);
  std::mt19937 random(seed);
  const auto draw = [&](std::size_t to) {
    return std::uniform_int_distribution<std::size_t>(0, to)(random);
  };
  const std::string alphabet = "a\x80\x8F\x90\x9F\xA0\xBF\xC2\xE0\xE1\xED\xF0\xF1\xF4\xFF";
  for (int round = 0; round < 20000; ++round) {
    std::string bytes;
    for (std::size_t n = draw(16); n > 0; --n) bytes += alphabet[draw(alphabet.size() - 1)];
    Utf8Stream stream;
    std::string text;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t length = draw(3);
      text += stream.feed(std::string_view(bytes).substr(at, length));
      at += length;
    }
    text += stream.finish();
    BOOST_REQUIRE_MESSAGE(text == at_once(bytes), "seed " << seed << ", round " << round);
    BOOST_REQUIRE_MESSAGE(at_once(text) == text, "the output is valid; seed " << seed);
  }
}

// All strings of up to four bytes, each of which begins, continues or breaks a sequence in its way.
BOOST_AUTO_TEST_CASE(equals_what_python_decodes) {
  const std::string alphabet = "a\x80\x8F\x90\x9F\xA0\xBF\xC1\xC2\xDF\xE0\xE1\xED\xF0\xF1\xF4\xF5";
  std::string records;
  const auto put = [&](std::string_view text) {
    const auto size = static_cast<std::uint32_t>(text.size());
    records.append(reinterpret_cast<const char*>(&size), sizeof size).append(text);
  };
  std::vector<std::string> strings = {""};
  for (std::size_t i = 0; i < strings.size(); ++i) {
    put(strings[i]);
    put(at_once(strings[i]));
    if (strings[i].size() == 4) continue;
    for (const char byte : alphabet) strings.push_back(strings[i] + byte);
  }
  const char* chosen = std::getenv("LAMINA_PYTHON");
  const std::string python = chosen != nullptr ? chosen : "python3";
  const test::TemporaryFolder folder;
  const auto script = std::filesystem::path(LAMINA_SOURCE_DIR) / "tests" / "runtime" / "streaming" /
                      "utf8_stream_oracle.py";
  const ChildResult result =
      run({.arguments = {python, script.string(), folder.write("records", records).string()},
           .log = folder.path() / "log"});
  if (!result.found) return test::skip(python + " is not there: set LAMINA_PYTHON");
  std::ifstream log(folder.path() / "log");
  BOOST_TEST(result.exit_code == 0, log.rdbuf());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
