// `lamina prompt` and `lamina tokenize --show` from outside, and text that leaves in chunks.
#include "tests/runtime/tools/run_program.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>

namespace lamina {
namespace {

using test::Arguments;
using test::check_fails;
using test::Json;
using test::json_of;
using test::Outcome;
using test::Program;
using test::operator+;

BOOST_AUTO_TEST_SUITE(prompt_tools)

BOOST_AUTO_TEST_CASE(tokens_are_shown) {
  const Program lamina;
  const Arguments show = {"tokenize", lamina.model(), "-p", "the x<end>", "--show"};
  BOOST_TEST(
      lamina(show).out ==
      "      29  the\n      27  \u2423\n      24  x\n       0  <end>  (special)\n"
      "4 tokens, 10 characters, 10 bytes, 2 words: 2.00 tokens a word, 2.50 bytes a token\n");
  const Json object = json_of(lamina, show);
  BOOST_TEST(object["tokens"] == Json({29, 27, 24, 0}));
  BOOST_TEST(object["pieces"][0]["text"] == "the");
  BOOST_TEST(object["pieces"][3]["special"] == true);
  BOOST_TEST(object["counts"]["words"] == 2);
}

BOOST_AUTO_TEST_CASE(a_prompt_is_looked_at) {
  const Program lamina;
  const Arguments lint = {"prompt", "lint", lamina.model(), "-p", "the x<end> "};
  const Outcome outcome = lamina(lint);
  BOOST_TEST(outcome.code == 0, outcome.err);
  BOOST_TEST(outcome.out.find("1:6 (byte 5): special-token: ") != std::string::npos, outcome.out);
  BOOST_TEST(outcome.out.find("1:11 (byte 10): trailing-space: ") != std::string::npos,
             outcome.out);
  BOOST_TEST(outcome.out.find("2 findings; 5 tokens, 1 of them format markers (20.0 %); of a "
                              "context of ") != std::string::npos,
             outcome.out);
  const Json object = json_of(lamina, lint + Arguments{"-c", "4"});
  BOOST_TEST(object["findings"].size() == 4u);
  BOOST_TEST(object["findings"][0]["kind"] == "special-token");
  BOOST_TEST(object["findings"][0]["line"] == 1);
  BOOST_TEST(object["findings"][0]["tokens"] == 1);
  BOOST_TEST(object["context"] == 4);
  const Outcome strict = lamina(lint + Arguments{"--strict"});
  BOOST_TEST(strict.code == 1);
  BOOST_TEST(strict.out == outcome.out);
  BOOST_TEST(strict.err.find("2 findings") != std::string::npos, strict.err);
  BOOST_TEST(lamina({"prompt", "lint", lamina.model(), "-", "--strict"}, "the x").code == 0);
}

BOOST_AUTO_TEST_CASE(a_conversation_is_looked_at) {
  const Program lamina;
  lamina.folder().write("t.jinja", "{% for m in messages %}in {{ m.content }}<end>{% endfor %}");
  lamina.folder().write("m.json", R"([{"role": "user", "content": "the x<end>"}])");
  const Arguments lint = {"prompt",          "lint",   lamina.model(), "--messages", "m.json",
                          "--chat-template", "t.jinja"};
  const Json object = json_of(lamina, lint);
  BOOST_TEST(object["findings"].size() == 1u);
  BOOST_TEST(object["findings"][0]["kind"] == "special-token");
  BOOST_TEST(object["findings"][0]["byte"] == 8);
  BOOST_TEST(object["findings"][0]["times"] == 1);
  lamina.folder().write("m.json", R"({"messages": 5})");
  check_fails(lamina, 1, lint, "--messages m.json");
  check_fails(
      lamina, 1,
      {"prompt", "lint", lamina.model(), "--messages", "no.json", "--chat-template", "t.jinja"},
      "no.json");
}

BOOST_AUTO_TEST_CASE(tokenizers_of_folders_and_single_files) {
  const Program lamina;
  std::filesystem::create_directory(lamina.folder().path() / "hf");
  lamina.folder().write("hf/tokenizer.json", R"({"added_tokens": [], "normalizer": null,
      "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
      "model": {"type": "WordLevel", "vocab": {"the": 0, "x": 1, "?": 2}, "unk_token": "?"}})");
  lamina.folder().write("hf/config.json", R"({"max_position_embeddings": 77})");
  lamina.folder().write("hf/tokenizer_config.json", R"({"chat_template": "[INST]"})");
  for (const char* model : {"hf", "hf/tokenizer.json"}) {
    BOOST_TEST(lamina({"tokenize", model, "-p", "x the y"}).out == "1 0 2\n");
    BOOST_TEST(json_of(lamina, {"prompt", "compare", "-a", "x", "-b", "x x",
                                model})["models"][0]["difference"] == 1);
  }
  BOOST_TEST(json_of(lamina, {"detokenize", "hf", "--tokens", "1,0"})["text"] == "x the");
  const Arguments lint = {"prompt", "lint", "hf", "-p", "[INST] x"};
  const Json object = json_of(lamina, lint);
  BOOST_TEST(object["context"] == 77);
  BOOST_TEST(object["findings"].empty());
  lamina.folder().write("hf/tokenizer_config.json", "{}");
  BOOST_TEST(json_of(lamina, lint)["findings"][0]["kind"] == "other-format");
}

BOOST_AUTO_TEST_CASE(two_phrasings_are_compared) {
  const Program lamina;
  lamina.folder().write("b.txt", "the xyz in");
  const std::string model = lamina.model();
  const Arguments compare = {"prompt",   "compare", "-a",  "the x in",
                             "--b-file", "b.txt",   model, model};
  const std::string table = lamina(compare).out;
  BOOST_TEST(std::count(table.begin(), table.end(), '\n') == 7, table);
  BOOST_TEST(table.find("after 3 and before 2 tokens in common, A: nothing\n  B: y|z\n") !=
                 std::string::npos,
             table);
  BOOST_TEST(table.find("+40.0") != std::string::npos, table);
  const Json object = json_of(lamina, compare);
  BOOST_TEST(object["b"]["bytes"] == 10);
  BOOST_TEST(object["models"].size() == 2u);
  BOOST_TEST(object["models"][1]["a"] == 5);
  BOOST_TEST(object["models"][1]["difference"] == 2);
  BOOST_TEST(object["models"][1]["only_b"][0]["text"] == "y");
}

BOOST_AUTO_TEST_CASE(wrong_command_lines) {
  const Program lamina;
  const std::string model = lamina.model();
  check_fails(lamina, 2, {"prompt"}, "subcommand");
  check_fails(lamina, 2, {"prompt", "lint", model}, "-p TEXT, -f FILE, -");
  check_fails(lamina, 2, {"prompt", "lint", model, "-p", "a", "--messages", "m"}, "--messages");
  check_fails(lamina, 2, {"prompt", "compare", "-a", "x", model}, "-b TEXT");
  check_fails(lamina, 2, {"prompt", "compare", "-a", "x", "--a-file", "y", "-b", "x", model},
              "--a-file FILE");
  check_fails(lamina, 1, {"prompt", "compare", "-a", "x", "--b-file", "no.txt", model},
              "--b-file no.txt: cannot be opened");
  check_fails(lamina, 2, {"run", model, "-p", "a", "--stream-interval", "5s"},
              "--stream-interval '5s'");
}

BOOST_AUTO_TEST_CASE(chunks_make_the_same_text) {
  const Program lamina;
  const Arguments run = {"run", lamina.model(), "-p",       "the x",
                         "-n",  "30",           "--greedy", "--ignore-eos"};
  const std::string text = lamina(run).out;
  for (const char* interval : {"7", "word", "50ms", "token"})
    BOOST_TEST(lamina(run + Arguments{"--stream-interval", interval}).out == text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
