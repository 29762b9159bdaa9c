// The patterns behind the names of `tokenizer.ggml.pre`.
//
// They are those of the models' own tokenizer.json or tiktoken definitions; which name stands for
// which is ggml-org/llama.cpp's convention. One is written differently, to the same effect, so that
// time stays linear in the text: grouped_digits.
#include "runtime/tokenizer/pre_tokenizer.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"

#include <fmt/format.h>

#include <algorithm>

namespace lamina {
namespace {

using Names = std::vector<std::string_view>;
using Passes = std::vector<std::string>;

const std::string gpt2 =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S))";
const std::string contraction = R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]))";
const std::string marks = R"( ?[^\s\p{L}\p{N}]+[\r\n]*)";
const std::string lines = R"(\s*[\r\n]+)";
const std::string spaces = R"(\s+(?!\S)|\s+)";
const std::string tail = marks + "|" + lines + "|" + spaces;
const std::string words = R"([^\r\n\p{L}\p{N}]?\p{L}+)";

const std::string llama3 = contraction + "|" + words + R"(|\p{N}{1,3}|)" + tail;
const std::string qwen2 = contraction + "|" + words + R"(|\p{N}|)" + tail;
const std::string qwen35 = contraction + R"(|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}|)" +
                           R"( ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|)" + lines + "|" + spaces;
// Runs of white space in powers of two.
const std::string jais2 = contraction + "|" + words + R"(|\p{N}{1,3}|)" + marks + "|" + lines +
                          R"(|\s{512}(?!\S)|\s{256}(?!\S)|\s{128}(?!\S)|\s{64}(?!\S)|\s{32}(?!\S))"
                          R"(|\s{16}(?!\S)|\s{8}(?!\S)|\s{4}(?!\S)|\s{1,2}(?!\S)|\s{1})";

/// The words of o200k: capitals before small letters, a contraction where there is one.
std::string cased_words(const std::string& suffix) {
  const std::string lead = R"([^\r\n\p{L}\p{N}]?)";
  const std::string upper = R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])";
  const std::string lower = R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])";
  return lead + upper + "*" + lower + "+" + suffix + "|" + lead + upper + "+" + lower + "*" +
         suffix;
}

const std::string cased_tail = R"( ?[^\s\p{L}\p{N}]+[\r\n/]*|)" + lines + "|" + spaces;
const std::string o200k = cased_words(contraction + "?") + R"(|\p{N}{1,3}|)" + cased_tail;
const std::string tekken = cased_words("") + R"(|\p{N}|)" + cased_tail;

const std::string punctuation_words =
    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+)"
    R"(| ?[\p{P}\p{S}]+[\r\n]*|)" +
    lines + "|" + spaces;
const std::string not_bloom_marks = R"( ?[^(\s|.,!?…。，、।۔،)]+)";

// \d{1,3}(?=(?:\d{3})*\b), digits grouped from the right, looks ahead to the end of the number at
// each group. Here a first pass cuts out the numbers that end at a word boundary (a word being
// letters, marks, digits and connectors), and a second one counts each number once.
const Passes grouped_digits = {
    R"(\d++(?![\p{L}\p{M}\p{Nd}\p{Pc}]))",
    R"(^(?=\d++\z)(?:\d{1,2}(?=(?:\d{3})*+\z)|\d{3})|(?!^)\G\d{3})",
};

std::vector<PreTokenizerPreset> make_presets() {
  static const Names llama3_names = {"llama3",  "llama-v3", "llama-bpe", "falcon3",     "falcon-h1",
                                     "pixtral", "midm-2.0", "lfm2",      "jina-v5-nano"};
  static const Names llama3_merged = {"dbrx", "smaug-bpe", "chatglm-bpe", "glm4"};
  static const Names qwen2_names = {"qwen2", "deepseek-r1-qwen", "stablelm2", "hunyuan", "megrez",
                                    "kormo", "solar-open",       "grok-2"};
  static const Names gpt2_names = {"gpt-2",      "phi-2",        "mpt",
                                   "olmo",       "jais",         "trillion",
                                   "exaone4",    "modern-bert",  "granite-docling",
                                   "gigachat",   "mellum",       "jina-es",
                                   "jina-de",    "jina-v1-en",   "jina-v2-es",
                                   "jina-v2-de", "jina-v2-code", "roberta-bpe"};
  static const Names digit_names = {"starcoder", "refact", "command-r",  "smollm",
                                    "codeshell", "exaone", "minerva-7b", "mellum2"};
  static const Names o200k_names = {"gpt-4o", "llama4", "kanana2", "minimax-m2"};
  static const Names deepseek3_names = {"deepseek-v3", "hunyuan-dense", "joyai-llm"};
  static const Names bloom_names = {"poro-chat", "bloom", "gpt3-finnish"};
  static const Names single[] = {{"default"}, {"falcon"},   {"deepseek-coder"},
                                 {"qwen35"},  {"tekken"},   {"jais-2"},
                                 {"viking"},  {"tiny_aya"}, {"laguna"}};
  const std::string digit = R"(\p{N})";
  const std::string three_digits = "[0-9][0-9][0-9]";
  return {
      {single[0], {R"([\p{P}\$\+<=>\^~\|]+)", gpt2, R"(\p{N}+)", three_digits}},
      {llama3_names, {llama3}, true, true},
      {llama3_merged, {llama3}},
      {qwen2_names, {qwen2}},
      {single[3], {qwen35}},
      {single[8], {"[^\\n]+|[\\n]+", qwen2}},
      {gpt2_names, {gpt2}},
      {digit_names, {digit, gpt2}},
      {single[1], {R"([\p{P}\$\+<=>\^~\|`]+)", gpt2, three_digits}},
      {single[2], {R"([\r\n])", R"(\s?\p{L}+)", R"(\s?\p{P}+)", "[一-龥ࠀ-一가-퟿]+", digit}},
      {deepseek3_names, {R"(\p{N}{1,3})", "[一-龥぀-ゟ゠-ヿ]+", punctuation_words}},
      {o200k_names, {o200k}},
      {single[4], {tekken}, true, true},
      {single[7], {grouped_digits[0], grouped_digits[1], o200k}},
      {single[5], {jais2}},
      {bloom_names, {not_bloom_marks}},
      {single[6], {not_bloom_marks, digit}},
  };
}

}  // namespace

std::span<const PreTokenizerPreset> pre_tokenizer_presets() {
  static const std::vector<PreTokenizerPreset> made = make_presets();
  return made;
}

const PreTokenizerPreset& pre_tokenizer_preset(std::string_view name) {
  Names known;
  for (const PreTokenizerPreset& preset : pre_tokenizer_presets()) {
    if (std::find(preset.names.begin(), preset.names.end(), name) != preset.names.end()) {
      return preset;
    }
    known.insert(known.end(), preset.names.begin(), preset.names.end());
  }
  std::sort(known.begin(), known.end());
  std::string message = fmt::format(
      "tokenizer.ggml.pre is {}, which is none of the known pre-tokenizers:", quoted(name));
  for (const std::string_view other : known) message.append(" ").append(other);
  throw Error(message);
}

}  // namespace lamina
