// The parts of a tokenizer.json, each read from its own value. Fields and their defaults are those
// that huggingface/tokenizers 0.23 reads; an unknown type or value is an Error.
#pragma once

#include "runtime/tokenizer/definition.h"
#include "runtime/tokenizer/files/json_view.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lamina {

/// `{"String": ...}` or `{"Regex": ...}`.
TextPattern read_json_pattern(const JsonView& value);

/// Exactly one character.
std::string read_json_character(const JsonView& value);

std::vector<NormalizerStep> read_json_normalizer(const JsonView& normalizer);
std::vector<PreTokenizerStep> read_json_pre_tokenizer(const JsonView& pre_tokenizer);
Metaspace read_json_metaspace(const JsonView& metaspace);
std::vector<DecoderStep> read_json_decoder(const JsonView& decoder);

/// The text and flags of an added token, as tokenizer.json and tokenizer_config.json have them.
AddedToken read_json_added_token(const JsonView& entry);

/// What is put around a single text; a second one is never encoded.
struct JsonFrame {
  std::vector<Token> prefix;
  std::vector<Token> suffix;
};

JsonFrame read_json_post_processor(const JsonView& post_processor);

/// A model and its tokens: the texts by number, empty where a number is not used.
struct JsonModel {
  std::string kind;  // BPE, Unigram, WordPiece, WordLevel
  ModelOptions options;
  std::vector<std::string> texts;
  std::size_t count = 0;  // of tokens
};

JsonModel read_json_model(const JsonView& model);

}  // namespace lamina
