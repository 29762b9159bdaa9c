// One function for each kind, and what all kinds share: special tokens and their defaults.
#include "runtime/tokenizer/files/gguf_tokenizer.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/tokenizer/steps/charsmap.h"
#include "runtime/tokenizer/end_tokens.h"
#include "runtime/tokenizer/files/gguf_word_vocabulary.h"
#include "runtime/tokenizer/patterns/pre_tokenizer.h"
#include "runtime/tokenizer/spaces.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

namespace lamina {
namespace {

constexpr std::string_view model_key = "tokenizer.ggml.model";
constexpr std::string_view pre_key = "tokenizer.ggml.pre";
constexpr std::string_view scores_key = "tokenizer.ggml.scores";
constexpr std::string_view types_key = "tokenizer.ggml.token_type";
constexpr std::string_view bos_key = "tokenizer.ggml.bos_token_id";
constexpr std::string_view eos_key = "tokenizer.ggml.eos_token_id";
constexpr std::string_view separator_key = "tokenizer.ggml.seperator_token_id";  // so spelled
constexpr std::string_view template_key = "tokenizer.chat_template";

/// What files of a kind mean where they do not say it; -1: no such token.
struct Defaults {
  Token bos = -1;
  Token eos = -1;
  Token separator = -1;
  Token padding = -1;
  bool add_bos = false;
  bool add_eos = false;
  bool add_separator = false;
};

/// A file while it is read.
struct Reading {
  const Metadata& metadata;
  TokenizerDefinition definition;
  Defaults defaults;

  Token token_of(std::string_view key, Token fallback) const;
  bool flag(std::string_view name, bool fallback) const {
    return metadata.get_or<bool>(fmt::format("tokenizer.ggml.{}", name), fallback);
  }
};

/// The token of `key`; where the key is missing `fallback`, if that is a control token.
Token Reading::token_of(std::string_view key, Token fallback) const {
  const Vocabulary& vocabulary = definition.vocabulary;
  if (const auto token = vocabulary.token_of_key(metadata, key)) return *token;
  const bool there = fallback >= 0 && fallback < vocabulary.size();
  return there && vocabulary.type(fallback) == TokenType::control ? fallback : -1;
}

Token unknown_of(const Reading& reading) {
  const Vocabulary& vocabulary = reading.definition.vocabulary;
  const auto key = "tokenizer.ggml.unknown_token_id";
  if (const auto token = vocabulary.token_of_key(reading.metadata, key)) return *token;
  for (Token token = 0; token < std::min<Token>(vocabulary.size(), 3); ++token) {
    if (vocabulary.type(token) == TokenType::unknown) return token;
  }
  return -1;
}

const PreTokenizerPreset& preset_of(const Metadata& metadata) {
  const auto name = metadata.find<std::string_view>(pre_key);
  if (!name) {
    spdlog::warn(
        "{}: {} is missing, taking 'default'; where the model was trained with another, "
        "it writes worse: convert it again",
        metadata.source(), pre_key);
  }
  try {
    return pre_tokenizer_preset(name.value_or("default"));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", metadata.source(), error.what()));
  }
}

void require_scores_and_types(const Metadata& metadata) {
  metadata.get<std::vector<float>>(scores_key);
  metadata.get<std::vector<std::int32_t>>(types_key);
}

/// Bytes and U+2581 to what they stand for.
std::vector<DecoderStep> space_decoder() {
  return {ReplaceDecoder{{std::string(space_mark), false}, " "}, ByteFallback{}};
}

void read_llama(Reading& reading) {
  TokenizerDefinition& definition = reading.definition;
  require_scores_and_types(reading.metadata);
  definition.space_prefix = reading.flag("add_space_prefix", true);
  if (definition.space_prefix) definition.normalizer = {Prepend{" "}};
  definition.model = SentencePieceOptions{unknown_of(reading)};
  definition.decoder = space_decoder();
  reading.defaults = {.bos = 1, .eos = 2, .add_bos = true};
}

void read_gpt2(Reading& reading) {
  TokenizerDefinition& definition = reading.definition;
  const PreTokenizerPreset& preset = preset_of(reading.metadata);
  for (const std::string& pass : preset.passes) {
    definition.pre_tokenizer.emplace_back(Split{{pass, true}});
  }
  definition.pre_tokenizer.emplace_back(
      ByteLevelSplit{.add_prefix_space = false, .use_regex = false});
  definition.model = BpeOptions{.merges = read_merges(reading.metadata, definition.vocabulary),
                                .ignore_merges = preset.whole_words};
  definition.decoder = {ByteLevelDecoder{}};
  reading.defaults = {.bos = 11, .eos = 11, .add_bos = preset.add_bos};
}

void read_gemma4(Reading& reading) {
  TokenizerDefinition& definition = reading.definition;
  reading.metadata.get<std::vector<std::int32_t>>(types_key);  // tells byte tokens
  definition.normalizer = {Replace{{" ", false}, std::string(space_mark)}};
  definition.pre_tokenizer = {Split{{R"(\n+)", true}}};
  definition.model = BpeOptions{.merges = read_merges(reading.metadata, definition.vocabulary),
                                .unknown = unknown_of(reading),
                                .fuse_unknown = true,
                                .byte_fallback = true};
  definition.decoder = space_decoder();
  reading.defaults.add_bos = true;
  if (!reading.flag("add_bos_token", true)) {
    spdlog::warn(
        "{}: tokenizer.ggml.add_bos_token is false, but a gemma4 model needs it: adding "
        "it all the same",
        reading.metadata.source());
  }
}

void read_t5(Reading& reading) {
  TokenizerDefinition& definition = reading.definition;
  const Metadata& metadata = reading.metadata;
  require_scores_and_types(metadata);
  const auto charsmap = metadata.get_or<std::vector<std::uint8_t>>(
      "tokenizer.ggml.precompiled_charsmap", std::vector<std::uint8_t>{});
  definition.space_prefix = reading.flag("add_space_prefix", true);
  SentencePieceNormalizer rules;
  rules.charsmap.assign(charsmap.begin(), charsmap.end());
  if (!rules.charsmap.empty()) {
    Charsmap(rules.charsmap, metadata.source() + ": tokenizer.ggml.precompiled_charsmap");
  }
  rules.add_dummy_prefix = definition.space_prefix;
  rules.remove_extra_spaces = reading.flag("remove_extra_whitespaces", false);
  definition.normalizer = {std::move(rules)};
  const std::span<const float> scores = definition.vocabulary.scores();
  UnigramModel model;
  model.options.rules = UnigramRules::gguf;
  model.options.unknown = unknown_of(reading);
  model.options.byte_fallback = definition.vocabulary.byte_token(0) >= 0;
  model.scores.assign(scores.begin(), scores.end());
  definition.model = std::move(model);
  definition.decoder = space_decoder();
  reading.defaults = {.eos = 1, .padding = 0, .add_eos = true};
}

void read_bert(Reading& reading) {
  TokenizerDefinition& definition = reading.definition;
  definition.vocabulary = bert_vocabulary(reading.metadata);
  definition.model_size = definition.vocabulary.size();
  BertNormalizer normalizer;
  normalizer.lowercase = all_lowercase(definition.vocabulary);
  definition.normalizer = {normalizer};
  definition.pre_tokenizer = {BertPreTokenizer{}};
  const Token unknown = definition.vocabulary.find("[UNK]");
  WordPieceOptions model;
  model.unknown = unknown >= 0 ? unknown : unknown_of(reading);
  definition.model = model;
  definition.decoder = {WordPieceDecoder{}};
  reading.defaults = {
      .bos = 101, .separator = 102, .padding = 0, .add_bos = true, .add_separator = true};
}

void read_rwkv(Reading& reading) {
  TokenizerDefinition& definition = reading.definition;
  definition.vocabulary = rwkv_vocabulary(reading.metadata);
  definition.model_size = definition.vocabulary.size();
  WordPieceOptions model;
  model.unknown = 0;
  model.continuing_subword_prefix.clear();
  model.max_characters = std::numeric_limits<std::size_t>::max();
  definition.model = model;
  definition.decoder = {Fuse{}};
}

/// Phi-3 takes white space after most of its special tokens for part of them; its files do not say
/// so.
bool is_phi3(const Metadata& metadata) {
  std::string name(metadata.get_or<std::string_view>("general.name", ""));
  for (char& letter : name) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return name.find("phi-3") != std::string::npos || name.find("phi3") != std::string::npos;
}

void read_added_tokens(Reading& reading) {
  TokenizerDefinition& definition = reading.definition;
  const bool phi3 = is_phi3(reading.metadata);
  for (Token token = 0; token < definition.vocabulary.size(); ++token) {
    const TokenType type = definition.vocabulary.type(token);
    const bool special = type == TokenType::control || type == TokenType::unknown;
    if (!special && type != TokenType::user_defined) continue;
    const std::string text(definition.vocabulary.text(token));
    const bool strips = phi3 && text != "<unk>" && text != "<s>" && text != "<|endoftext|>";
    definition.added_tokens.push_back(
        {.id = token, .text = text, .special = special, .right_strip = strips});
  }
  definition.added_tokens_verbatim = true;
}

/// Adds the token of `id_key`; throws where there is none.
void add(std::vector<Token>& tokens, const Reading& reading, std::string_view flag, Token token,
         std::string_view id_key) {
  if (token < 0) {
    throw Error(
        fmt::format("{}: a token is to be added (tokenizer.ggml.{}), but {} is missing; "
                    "convert the model again",
                    reading.metadata.source(), flag, id_key));
  }
  tokens.push_back(token);
}

void read_frame(Reading& reading) {
  TokenizerDefinition& definition = reading.definition;
  const Defaults& defaults = reading.defaults;
  const Token first = reading.token_of("tokenizer.ggml.cls_token_id", defaults.bos);
  definition.bos = reading.token_of(bos_key, first);
  definition.eos = reading.token_of(eos_key, defaults.eos);
  definition.padding = reading.token_of("tokenizer.ggml.padding_token_id", defaults.padding);
  if (definition.kind == "gemma4" || reading.flag("add_bos_token", defaults.add_bos)) {
    add(definition.prefix, reading, "add_bos_token", definition.bos, bos_key);
  }
  if (reading.flag("add_eos_token", defaults.add_eos)) {
    add(definition.suffix, reading, "add_eos_token", definition.eos, eos_key);
  }
  if (reading.flag("add_sep_token", defaults.add_separator)) {
    const Token separator = reading.token_of(separator_key, defaults.separator);
    add(definition.suffix, reading, "add_sep_token", separator, separator_key);
  }
  const auto given = [&](std::string_view key) {
    return definition.vocabulary.token_of_key(reading.metadata, key).value_or(-1);
  };
  definition.ends = end_tokens(
      definition.vocabulary,
      {definition.eos, given("tokenizer.ggml.eot_token_id"), given("tokenizer.ggml.eom_token_id")});
}

struct Kind {
  std::string_view name;
  void (*read)(Reading&);
};

constexpr std::array<Kind, 6> kinds = {{{"llama", read_llama},
                                        {"gpt2", read_gpt2},
                                        {"gemma4", read_gemma4},
                                        {"t5", read_t5},
                                        {"bert", read_bert},
                                        {"rwkv", read_rwkv}}};

const Kind& kind_of(const Metadata& metadata) {
  const auto model = metadata.get<std::string_view>(model_key);
  std::string known;
  for (const Kind& kind : kinds) {
    if (kind.name == model) return kind;
    known += fmt::format(" {}", kind.name);
  }
  throw Error(fmt::format("{}: {} is {}, which is none of the known tokenizers:{}",
                          metadata.source(), model_key, quoted(model), known));
}

}  // namespace

TokenizerDefinition read_gguf_tokenizer(const Metadata& metadata) {
  const Kind& kind = kind_of(metadata);
  Reading reading{metadata, {}, {}};
  reading.definition.source = metadata.source();
  reading.definition.kind = kind.name;
  reading.definition.vocabulary = Vocabulary(metadata);
  reading.definition.model_size = reading.definition.vocabulary.size();
  kind.read(reading);
  read_added_tokens(reading);
  read_frame(reading);
  return std::move(reading.definition);
}

std::map<std::string, std::string> gguf_chat_templates(const Metadata& metadata) {
  std::map<std::string, std::string> templates;
  for (const MetadataEntry& entry : metadata.entries()) {
    if (!entry.key.starts_with(template_key)) continue;
    const std::string_view rest = entry.key.substr(template_key.size());
    if (rest.empty()) templates["default"] = metadata.get<std::string>(entry.key);
    if (rest.size() > 1 && rest[0] == '.') {
      templates[std::string(rest.substr(1))] = metadata.get<std::string>(entry.key);
    }
  }
  return templates;
}

}  // namespace lamina
