// The tokenizer as a whole: frames, special tokens, decoding, and files that are wrong.
#include "runtime/tokenizer/tokenizer.h"

#include "lamina/core/error.h"
#include "runtime/tokenizer/byte_alphabet.h"
#include "tests/message_of.h"
#include "tests/runtime/tokenizer/made_vocabulary.h"
#include "tests/runtime/tokenizer/seed.h"

#include <boost/test/unit_test.hpp>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace lamina;
using lamina::test::MadeVocabulary;
using Tokens = std::vector<Token>;

namespace {

constexpr Token unk = 0, bos = 1, eos = 2, tool = 3, space = 4, a = 5, b = 6;

/// Like the vocabulary of a Llama 2 model.
MadeVocabulary llama() {
  MadeVocabulary made;
  made.add("<unk>", test::unknown);
  made.add("<s>", test::control);
  made.add("</s>", test::control);
  made.add("<tool>", test::user_defined);
  for (const char* text : {"▁", "a", "b"}) made.add(text);
  made.add_byte_tokens();
  return made;
}

MadeVocabulary byte_level() {
  MadeVocabulary made;
  for (int value = 0; value < 256; ++value) {
    made.add(std::string(byte_symbol(static_cast<unsigned char>(value))));
  }
  made.add("<|end|>", test::control);
  return made;
}

Tokenizer tokenizer(const MadeVocabulary& made, const std::string& model,
                    const std::vector<std::pair<std::string, MetadataValue>>& keys = {}) {
  Metadata metadata = made.metadata(model);
  for (const auto& [key, value] : keys) metadata.set("tokenizer.ggml." + key, value);
  return Tokenizer::from_metadata(metadata);
}

std::string refusal(const Metadata& metadata) {
  return test::message_of([&] { Tokenizer::from_metadata(metadata); });
}

void check(const Tokens& found, const Tokens& expected) {
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

/// What is logged while the object lives.
class Log {
 public:
  Log() : before_(spdlog::default_logger()) {
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text_);
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("test", sink));
  }
  ~Log() { spdlog::set_default_logger(before_); }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::shared_ptr<spdlog::logger> before_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(tokenizer_as_a_whole)

BOOST_AUTO_TEST_CASE(a_llama_text_begins_with_bos_and_a_space) {
  const Tokenizer read = tokenizer(llama(), "llama");
  BOOST_TEST(read.model() == "llama");
  BOOST_TEST(read.vocab_size() == 7 + 256);
  BOOST_TEST(read.bos() == bos);
  BOOST_TEST(read.eos() == eos);
  check(read.encode("ab"), {bos, space, a, b});
  check(read.encode("ab", {.add_special = false}), {space, a, b});
  check(read.encode(""), {bos});
  check(read.encode("", {.add_special = false}), {});
  check(tokenizer(llama(), "llama", {{"add_space_prefix", false}}).encode("ab"), {bos, a, b});
  check(tokenizer(llama(), "llama", {{"add_bos_token", false}}).encode("a"), {space, a});
  check(tokenizer(llama(), "llama", {{"add_eos_token", true}}).encode("a"), {bos, space, a, eos});
}

BOOST_AUTO_TEST_CASE(a_space_also_follows_every_special_token) {
  const Tokenizer read = tokenizer(llama(), "llama");
  check(read.encode("a</s>b", {.add_special = false}), {space, a, eos, space, b});
  check(read.encode("</s><tool> b", {.add_special = false}), {eos, tool, space, space, b});
  check(read.encode("a<tool>b", {.add_special = false, .parse_special = false}),
        {space, a, tool, space, b});
  const Tokens spelled = read.encode("</s>", {.add_special = false, .parse_special = false});
  check(spelled, {space, 7 + '<', 7 + '/', 7 + 's', 7 + '>'});
}

BOOST_AUTO_TEST_CASE(decoding_takes_the_added_spaces_away) {
  const Tokenizer read = tokenizer(llama(), "llama");
  for (const std::string text :
       {"a", " a", "  a ", "a<tool>b", "a<tool> b", "<tool>", "", " ", "\n", "é\xFF", "</s> "}) {
    const EncodeOptions plain{.parse_special = false};
    BOOST_TEST(read.decode(read.encode(text, plain)) == text);
  }
  const Tokens tokens = read.encode("a</s>b");
  BOOST_TEST(read.decode(tokens) == "ab");
  BOOST_TEST(read.decode(tokens, true) == "<s>a</s>b");
  BOOST_TEST(read.decode(Tokens{unk, a}) == "a");
  BOOST_TEST(read.decode(Tokens{unk, a}, true) == "<unk>a");
}

BOOST_AUTO_TEST_CASE(pieces_are_what_decoding_joins) {
  std::mt19937 random(test::seed());
  for (const bool prefix : {false, true}) {
    const Tokenizer read = tokenizer(llama(), "llama", {{"add_space_prefix", prefix}});
    for (int round = 0; round < 200; ++round) {
      Tokens tokens(random() % 20);
      for (Token& token : tokens) {
        token = static_cast<Token>(random() % static_cast<unsigned>(read.vocab_size()));
      }
      const bool special = round % 2 == 0;
      std::string joined, without_prefixes;
      bool after_special = true;
      for (const Token token : tokens) {
        const std::string piece = read.piece(token, special);
        joined += piece;
        const bool added = prefix && after_special && token > tool && piece.starts_with(' ');
        without_prefixes += added ? piece.substr(1) : piece;
        after_special = token <= tool;
      }
      BOOST_TEST((read.decode(tokens, special) == without_prefixes));
      if (!prefix) BOOST_TEST((read.decode(tokens, special) == joined));
    }
  }
}

BOOST_AUTO_TEST_CASE(tokens_outside_the_vocabulary_are_an_error) {
  const Tokenizer read = tokenizer(llama(), "llama");
  for (const Token token : {-1, 7 + 256, 1 << 30}) {
    BOOST_CHECK_THROW(read.piece(token), Error);
    BOOST_CHECK_THROW(read.decode(Tokens{a, token}), Error);
    BOOST_TEST(!read.is_end(token));
  }
}

BOOST_AUTO_TEST_CASE(any_bytes_survive_a_round_trip) {
  std::mt19937 random(test::seed());
  MadeVocabulary gemma = llama();
  const Tokenizer kinds[] = {tokenizer(llama(), "llama"), tokenizer(byte_level(), "gpt2"),
                             tokenizer(gemma, "gemma4", {{"bos_token_id", 1U}})};
  for (int round = 0; round < 500; ++round) {
    std::string text(random() % 50, ' ');
    for (char& byte : text) byte = static_cast<char>(random());
    if (round % 3 == 0) text += std::string("a\0\xC0\x80 \xED\xA0\x80\xF4\x90\x80\x80\xF0\x9F", 15);
    for (const Tokenizer& read : kinds) {
      const Tokens tokens = read.encode(text, {.parse_special = false});
      BOOST_TEST((read.decode(tokens) == text), read.model());
    }
  }
}

BOOST_AUTO_TEST_CASE(byte_level_texts_have_no_frame_unless_the_file_asks_for_one) {
  const MadeVocabulary made = byte_level();
  const Tokenizer read = tokenizer(made, "gpt2", {{"eos_token_id", 256U}});
  BOOST_TEST(read.bos() == -1);  // token 11, the default, is ordinary here
  BOOST_TEST(read.eos() == 256);
  BOOST_TEST(read.is_end(256));
  check(read.encode("a"), {'a'});
  check(read.encode("a<|end|>"), {'a', 256});
  check(tokenizer(made, "gpt2", {{"bos_token_id", 256U}, {"add_bos_token", true}}).encode("a"),
        {256, 'a'});
  check(tokenizer(made, "gpt2", {{"bos_token_id", 256U}, {"pre", "llama-bpe"}}).encode("a"),
        {256, 'a'});  // this preset adds it
}

BOOST_AUTO_TEST_CASE(gemma4_always_adds_bos) {
  const std::vector<std::pair<std::string, MetadataValue>> keys = {{"bos_token_id", 1U},
                                                                   {"add_bos_token", false}};
  const Log log;
  check(tokenizer(llama(), "gemma4", keys).encode("a"), {bos, a});
  BOOST_TEST(test::contains(log.text(), "tokenizer.ggml.add_bos_token is false"));
}

BOOST_AUTO_TEST_CASE(phi3_takes_white_space_after_special_tokens_for_part_of_them) {
  Metadata metadata = llama().metadata("llama");
  metadata.set("general.name", "Phi-3 mini");
  const Tokenizer read = Tokenizer::from_metadata(metadata);
  check(read.encode("</s>\n a<s> a"), {bos, eos, space, a, bos, space, space, a});
}

BOOST_AUTO_TEST_CASE(two_beginnings_are_warned_of) {
  const Tokenizer read = tokenizer(llama(), "llama");
  const Log log;
  check(read.encode("<s>a"), {bos, bos, space, a});
  BOOST_TEST(test::contains(log.text(), "'<s>'"));
  BOOST_TEST(test::contains(log.text(), "two"));
}

BOOST_AUTO_TEST_CASE(without_a_pre_tokenizer_the_default_is_taken_with_a_warning) {
  Metadata metadata = byte_level().metadata("gpt2");
  std::vector<MetadataEntry> kept;
  for (const MetadataEntry& entry : metadata.entries()) {
    if (entry.key != "tokenizer.ggml.pre") kept.push_back(entry);
  }
  const Log log;
  const Tokenizer read = Tokenizer::from_metadata(Metadata("file.gguf", kept));
  BOOST_TEST(read.encode("ab").size() == 2U);
  BOOST_TEST(test::contains(log.text(), "file.gguf: tokenizer.ggml.pre is missing"));
}

BOOST_AUTO_TEST_CASE(unknown_kinds_and_pre_tokenizers_are_errors_that_list_the_known) {
  const std::string model = refusal(llama().metadata("plamo2"));
  BOOST_TEST(test::contains(model, "tokenizer.ggml.model is 'plamo2'"), model);
  BOOST_TEST(test::contains(model, "llama gpt2 gemma4 t5 bert rwkv"), model);
  Metadata metadata = byte_level().metadata("gpt2");
  metadata.set("tokenizer.ggml.pre", "from the future");
  const std::string pre = refusal(metadata);
  BOOST_TEST(test::contains(pre, "tokenizer.ggml.pre is 'from the future'"), pre);
  BOOST_TEST(test::contains(pre, "smollm"), pre);
  BOOST_TEST(test::contains(refusal(Metadata({{"general.name", "x"}})), "tokenizer.ggml.model"));
}

BOOST_AUTO_TEST_CASE(tokens_of_keys_must_be_there) {
  for (const char* key : {"bos_token_id", "eos_token_id", "unknown_token_id", "eot_token_id"}) {
    Metadata metadata = llama().metadata("llama");
    metadata.set(std::string("tokenizer.ggml.") + key, 1000U);
    BOOST_TEST(test::contains(refusal(metadata), key), key);
  }
  Metadata metadata = byte_level().metadata("gpt2");
  metadata.set("tokenizer.ggml.add_bos_token", true);
  BOOST_TEST(test::contains(refusal(metadata), "tokenizer.ggml.bos_token_id is missing"));
  metadata.set("tokenizer.ggml.add_bos_token", "yes");
  BOOST_TEST(test::contains(refusal(metadata), "tokenizer.ggml.add_bos_token"));
}

BOOST_AUTO_TEST_CASE(a_tokenizer_outlives_its_metadata_and_may_move) {
  auto metadata = std::make_unique<Metadata>(llama().metadata("llama"));
  Tokenizer first = Tokenizer::from_metadata(*metadata);
  metadata.reset();
  Tokenizer second = std::move(first);
  check(second.encode("ab"), {bos, space, a, b});
  first = std::move(second);
  BOOST_TEST(first.decode(Tokens{bos, space, a}) == "a");
}

BOOST_AUTO_TEST_SUITE_END()
