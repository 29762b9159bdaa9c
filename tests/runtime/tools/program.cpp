// The program from outside: what goes to stdout, what to stderr, and the exit codes.
// Covers runtime/tools/output.h and runtime/tools/tools.h.
#include "npy_file.h"
#include "runtime/child_process.h"
#include "runtime/environment.h"
#include "runtime/model_catalog.h"
#include "tests/runtime/tools/run_program.h"
#include "shared_data.h"
#include "skip.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <iterator>
#include <set>

namespace lamina {
namespace {

namespace fs = std::filesystem;
using test::Arguments;
using test::check_fails;
using test::content;
using test::Json;
using test::json_of;
using test::Outcome;
using test::Program;
using test::operator+;

BOOST_AUTO_TEST_SUITE(program)

BOOST_AUTO_TEST_CASE(help_and_version_go_to_stdout) {
  const Program lamina;
  for (const Arguments& arguments :
       {Arguments{"--help"}, {"--version"}, {"run", "--help"}, {"models", "--help"}}) {
    const Outcome outcome = lamina(arguments);
    BOOST_TEST(outcome.code == 0);
    BOOST_TEST(!outcome.out.empty());
    BOOST_TEST(outcome.err.empty(), outcome.err);
  }
  const std::string version = lamina({"--version"}).out;
  for (const char* part :
       {"lamina 0.1", "build:", "isa: ", "portable", "backends:", "cpu", "reference"}) {
    BOOST_TEST(version.find(part) != std::string::npos, version);
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_command_line_is_2) {
  const Program lamina;
  const std::string model = lamina.model();
  check_fails(lamina, 2, {}, "`lamina` needs a command; expected one of: run, chat, ");
  check_fails(lamina, 2, {"dance"}, "dance");
  check_fails(lamina, 2, {"run"}, "MODEL");
  check_fails(lamina, 2, {"run", model}, "exactly one of: -p TEXT, -f FILE, --tokens IDS, -");
  check_fails(lamina, 2, {"run", model, "-p", "a", "--tokens", "1"}, "more than one");
  check_fails(lamina, 2, {"run", model, "-p", "a", "--bogus"}, "--bogus");
  check_fails(lamina, 2, {"run", model, "-p", "a", "-n", "3x"}, "-n '3x'");
  check_fails(lamina, 2, {"run", model, "-p", "a", "-n", "-1"}, "-n '-1'");
  check_fails(lamina, 2, {"run", model, "-p", "a", "--temperature", "-1"}, "--temperature");
  check_fails(lamina, 2, {"run", model, "-p", "a", "--top-p", "1.5"}, "--top-p");
  check_fails(lamina, 2, {"run", model, "-p", "a", "--stop", ""}, "--stop");
  check_fails(lamina, 2, {"run", model, "-p", "a", "--backend", "gpu"}, "--backend 'gpu'");
  check_fails(lamina, 2, {"run", model, "-p", "a", "--kv-v", "q9"}, "--kv-v 'q9'");
  check_fails(lamina, 2, {"run", model, "--tokens", "1,61"}, "--tokens '61'");
  check_fails(lamina, 2, {"logits", model, "--tokens", "1"}, "-o");
  check_fails(lamina, 2, {"detokenize", model, "--tokens", "a"}, "--tokens 'a'");
  check_fails(lamina, 2, {"detokenize", model, "--tokens", "61"}, "--tokens '61'");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_done_is_1) {
  const Program lamina;
  const std::string model = lamina.model();
  const fs::path folder = lamina.folder().path();
  const std::string cut =
      lamina.folder().write("cut.gguf", content(model).substr(0, 20000)).string();
  const std::string other = lamina.folder().write("other.gguf", "PK\x03\x04 no model").string();
  const std::string empty = lamina.folder().write("empty.gguf", "").string();
  for (const Arguments& command : {Arguments{"run", "-p", "a"},
                                   {"logits", "-o", "x.npy", "--tokens", "1"},
                                   {"inspect"},
                                   {"tokenize", "-p", "a"}}) {
    const auto with = [&](const std::string& path) {
      Arguments all = command;
      all.insert(all.begin() + 1, path);
      return all;
    };
    check_fails(lamina, 1, with("missing.gguf"), "missing.gguf");
    check_fails(lamina, 1, with("smolm2-135m"), "smollm2-135m, gemma3-270m");
    check_fails(
        lamina, 1, with(folder.string()),
        command[0] == "tokenize" ? "has no tokenizer, expected tokenizer.json" : "directory");
    check_fails(lamina, 1, with(cut), "cut.gguf");
    check_fails(lamina, 1, with(other), "not a GGUF file");
    check_fails(lamina, 1, with(empty), "empty.gguf");
  }
  BOOST_TEST(!fs::exists(folder / "x.npy"));
  check_fails(lamina, 1, {"run", model, "-f", "missing.txt"}, "missing.txt");
  check_fails(lamina, 1, {"run", model, "-p", ""}, "no tokens");
  check_fails(lamina, 1, {"run", model, "-p", "abcdef", "-c", "5"},
              "6 tokens, but the context only 5");
  check_fails(lamina, 1,
              {"run", model, "-p", "a", "-c", "2147483647", "--kv-k", "f32", "--kv-v", "f32"},
              "the largest context that fits is");
  check_fails(lamina, 1, {"logits", model, "--tokens", "1", "-o", "no/x.npy"}, "no/x.npy");
  const std::string bare = (test::goldens() / "models" / "llama.gguf").string();
  check_fails(lamina, 1, {"run", bare, "-p", "a"}, "tokenizer.ggml.model");
}

BOOST_AUTO_TEST_CASE(text_streams_to_stdout_and_nothing_else_does) {
  const Program lamina;
  const Arguments command = {"run", lamina.model(), "-p",       "in the end",
                             "-n",  "20",           "--greedy", "--ignore-eos"};
  const Outcome outcome = lamina(command);
  BOOST_TEST(outcome.code == 0, outcome.err);
  const Json object = json_of(lamina, command);
  BOOST_TEST(outcome.out == object["text"].get<std::string>());
  BOOST_TEST(!outcome.out.empty());
  for (const char* part : {"KV memory:", "first token", "tokens/s", "peak memory", "load"}) {
    BOOST_TEST(outcome.err.find(part) != std::string::npos, outcome.err);
  }
  BOOST_TEST(outcome.err.find('\x1b') == std::string::npos);
  BOOST_TEST(lamina(command + Arguments{"--log-level", "off"}).err.empty());
  const std::string debug = lamina(command + Arguments{"--log-level", "debug"}).err;
  BOOST_TEST(debug.find("temperature 0.8") != std::string::npos, debug);
}

BOOST_AUTO_TEST_CASE(the_json_object_of_run) {
  const Program lamina;
  const Json object = json_of(
      lamina, {"run", lamina.model(), "-p", "the x", "-n", "7", "--greedy", "--ignore-eos"});
  std::set<std::string> keys, times;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  for (const auto& [key, value] : object["timings"].items()) times.insert(key);
  BOOST_TEST(keys == (std::set<std::string>{"prompt_tokens", "tokens", "text", "finish_reason",
                                            "timings"}),
             boost::test_tools::per_element());
  BOOST_TEST(times == (std::set<std::string>{"prompt_n", "prompt_ms", "prompt_per_second",
                                             "predicted_n", "predicted_ms", "predicted_per_second",
                                             "load_ms", "ttft_ms", "peak_rss_bytes"}),
             boost::test_tools::per_element());
  BOOST_TEST(object["prompt_tokens"] == Json({29, 27, 24}));
  BOOST_TEST(object["tokens"].size() == 7u);
  BOOST_TEST(object["finish_reason"] == "length");
  BOOST_TEST(object["timings"]["prompt_n"] == 3);
  BOOST_TEST(object["timings"]["predicted_n"] == 7);
  BOOST_TEST(object["timings"]["peak_rss_bytes"] > 1000000);
}

BOOST_AUTO_TEST_CASE(every_way_to_give_the_prompt) {
  const Program lamina;
  const Arguments model = {"run", lamina.model()}, rest = {"-n", "5", "--greedy"};
  const std::string expected = lamina(model + Arguments{"-p", "the x"} + rest).out;
  lamina.folder().write("prompt", "the x");
  BOOST_TEST(lamina(model + Arguments{"-f", "prompt"} + rest).out == expected);
  BOOST_TEST(lamina(model + Arguments{"--tokens", "29,27,24"} + rest).out == expected);
  BOOST_TEST(lamina(model + Arguments{"-"} + rest, "the x").out == expected);
}

BOOST_AUTO_TEST_CASE(limits_and_stops) {
  const Program lamina;
  const Arguments run = {"run", lamina.model(), "-p", "the x", "--greedy", "--ignore-eos"};
  const Json none = json_of(lamina, run + Arguments{"-n", "0"});
  BOOST_TEST(none["tokens"].empty());
  BOOST_TEST(none["text"] == "");
  const Json full = json_of(lamina, run + Arguments{"-c", "9"});
  BOOST_TEST(full["tokens"].size() == 6u);
  BOOST_TEST(full["finish_reason"] == "length");
  const auto text = full["text"].get<std::string>();
  BOOST_TEST_REQUIRE(text.size() > 3u);
  const std::string stop = text.substr(2, 2);
  const Json stopped = json_of(lamina, run + Arguments{"--stop", "never", "--stop", stop});
  BOOST_TEST(stopped["text"] == text.substr(0, text.find(stop)));
  BOOST_TEST(stopped["finish_reason"] == "stop");
}

BOOST_AUTO_TEST_CASE(an_end_token_ends_and_its_text_stops) {
  const Program lamina;
  // A penalty that no other token gets drives the model to the end token it has not said yet.
  const Arguments run = {
      "run", lamina.model(), "-p", "the x",   "--seed", "3",       "--temperature",
      "50",  "--top-k",      "0",  "--top-p", "1",      "--min-p", "0",
      "-n",  "200"};
  const Json ended = json_of(lamina, run);
  BOOST_TEST(ended["finish_reason"] == "stop");
  const Json ignored = json_of(lamina, run + Arguments{"--ignore-eos"});
  BOOST_TEST(ignored["tokens"].size() == 200u);
  const auto count = ended["tokens"].size();
  BOOST_TEST(ignored["tokens"][count] == 0);  // here the other one ended
  BOOST_TEST(ignored["text"].get<std::string>().starts_with(ended["text"].get<std::string>()));
  const Json named = json_of(lamina, run + Arguments{"--ignore-eos", "--stop", "<end>"});
  BOOST_TEST(named["tokens"] == ended["tokens"]);  // the stop string spells a token without text
}

BOOST_AUTO_TEST_CASE(a_seed_repeats_and_both_backends_agree) {
  const Program lamina;
  const Arguments run = {"run",          lamina.model(),  "-p", "the x", "-n", "20",
                         "--ignore-eos", "--temperature", "2"};
  const std::string five = lamina(run + Arguments{"--seed", "5"}).out;
  BOOST_TEST(lamina(run + Arguments{"--seed", "5", "--threads", "1"}).out == five);
  BOOST_TEST(lamina(run + Arguments{"--seed", "6"}).out != five);
  const Arguments greedy = {"--greedy", "--kv-k", "f32", "--kv-v", "f32"};
  BOOST_TEST(lamina(run + greedy + Arguments{"--backend", "reference"}).out ==
             lamina(run + greedy + Arguments{"--backend", "cpu"}).out);
}

BOOST_AUTO_TEST_CASE(ctrl_c_ends_the_text_and_prints_the_timings) {
  const Program lamina;
  const Outcome outcome =
      lamina({"run", lamina.model(), "-p", "the x", "--ignore-eos", "-c", "1000000"}, "", true);
  BOOST_TEST(outcome.code == 0, outcome.err);
  BOOST_TEST(!outcome.out.empty());
  BOOST_TEST(outcome.err.find("peak memory") != std::string::npos, outcome.err);
}

BOOST_AUTO_TEST_CASE(tokens_and_back) {
  const Program lamina;
  const std::string model = lamina.model();
  BOOST_TEST(lamina({"tokenize", model, "-p", "the x"}).out == "29 27 24\n");
  BOOST_TEST(lamina({"tokenize", model, "-p", "the x", "--output", "json"}).out == "[29,27,24]\n");
  BOOST_TEST(lamina({"tokenize", model, "-p", ""}).out == "\n");
  BOOST_TEST(lamina({"tokenize", model, "-p", "a<end>b"}).out == "1 0 2\n");
  BOOST_TEST(lamina({"detokenize", model, "--tokens", "29 27 24"}).out == "the x");
  BOOST_TEST(json_of(lamina, {"detokenize", model, "--tokens", "29,0,24"})["text"] == "thex");
}

BOOST_AUTO_TEST_CASE(logits_of_the_last_and_of_all_positions) {
  const Program lamina;
  const std::string model =
      (test::goldens() / "models" / "llama.gguf").string();  // has no tokenizer
  const auto ids = Json::parse(content(test::goldens() / "models" / "llama.tokens.json"));
  const test::NpyMatrix golden = test::read_npy(test::goldens() / "models" / "llama.logits.npy");
  const auto logits = [&](const Arguments& more) {
    const Outcome outcome = lamina(Arguments{"logits", model, "--tokens", ids.dump(), "-o", "l.npy",
                                             "--backend", "reference"} +
                                   more);
    BOOST_TEST_REQUIRE(outcome.code == 0, outcome.err);
    BOOST_TEST(outcome.out.empty());
    return test::read_npy(lamina.folder().path() / "l.npy");
  };
  const test::NpyMatrix last = logits({}), all = logits({"--all"});
  BOOST_TEST(last.rows == 1u);
  BOOST_TEST(all.rows == ids.size());
  BOOST_TEST(all.cols == 61u);
  const auto end = all.row(all.rows - 1);
  BOOST_TEST(std::equal(end.begin(), end.end(), last.values.begin()));  // bit by bit
  double worst = 0;
  for (std::size_t r = 0; r < golden.rows; ++r) {
    const auto row = all.row(all.rows - golden.rows + r);
    for (std::size_t i = 0; i < row.size(); ++i)
      worst = std::max(worst, std::abs(double{row[i]} - golden.row(r)[i]));
  }
  BOOST_TEST(worst < 1e-4);
}

BOOST_AUTO_TEST_CASE(inspecting) {
  const Program lamina;
  const std::string model = (test::goldens() / "gguf" / "split-00001-of-00002.gguf").string();
  const Outcome outcome = lamina({"inspect", model});
  BOOST_TEST(outcome.code == 0, outcome.err);
  const Json object = json_of(lamina, {"inspect", model});
  BOOST_TEST(object["files"].size() == 2u);
  for (const Json& tensor : object["tensors"]) {
    BOOST_TEST(outcome.out.find(tensor["name"].get<std::string>()) != std::string::npos);
  }
  for (const auto& [key, value] : object["metadata"].items())
    BOOST_TEST(outcome.out.find(key) != std::string::npos);
  BOOST_TEST(object["total"]["tensors"] == object["tensors"].size());
  const Json types =
      json_of(lamina, {"inspect", (test::goldens() / "gguf" / "every_type.gguf").string()});
  BOOST_TEST(!types["metadata"].empty());
}

BOOST_AUTO_TEST_CASE(listing_models) {
  const Program lamina;
  const test::Environment cache("XDG_CACHE_HOME", lamina.folder().path().string());
  const std::string text = lamina({"models"}).out;
  BOOST_TEST(text.find("not here yet") != std::string::npos);
  const Json list = json_of(lamina, {"models"});
  BOOST_TEST(list.size() == 2u);
  for (const Json& model : list) {
    BOOST_TEST(text.find(model["name"].get<std::string>()) != std::string::npos);
    BOOST_TEST(text.find(model["license"].get<std::string>()) != std::string::npos);
    BOOST_TEST(model["cached"] == false);
  }
  fs::create_directories(lamina.folder().path() / "lamina");
  lamina.folder().write("lamina/smollm2-135m.gguf", "half a file");
  check_fails(lamina, 1, {"inspect", "smollm2-135m"},
              "is damaged: it has 11 bytes, expected 98362432");
}

BOOST_AUTO_TEST_CASE(a_full_stdout_is_an_error) {
  const Program lamina;
  const std::string model = lamina.model();
  lamina.folder().write("t.jinja", "{{ messages[0].content }}");
  lamina.folder().write("case.json", R"({"messages": [{"role": "user", "content": "a"}]})");
  lamina.folder().write("text", "abcdefghijklmnopqrst");
  const std::string folder = lamina.folder().path().string() + "/";
  const std::vector<Arguments> commands = {
      {"--help"},
      {"--version"},
      {"prompt", "lint", "--help"},
      {"run", model, "-p", "a", "-n", "8", "--greedy", "--ignore-eos"},
      {"chat", model, "--chat-template", folder + "t.jinja", "-p", "a", "-n", "8", "--greedy"},
      {"chat", model, "--chat-template", "list"},
      {"tokenize", model, "-p", "a"},
      {"detokenize", model, "--tokens", "1"},
      {"prompt", "lint", model, "-p", "a"},
      {"prompt", "compare", "-a", "x", "-b", "y", model},
      {"template", folder + "t.jinja", folder + "case.json"},
      {"inspect", model},
      {"perplexity", model, "-f", folder + "text", "-c", "8"},
      {"models"}};
  for (const Arguments& command : commands) {
    for (const char* nowhere : {">/dev/full", ">&-"}) {
      const fs::path log = folder + "log";
      const Arguments shell = {"sh", "-c", std::string("exec \"$0\" \"$@\" ") + nowhere,
                               LAMINA_BINARY_DIR "/lamina"};
      BOOST_TEST(run({.arguments = shell + command, .log = log}).exit_code == 1,
                 command[0] << nowhere);
      BOOST_TEST(content(log).find("error: stdout: writing failed") != std::string::npos,
                 command[0] << nowhere << content(log));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_real_model_says_what_its_oracle_says) {
  const auto data = test::shared_data();
  if (!data) return test::skip(test::no_shared_data());
  if (!fs::exists(cached_file(*find_model("smollm2-135m"), cache_folder())))
    return test::skip("smollm2-135m has not been downloaded");
  const Json oracle = Json::parse(content(*data / "oracle" / "smollm2.json"))[0];
  std::string prompt = oracle["prompt_ids"].dump();
  const Program lamina;
  const Json object = json_of(lamina, {"run", "smollm2-135m", "--tokens", prompt, "-n", "6",
                                       "--greedy", "--ignore-eos", "-c", "128"});
  for (std::size_t i = 0; i < 3 && oracle["top2_gap"][i] >= 0.02; ++i)
    BOOST_TEST(object["tokens"][i] == oracle["ids"][i]);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
