// What the files beside a tokenizer's own say in a Hugging Face folder: tokenizer_config.json,
// special_tokens_map.json, generation_config.json, config.json and chat templates.
//
// Each file may be missing. Of two that say the same the first in this order counts; of chat
// templates chat_template.jinja counts before tokenizer_config.json
// (huggingface/transformers, tokenization_utils_base.py).
#pragma once

#include "runtime/tokenizer/definition.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lamina {

struct TokenizerConfig {
  std::string source;           // names the folder in messages
  std::string tokenizer_class;  // empty: not said
  std::optional<bool> legacy;   // a space begins what follows an added token
  std::optional<std::string> bos, eos, padding;
  std::optional<bool> add_bos, add_eos;               // where the tokenizer's file does not say it
  std::vector<AddedToken> added_tokens;               // with their numbers
  std::vector<Token> ends;                            // generation stops after them
  std::map<std::string, std::string> chat_templates;  // by name; the main one is `default`
};

/// Throws Error naming file and place where something is malformed.
TokenizerConfig read_tokenizer_config(const std::filesystem::path& folder);

/// Makes the added tokens, what is put around a text and the tokens that end generation those of
/// `config`. Throws where it gives a token another text than the vocabulary has.
void apply(const TokenizerConfig& config, TokenizerDefinition& definition);

}  // namespace lamina
