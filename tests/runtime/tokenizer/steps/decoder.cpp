// Decoders: cases by hand, bytes that are no UTF-8, long lists, and against tokenizers.
//
// The comparison runs where $LAMINA_PYTHON (default: python3) can import tokenizers.
#include "runtime/tokenizer/steps/decoder.h"

#include "lamina/core/error.h"
#include "tests/runtime/tokenizer/cpu_time.h"
#include "tests/runtime/tokenizer/python_oracle.h"

#include <boost/test/unit_test.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace lamina;

namespace {

using Texts = std::vector<std::string>;

std::string decoded(DecoderStep step, Texts texts, InvalidBytes invalid = InvalidBytes::replaced) {
  return Decoder({std::move(step)}, invalid).decode(std::move(texts));
}

TextPattern literal(std::string text) { return {std::move(text), false}; }
TextPattern regex(std::string text) { return {std::move(text), true}; }

/// By the names of decoder_oracle.py.
std::map<std::string, Decoder> known_decoders() {
  std::map<std::string, Decoder> known;
  const auto add = [&](const char* name, std::vector<DecoderStep> steps) {
    known.emplace(name, Decoder(std::move(steps)));
  };
  add("byte level", {ByteLevelDecoder{}});
  add("metaspace", {MetaspaceDecoder{}});
  add("metaspace never", {MetaspaceDecoder{"▁", false}});
  add("metaspace first", {MetaspaceDecoder{"_", true}});
  add("word piece", {WordPieceDecoder{}});
  add("word piece plain", {WordPieceDecoder{"@@", false}});
  add("byte fallback", {ByteFallback{}});
  add("fuse", {Fuse{}});
  add("replace", {ReplaceDecoder{literal("▁"), " "}});
  add("replace pattern", {ReplaceDecoder{regex("\\s+|a*"), "-"}});
  add("strip start", {StripDecoder{" ", 1, 0}});
  add("strip starts", {StripDecoder{"a", 3, 0}});
  add("strip end", {StripDecoder{" ", 0, 1}});
  add("bpe", {BpeDecoder{}});
  add("bpe suffix", {BpeDecoder{"a"}});
  add("ctc", {CtcDecoder{}});
  add("ctc plain", {CtcDecoder{"a", " ", false}});
  add("llama",
      {ReplaceDecoder{literal("▁"), " "}, ByteFallback{}, Fuse{}, StripDecoder{" ", 1, 0}});
  add("bytes of words", {WordPieceDecoder{}, ByteLevelDecoder{}});
  return known;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(decoder)

BOOST_AUTO_TEST_CASE(each_step_by_hand) {
  BOOST_TEST(decoded(ByteLevelDecoder{}, {"ä¸", "Ń", "Ġa", "中"}) == "中 a中");
  BOOST_TEST(decoded(MetaspaceDecoder{}, {"▁a▁b", "▁c"}) == "ab c");
  BOOST_TEST(decoded(MetaspaceDecoder{"▁", false}, {"▁a", "▁c"}) == " a c");
  BOOST_TEST(decoded(WordPieceDecoder{}, {"##un", "##able", ",", "you"}) == "##unable, you");
  BOOST_TEST(decoded(WordPieceDecoder{"##", false}, {"a", ","}) == "a ,");
  BOOST_TEST(decoded(ByteFallback{}, {"<0xE4>", "<0xB8>", "<0xAD>", "a", "<0x0a>"}) == "中a\n");
  BOOST_TEST(decoded(ReplaceDecoder{literal("a"), "b"}, {"aa", "ca"}) == "bbcb");
  BOOST_TEST(decoded(StripDecoder{" ", 1, 0}, {"  a", " b"}) == " ab");
  BOOST_TEST(decoded(StripDecoder{" ", 0, 2}, {"a   ", " "}) == "a ");
  BOOST_TEST(decoded(BpeDecoder{}, {"lo</w>", "w", "er</w>"}) == "lo wer");
  BOOST_TEST(decoded(BpeDecoder{""}, {"ab"}) == "ab");
  BOOST_TEST(decoded(CtcDecoder{}, {"h", "h", "<pad>", "h", "|", "e"}) == "hh e");
  BOOST_TEST(Decoder().decode({"a", "b"}) == "ab");
  BOOST_TEST(Decoder().empty());
  const Decoder one_text({Fuse{}, StripDecoder{" ", 1, 0}});
  BOOST_TEST(one_text.decode({" a", " b"}) == "a b");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_utf8_are_replaced_or_kept) {
  BOOST_TEST(decoded(ByteLevelDecoder{}, {"aä¸"}) == "a\uFFFD");  // one for a part
  BOOST_TEST(decoded(ByteLevelDecoder{}, {"aä¸"}, InvalidBytes::kept) == "a\xE4\xB8");
  BOOST_TEST(decoded(ByteFallback{}, {"<0x41>", "<0xE4>", "b"}) == "\uFFFD\uFFFDb");
  BOOST_TEST(decoded(ByteFallback{}, {"<0x41>", "<0xE4>"}, InvalidBytes::kept) == "A\xE4");
  const std::string bytes = "\xFF\x80 x";
  for (const auto& [name, decoder] : known_decoders()) {
    if (name == "byte level" || name == "bytes of words") continue;
    BOOST_TEST(decoder.decode({bytes}).find("\xFF") != std::string::npos, name);
  }
}

BOOST_AUTO_TEST_CASE(wrong_options_are_errors) {
  BOOST_CHECK_THROW(decoded(MetaspaceDecoder{"ab", true}, {}), Error);
  BOOST_CHECK_THROW(decoded(StripDecoder{"", 1, 1}, {}), Error);
  BOOST_CHECK_THROW(decoded(ReplaceDecoder{regex("("), ""}, {}), Error);
}

BOOST_AUTO_TEST_CASE(long_lists_take_linear_time) {
  for (const auto& [name, decoder] : known_decoders()) {
    for (const std::string_view unit : {"a", " ", "<0xE4>", "▁", "##x"}) {
      const test::CpuTime time;
      decoder.decode(Texts(100'000, std::string(unit)));
      std::string long_text;
      for (int i = 0; i < 100'000; ++i) long_text += unit;
      decoder.decode({long_text});
      BOOST_TEST(time.seconds() < test::limit(0.7), name << " took " << time.seconds());
    }
  }
}

BOOST_AUTO_TEST_CASE(texts_equal_those_of_tokenizers) {
  auto oracle = test::python_oracle("decoder_oracle.py", "tokenizers");
  if (!oracle) return;
  const std::map<std::string, Decoder> known = known_decoders();
  const std::vector<std::string> names = oracle->texts();
  BOOST_TEST_REQUIRE(names.size() == known.size());
  test::Differences wrong;
  const std::uint32_t lists = oracle->number();
  BOOST_TEST(lists > 3000U);
  for (std::uint32_t i = 0; i < lists; ++i) {
    const Texts texts = oracle->texts();
    for (const std::string& name : names) {
      const bool works = oracle->number() != 0;
      const std::string expected = oracle->text();
      const std::string result = known.at(name).decode(texts);
      if (!works || result == expected || !wrong.add(name)) continue;
      BOOST_TEST_MESSAGE(name << ": '" << result << "' instead of '" << expected << "'");
    }
  }
  BOOST_TEST(oracle->at_end());
  wrong.check("lists");
}

BOOST_AUTO_TEST_SUITE_END()
