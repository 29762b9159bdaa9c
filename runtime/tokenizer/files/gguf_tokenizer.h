// The tokenizer that a GGUF file defines, from its keys `tokenizer.*`.
//
// Kinds, by `tokenizer.ggml.model`: llama (SentencePiece's byte-pair encoding by score), gpt2
// (byte-level byte-pair encoding), gemma4 (byte-pair encoding over characters), t5 (Unigram), bert
// (WordPiece), rwkv (the longest token first). What a file leaves unsaid is the convention of
// ggml-org/llama.cpp, src/llama-vocab.cpp.
#pragma once

#include "lamina/gguf/metadata.h"
#include "runtime/tokenizer/definition.h"

#include <map>
#include <string>

namespace lamina {

/// Throws Error naming the key where something is missing, malformed or unknown.
TokenizerDefinition read_gguf_tokenizer(const Metadata& metadata);

/// The chat templates of a file by name: `tokenizer.chat_template` is `default`, the others are
/// `tokenizer.chat_template.NAME`.
std::map<std::string, std::string> gguf_chat_templates(const Metadata& metadata);

}  // namespace lamina
