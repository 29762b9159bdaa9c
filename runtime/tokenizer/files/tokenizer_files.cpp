// Which file it is, and what its kind leaves unsaid.
#include "runtime/tokenizer/files/tokenizer_files.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/gguf_files.h"
#include "runtime/mapped_file.h"
#include "runtime/tokenizer/definition.h"
#include "runtime/tokenizer/files/base64.h"
#include "runtime/tokenizer/files/gguf_tokenizer.h"
#include "runtime/tokenizer/files/sentence_piece_model.h"
#include "runtime/tokenizer/spaces.h"
#include "runtime/tokenizer/files/tiktoken.h"
#include "runtime/tokenizer/files/tokenizer_config.h"
#include "runtime/tokenizer/files/tokenizer_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace lamina {
namespace {

namespace fs = std::filesystem;

std::string_view text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

/// The tokenizer that a file of tiktoken belongs to, by its name: `cl100k_base.tiktoken`.
std::string_view tiktoken_name(const fs::path& path) {
  constexpr std::array<std::string_view, 7> names = {"cl100k", "o200k", "p50k", "gpt2",
                                                     "llama3", "qwen",  "kimi"};
  const std::string file = path.filename().string();
  if (file == "tiktoken.model") return "kimi";
  std::string known;
  for (const std::string_view name : names) {
    if (file.find(name) != std::string::npos) return name;
    known += fmt::format(" {}", name);
  }
  throw Error(
      fmt::format("{}: the file does not say how text is cut into pieces, and its name has "
                  "none of the known ones:{}; rename it, or use a tokenizer.json",
                  path.string(), known));
}

/// The special tokens that a tokenizer has by its own code and no file (openai/tiktoken,
/// openai_public.py; Qwen/Qwen-7B, tokenization_qwen.py).
std::vector<std::pair<std::string, Token>> own_special_tokens(std::string_view name) {
  if (name == "cl100k") {
    return {{"<|endoftext|>", 100257},
            {"<|fim_prefix|>", 100258},
            {"<|fim_middle|>", 100259},
            {"<|fim_suffix|>", 100260},
            {"<|endofprompt|>", 100276}};
  }
  if (name == "o200k") return {{"<|endoftext|>", 199999}, {"<|endofprompt|>", 200018}};
  if (name == "p50k" || name == "gpt2") return {{"<|endoftext|>", 50256}};
  if (name != "qwen") return {};
  constexpr Token first = 151643;
  std::vector<std::pair<std::string, Token>> tokens = {
      {"<|endoftext|>", first}, {"<|im_start|>", first + 1}, {"<|im_end|>", first + 2}};
  for (Token extra = 0; extra < 205; ++extra) {
    tokens.emplace_back(fmt::format("<|extra_{}|>", extra), first + 3 + extra);
  }
  return tokens;
}

/// `config`: of the folder that the file lies in; null where the file stands alone.
TokenizerDefinition read_tiktoken_file(const fs::path& path, const TokenizerConfig* config) {
  const MappedFile file(path);
  TiktokenOptions options;
  const std::string_view name = tiktoken_name(path);
  options.pattern = tiktoken_pattern(name);
  if (config != nullptr) {
    for (const AddedToken& token : config->added_tokens) {
      options.special_tokens.emplace_back(token.text, token.id);
    }
  }
  if (options.special_tokens.empty()) options.special_tokens = own_special_tokens(name);
  TokenizerDefinition definition = read_tiktoken(text_of(file), path.string(), options);
  if (name == "qwen") definition.normalizer = {Nfc{}};  // tokenization_qwen.py
  return definition;
}

/// What is put around a text is said by the class, whose tokens may also be numbered otherwise.
void apply_class(const TokenizerConfig& config, TokenizerDefinition& definition) {
  std::string_view name = config.tokenizer_class;
  if (name.ends_with("Fast")) name.remove_suffix(4);
  constexpr std::array<std::string_view, 7> renumbered = {
      "XLMRobertaTokenizer", "CamembertTokenizer", "MBartTokenizer",  "MBart50Tokenizer",
      "BarthezTokenizer",    "NllbTokenizer",      "PegasusTokenizer"};
  if (std::find(renumbered.begin(), renumbered.end(), name) != renumbered.end()) {
    throw Error(
        fmt::format("{}: {} numbers tokens otherwise than tokenizer.model, which alone is "
                    "not enough: a tokenizer.json is needed (transformers writes one with "
                    "save_pretrained)",
                    config.source, config.tokenizer_class));
  }
  const bool llama =
      name == "LlamaTokenizer" || name == "CodeLlamaTokenizer" || name == "GemmaTokenizer";
  if (llama && definition.bos >= 0) definition.prefix = {definition.bos};
  if (name == "T5Tokenizer" && definition.eos >= 0) definition.suffix = {definition.eos};
}

/// Unless it is of the old behaviour, LlamaTokenizer puts a space before the whole text only.
void apply_legacy(const TokenizerConfig& config, TokenizerDefinition& definition) {
  if (config.legacy.value_or(true)) return;
  for (NormalizerStep& step : definition.normalizer) {
    auto* rules = std::get_if<SentencePieceNormalizer>(&step);
    if (rules == nullptr || !rules->add_dummy_prefix) continue;
    rules->add_dummy_prefix = false;
    definition.pre_tokenizer.insert(
        definition.pre_tokenizer.begin(),
        Metaspace{std::string(space_mark), PrependScheme::first, false});
  }
}

fs::path tiktoken_file(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".tiktoken" || entry.path().filename() == "tiktoken.model") {
      found.push_back(entry.path());
    }
  }
  if (found.size() == 1) return found.front();
  throw Error(fmt::format("{}: has {}, expected tokenizer.json, tokenizer.model or one *.tiktoken",
                          folder.string(),
                          found.empty() ? "no tokenizer" : "several files of tiktoken"));
}

TokenizerFiles open_folder(const fs::path& folder) {
  TokenizerConfig config = read_tokenizer_config(folder);
  TokenizerDefinition definition;
  if (fs::exists(folder / "tokenizer.json")) {
    const MappedFile file(folder / "tokenizer.json");
    definition = read_tokenizer_json(text_of(file), file.path().string());
    // This file says itself what is put around a text, and transformers follows it.
    config.add_bos.reset();
    config.add_eos.reset();
  } else if (fs::exists(folder / "tokenizer.model")) {
    const MappedFile file(folder / "tokenizer.model");
    definition = read_sentence_piece_model(text_of(file), file.path().string());
    apply_class(config, definition);
    apply_legacy(config, definition);
  } else {
    definition = read_tiktoken_file(tiktoken_file(folder), &config);
  }
  apply(config, definition);
  return {Tokenizer(std::move(definition)), config.chat_templates};
}

/// "base64 number", the form of each line of tiktoken.
bool is_tiktoken_line(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t space = line.find(' ');
  const bool number = space != std::string_view::npos && space + 1 < line.size() &&
                      line.find_first_not_of("0123456789", space + 1) == std::string_view::npos;
  return number && decode_base64(line.substr(0, space)).has_value();
}

/// The ending that files have which begin so; empty: none does.
std::string_view ending_of(std::string_view content) {
  if (content.starts_with("GGUF")) return ".gguf";
  const std::string_view marked = content.substr(content.starts_with("\xEF\xBB\xBF") ? 3 : 0);
  const std::size_t first = marked.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && marked[first] == '{') return ".json";
  // The first piece, a text with its length, and in it its spelling.
  if (content.size() > 2 && content[0] == '\n' && content[2] == '\n') return ".model";
  if (is_tiktoken_line(content.substr(0, content.find('\n')))) return ".tiktoken";
  return "";
}

[[noreturn]] void refuse(const fs::path& path, std::string_view content) {
  throw Error(fmt::format(
      "{}: begins with {}, which is no kind of tokenizer that is known; expected a GGUF "
      "file (*.gguf), a tokenizer.json, a SentencePiece model (*.model), lines of "
      "tiktoken (*.tiktoken), or a folder with one of the last three",
      path.string(), quoted(content.substr(0, 16))));
}

}  // namespace

TokenizerFiles open_tokenizer(const fs::path& path) {
  if (fs::is_directory(path)) return open_folder(path);
  const MappedFile file(path);
  // What it holds says what it is; where that says nothing, its name says what it should be.
  const std::string name(path.filename() == "tiktoken.model" ? ".tiktoken" : path.extension());
  const std::string_view found = ending_of(text_of(file));
  const std::string_view kind = found.empty() ? name : found;
  if (kind == ".gguf") {
    const GgufFiles files(path);
    return {Tokenizer::from_metadata(files.metadata()), gguf_chat_templates(files.metadata())};
  }
  if (kind == ".json") {
    return {Tokenizer(read_tokenizer_json(text_of(file), path.string())), {}};
  }
  if (kind == ".model") {
    return {Tokenizer(read_sentence_piece_model(text_of(file), path.string())), {}};
  }
  if (kind == ".tiktoken") return {Tokenizer(read_tiktoken_file(path, nullptr)), {}};
  refuse(path, text_of(file));
}

}  // namespace lamina
