// Tokenizers by path: folders, single files, what the files beside them say, and chat templates.
// Covers runtime/tokenizer/files/tokenizer_config.h.
#include "runtime/tokenizer/files/tokenizer_files.h"

#include "lamina/core/error.h"
#include "tests/message_of.h"
#include "tests/runtime/temporary_folder.h"
#include "tests/shared_data.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace lamina;
using Tokens = std::vector<Token>;

namespace {

constexpr const char* tokenizer_file = R"({
  "added_tokens": [{"id": 3, "content": "<s>", "special": true},
                   {"id": 4, "content": "</s>", "special": true},
                   {"id": 5, "content": "<|im_end|>", "special": true}],
  "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]},
  "decoder": {"type": "Fuse"}})";

/// A folder with the tokenizer and what tests add to it.
struct Folder : test::TemporaryFolder {
  Folder() { write("tokenizer.json", tokenizer_file); }

  TokenizerFiles open() const { return open_tokenizer(path()); }
};

/// A file of tiktoken: one byte a line, in base64.
std::string single_bytes() {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string lines;
  for (unsigned byte = 0; byte < 256; ++byte) {
    lines += std::string{digits[byte >> 2], digits[(byte & 3) << 4], '=', '='} + " " +
             std::to_string(byte) + "\n";
  }
  return lines;
}

Tokens ends(const TokenizerFiles& files) {
  const auto found = files.tokenizer.end_tokens();
  return {found.begin(), found.end()};
}

void check(const Tokens& found, const Tokens& expected) {
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

std::string refusal(const std::filesystem::path& path) {
  return test::message_of([&] { open_tokenizer(path); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tokenizer_files)

BOOST_AUTO_TEST_CASE(a_folder_with_a_tokenizer_alone) {
  const TokenizerFiles files = Folder().open();
  BOOST_TEST(files.tokenizer.model() == "BPE");
  BOOST_TEST(files.tokenizer.bos() == -1);
  BOOST_TEST(files.chat_templates.empty());
  check(files.tokenizer.encode("ab</s>"), {2, 4});
  check(ends(files), {4, 5});  // known by their texts
}

BOOST_AUTO_TEST_CASE(special_tokens_are_texts_or_objects) {
  const Folder folder;
  folder.write("special_tokens_map.json", R"({"bos_token": "b", "eos_token": "</s>"})");
  folder.write("tokenizer_config.json",
               R"({"bos_token": {"content": "<s>", "lstrip": false}, "eos_token": null})");
  const TokenizerFiles files = folder.open();
  BOOST_TEST(files.tokenizer.bos() == 3);
  BOOST_TEST(files.tokenizer.eos() == 4);
  check(files.tokenizer.encode("a"), {0});
}

BOOST_AUTO_TEST_CASE(what_is_put_around_a_text_is_said_by_the_file_if_it_can) {
  const std::string config = R"({"bos_token": "<s>", "eos_token": "</s>",
      "add_bos_token": true, "add_eos_token": true, "added_tokens_decoder": {
        "256": {"content": "<s>", "special": true}, "257": {"content": "</s>", "special": true}}})";
  const test::TemporaryFolder ranks;
  ranks.write("qwen.tiktoken", single_bytes());
  ranks.write("tokenizer_config.json", config);
  check(open_tokenizer(ranks.path()).tokenizer.encode("a</s>"), {256, 'a', 257, 257});
  check(open_tokenizer(ranks.path()).tokenizer.encode("a", {.add_special = false}), {'a'});
  const Folder folder;
  folder.write("tokenizer_config.json", R"({"bos_token": "<s>", "add_bos_token": true})");
  check(folder.open().tokenizer.encode("a"), {0});
  nlohmann::json json = nlohmann::json::parse(tokenizer_file);
  json["post_processor"] = {{"type", "BertProcessing"}, {"cls", {"<s>", 3}}, {"sep", {"</s>", 4}}};
  folder.write("tokenizer.json", json.dump());
  folder.write("tokenizer_config.json", R"({"bos_token": "<s>", "add_bos_token": false})");
  check(folder.open().tokenizer.encode("a"), {3, 0, 4});
}

BOOST_AUTO_TEST_CASE(end_tokens_are_one_or_several) {
  const Folder folder;
  folder.write("config.json", R"({"eos_token_id": 1})");
  check(ends(folder.open()), {1, 4, 5});
  BOOST_TEST(folder.open().tokenizer.eos() == 1);
  folder.write("generation_config.json", R"({"eos_token_id": [0, 2, 900]})");
  check(ends(folder.open()), {0, 2, 4, 5});
  folder.write("generation_config.json", R"({"eos_token_id": "</s>"})");
  BOOST_TEST(
      test::contains(refusal(folder.path()), "generation_config.json: eos_token_id is '</s>'"));
}

BOOST_AUTO_TEST_CASE(chat_templates_have_names_and_files_come_first) {
  const Folder folder;
  folder.write("tokenizer_config.json", R"({"chat_template": "one"})");
  BOOST_TEST(folder.open().chat_templates.at("default") == "one");
  folder.write("tokenizer_config.json", R"({"chat_template": [
      {"name": "default", "template": "one"}, {"name": "tool_use", "template": "two"}]})");
  BOOST_TEST(folder.open().chat_templates.size() == 2U);
  BOOST_TEST(folder.open().chat_templates.at("tool_use") == "two");
  folder.write("chat_template.jinja", "three\n");
  std::filesystem::create_directory(folder.path() / "additional_chat_templates");
  folder.write("additional_chat_templates/rag.jinja", "four");
  const auto templates = folder.open().chat_templates;
  BOOST_TEST(templates.at("default") == "three\n");
  BOOST_TEST(templates.at("tool_use") == "two");
  BOOST_TEST(templates.at("rag") == "four");
}

BOOST_AUTO_TEST_CASE(added_tokens_of_the_configuration_are_added) {
  const Folder folder;
  folder.write("tokenizer_config.json", R"({"added_tokens_decoder": {
      "5": {"content": "<|im_end|>", "special": false, "rstrip": true},
      "9": {"content": "<new>", "special": true}}})");
  const TokenizerFiles files = folder.open();
  BOOST_TEST(files.tokenizer.vocab_size() == 10);
  check(files.tokenizer.encode("<|im_end|>  <new>a"), {5, 9, 0});
  BOOST_TEST(files.tokenizer.is_special(9));
  BOOST_TEST(!files.tokenizer.is_special(5));
  folder.write("tokenizer_config.json", R"({"added_tokens_decoder": {"2": {"content": "x"}}})");
  BOOST_TEST(test::contains(refusal(folder.path()), "gives token 2 the text 'x'"));
  folder.write("tokenizer_config.json", R"({"added_tokens_decoder": {"two": {"content": "x"}}})");
  BOOST_TEST(test::contains(refusal(folder.path()), "added_tokens_decoder has the member 'two'"));
}

BOOST_AUTO_TEST_CASE(single_files_stand_for_themselves) {
  const Folder folder;
  folder.write("tokenizer_config.json", R"({"bos_token": "<s>", "add_bos_token": true})");
  check(open_tokenizer(folder.path() / "tokenizer.json").tokenizer.encode("a"), {0});
  const std::string lines = single_bytes();
  const auto qwen = open_tokenizer(folder.write("qwen.tiktoken", lines)).tokenizer;
  check(qwen.encode("a<|im_start|>b"), {'a', 151644, 'b'});
  check(qwen.encode("e\u0301"), {0xC3, 0xA9});  // composed
  BOOST_TEST(qwen.find("<|extra_204|>") == 151643 + 3 + 204);
  const std::string unnamed = refusal(folder.write("mine.tiktoken", lines));
  BOOST_TEST(test::contains(unnamed, "cl100k o200k p50k gpt2 llama3 qwen kimi"), unnamed);
}

BOOST_AUTO_TEST_CASE(a_folder_of_tiktoken_has_its_special_tokens_from_the_configuration) {
  const test::TemporaryFolder folder;
  folder.write("qwen.tiktoken", "YQ== 0\n");
  BOOST_TEST(test::contains(refusal(folder.path()), "qwen.tiktoken"));  // most bytes have no token
  folder.write("other.tiktoken", "YQ== 0\n");
  BOOST_TEST(test::contains(refusal(folder.path()), "several files of tiktoken"));
}

BOOST_AUTO_TEST_CASE(a_gguf_file_has_its_templates_by_key) {
  const TokenizerFiles files = open_tokenizer(test::goldens() / "tokenizer" / "llama.gguf");
  BOOST_TEST(files.tokenizer.model() == "llama");
  BOOST_TEST(files.chat_templates.empty());
}

BOOST_AUTO_TEST_CASE(a_file_is_known_by_what_it_holds) {
  const test::TemporaryFolder folder;
  const auto copy_of = [&](const char* name) {
    std::ifstream file(test::goldens() / "tokenizer" / name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const auto model = [&](const char* name, const std::string& content) {
    return std::string(open_tokenizer(folder.write(name, content)).tokenizer.model());
  };
  for (const char* name : {"model", "model.bin", "model.json"}) {
    BOOST_TEST(model(name, copy_of("llama.gguf")) == "llama", name);
    BOOST_TEST(model(name, std::string("\xEF\xBB\xBF \n") + tokenizer_file) == "BPE", name);
  }
  const auto qwen = folder.write("qwen.model", single_bytes());
  check(open_tokenizer(qwen).tokenizer.encode("a<|im_start|>"), {'a', 151644});
  // A piece "a" of score 0, and <unk> of type unknown.
  const std::string pieces =
      "\n\x08\n\x01"
      "a\x15" +
      std::string(4, '\0') + "\n\x0E\n\x05<unk>\x15" + std::string(4, '\0') + "\x18\x02";
  check(open_tokenizer(folder.write("pieces.bin", pieces)).tokenizer.encode("a"), {1, 0});
}

BOOST_AUTO_TEST_CASE(other_paths_are_errors) {
  const test::TemporaryFolder folder;
  BOOST_TEST(test::contains(refusal(folder.path()), "has no tokenizer, expected tokenizer.json"));
  BOOST_TEST(test::contains(refusal(folder.path() / "missing.json"), "missing.json"));
  const std::string notes = refusal(folder.write("notes.txt", "hello\x01"));
  BOOST_TEST(test::contains(notes, "notes.txt: begins with 'hello\\x01', which is no kind"), notes);
  for (const char* kind : {"GGUF", "tokenizer.json", "*.model", "*.tiktoken", "a folder"}) {
    BOOST_TEST(test::contains(notes, kind), notes);
  }
  // What says nothing by itself is taken for what it is called.
  BOOST_TEST(test::contains(refusal(folder.write("x.gguf", "hello")), "not a GGUF file"));
  BOOST_TEST(test::contains(refusal(folder.write("x.json", "hello")), "no JSON"));
  BOOST_TEST(test::contains(refusal(folder.write("x.model", "hello")), "x.model"));
  BOOST_TEST(test::contains(refusal(folder.write("qwen.tiktoken", "hello")), "line 1"));
  folder.write("tokenizer.json", "");
  BOOST_TEST(test::contains(refusal(folder.path()), "tokenizer.json"));
  folder.write("tokenizer.json", "{");
  BOOST_TEST(test::contains(refusal(folder.path()), "no JSON"));
}

BOOST_AUTO_TEST_SUITE_END()
