// The patterns behind the names of `tokenizer.ggml.pre`.
//
// They are those of the models' own tokenizer.json or tiktoken definitions; which name stands for
// which, and how contractions are spelled, is ggml-org/llama.cpp's convention
// (src/llama-vocab.cpp).
#include "runtime/tokenizer/patterns/pre_tokenizer.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/tokenizer/patterns/word_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace lamina {
namespace {

using Names = std::vector<std::string_view>;

/// A class of characters, from code points and ranges of them.
std::string one_of(std::string_view codes) {
  std::string out = "[\\x{";
  for (const char character : codes) {
    if (character == ' ') {
      out += "}\\x{";
    } else if (character == '-') {
      out += "}-\\x{";
    } else {
      out += character;
    }
  }
  return out + "}]";
}

const std::string contraction = R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]))";
const std::string words = contraction + R"(|[^\r\n\p{L}\p{N}]?\p{L}+)";
const std::string marks = R"( ?[^\s\p{L}\p{N}]+[\r\n]*)";
const std::string tail = marks + R"(|\s*[\r\n]+|\s+(?!\S)|\s+)";

const std::string digit = R"(\p{N})";
const std::string digits = R"(\p{N}+)";
const std::string up_to_three_digits = R"(\p{N}{1,3})";
const std::string three_digits = "[0-9][0-9][0-9]";
const std::string line_breaks = R"([\r\n])";
const std::string line_runs = R"([^\n]+|[\n]+)";
const std::string not_bloom_marks = R"( ?[^(\s|.,!?…。，、।۔،)]+)";

// Words may hold what joins or parts letters.
const std::string k2_horizon =
    contraction + R"(|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}\x{200C}\x{200D}]+|\p{N}{1,3}|)" + tail;

// Several words of one letter each count as one. The published pattern has
// (?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+, which says the same but remembers each round.
const std::string exaone_moe = contraction +
                               R"(|[^\r\n\p{L}\p{N}]?\p{L}\p{M}*+(?: ?\p{L}\p{M}*+)*+|\p{N}|)" +
                               R"( ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+)";

// Letters that have case, as listed by the model's makers. Code points are in hexadecimal where an
// editor could replace a character by an equivalent one.
constexpr std::string_view deepseek_cased =
    "0041-005A 0061-007A 00B5 00C0-00D6 00D8-00F6 00F8-01BA 01BC-01BF 01C4-0293 0295-02AF "
    "0370-0373 0376 0377 037B-037D 037F 0386 0388-038A 038C 038E-03A1 03A3-03F5 03F7-0481 "
    "048A-052F 0531-0556 10A0-10C5 13A0-13F5 13F8-13FD 1C90-1CBA 1CBD-1CBF 1D00-1D2B 1D6B-1D77 "
    "1D79-1D9A 1E00-1F15 1F18-1F1D 1F20-1F45 1F48-1F4D 1F50-1F57 1F59 1F5B 1F5D 1F5F-1F7D "
    "1F80-1FB4 1FB6-1FBC 1FBE 1FC2-1FC4 1FC6-1FCC 1FD0-1FD3 1FD6-1FDB 1FE0-1FEC 1FF2-1FF4 "
    "1FF6-1FFC 2102 2107 210A-2113 2115 2119-211D 2124 2126 2128 212A-212D 212F-2134 2139 "
    "213C-213F 2145-2149 214E 2183 2184 2C00-2C7B 2C7E-2CE4 2CEB-2CEE 2CF2 2CF3 A640-A66D "
    "A680-A69B A722-A76F A771-A787 A78B-A78E AB70-ABBF FB00-FB06 FB13-FB17 FF21-FF3A FF41-FF5A "
    "10400-1044F 104B0-104D3 104D8-104FB 10C80-10CB2 10CC0-10CF2 118A0-118DF 1E900-1E943";
const std::string deepseek_letters = R"(\s?)" + one_of(deepseek_cased) + "+";
const std::string deepseek_marks = R"(\s?[!-/:-~！-／：-～‘-‟\x{3000}-。]+)";
const std::string deepseek_ideographs = one_of("4E00-9FA5 0800-4E00 AC00-D7FF") + "+";

const std::string youtu_scripts = one_of("AC00-D7A3 3131-318E") + "+|[！…“”‘’—：；，、-〿︰-﹏]+|" +
                                  one_of("3105-312F") + "+|" +
                                  one_of("4E00-9FA5 3040-309F 30A0-30FF") + "+";
constexpr std::string_view afmoe_scripts =
    "4E00-9FFF 3400-4DBF F900-FAFF 3040-309F 30A0-30FF FF65-FF9F 2F00-2FDF 0E40-0E7F 0E80-0EFF "
    "1780-17FF 1000-109F AA60-AA7F A9E0-A9FF AC00-D7AF 1100-11FF";

// Digits in groups from the right; see digit_groups.h.
const std::string grouped_word_digits = R"(\d{1,3}(?=(?:\d{3})*\b))";
const std::string grouped_digits = R"(\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N})))";
const std::string digit_places = R"((?=(\d{3})+(?!\d)))";

std::vector<PreTokenizerPreset> make_presets() {
  const std::string gpt2 = word_pattern(word_rules::gpt2);
  const std::string llama3 = word_pattern(word_rules::llama3);
  const std::string qwen2 = word_pattern(word_rules::qwen2);
  const std::string o200k = word_pattern(word_rules::o200k);
  const std::string deepseek3 = word_pattern(word_rules::deepseek3);
  const std::string any_digits = words + R"(|\p{N}+|)" + tail;
  return {
      {{"default"}, {R"([\p{P}\$\+<=>\^~\|]+)", gpt2, digits, three_digits}},
      {{"llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2",
        "jina-v5-nano"},
       {llama3},
       true,
       true},
      {{"dbrx", "smaug-bpe", "chatglm-bpe", "glm4"}, {llama3}},
      {{"qwen2", "deepseek-r1-qwen", "stablelm2", "hunyuan", "megrez", "kormo", "solar-open",
        "grok-2", "f2llmv2"},
       {qwen2}},
      {{"bailingmoe", "bailingmoe2", "llada-moe"}, {qwen2}},  // spelled differently, to one effect
      {{"qwen35"}, {word_pattern(word_rules::qwen35)}},
      {{"laguna"}, {line_runs, qwen2}},
      {{"seed-coder"}, {word_pattern(word_rules::seed_coder)}},
      {{"minicpm5"}, {up_to_three_digits, any_digits}, true},
      {{"gpt-2", "phi-2", "mpt", "olmo", "jais", "trillion", "exaone4", "gigachat", "mellum",
        "modern-bert", "granite-docling", "a.x-4.0", "jina-es", "jina-de", "jina-v1-en",
        "jina-v2-es", "jina-v2-de", "jina-v2-code", "roberta-bpe"},
       {gpt2}},
      {{"starcoder", "refact", "command-r", "smollm", "codeshell", "exaone", "minerva-7b",
        "mellum2"},
       {digit, gpt2}},
      {{"falcon"}, {R"([\p{P}\$\+<=>\^~\|`]+)", gpt2, three_digits}},
      {{"chameleon"},
       {"<sentinel:[0-9]+>", "(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z", "([\\t\\n]|    |  )", digit,
        R"([\p{P}!-/:-@\[-`{-~])", gpt2},
       false,
       true},
      {{"deepseek-llm"},
       {line_breaks, deepseek_letters, deepseek_marks, R"(\s+$)", deepseek_ideographs, digits}},
      {{"deepseek-coder"},
       {line_breaks, R"(\s?\p{L}+)", R"(\s?\p{P}+)", deepseek_ideographs, digit}},
      {{"deepseek-v3", "hunyuan-dense", "joyai-llm"},
       {up_to_three_digits, one_of("4E00-9FA5 3040-309F 30A0-30FF") + "+", deepseek3}},
      {{"afmoe"}, {grouped_digits, one_of(afmoe_scripts) + "+", deepseek3}},
      {{"gpt-4o", "llama4", "kanana2", "minimax-m2", "talkie"}, {o200k}},
      {{"kimi-k2"}, {word_pattern(word_rules::kimi)}},
      {{"youtu"}, {youtu_scripts, word_pattern(word_rules::youtu)}, true},
      {{"tekken"}, {word_pattern(word_rules::tekken)}, true, true},
      {{"tiny_aya", "cohere2moe"}, {grouped_word_digits, o200k}},
      {{"superbpe"}, {digits, digit_places}},
      {{"jais-2"}, {word_pattern(word_rules::jais2)}},
      {{"exaone-moe"}, {exaone_moe}},
      {{"k2-horizon"}, {k2_horizon}},
      {{"poro-chat", "bloom", "gpt3-finnish"}, {not_bloom_marks}},
      {{"viking"}, {not_bloom_marks, digit}},
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
