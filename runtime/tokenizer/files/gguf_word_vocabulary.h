// Vocabularies that GGUF files spell in a way of their own.
#pragma once

#include "lamina/gguf/metadata.h"
#include "runtime/tokenizer/vocabulary.h"

namespace lamina {

/// Of kind bert: a file puts U+2581 before tokens that begin a word, and nothing before those that
/// go on; here they are as BERT spells them, with nothing and with ##. A token in brackets is the
/// same in both.
Vocabulary bert_vocabulary(const Metadata& metadata);

/// Whether no token but those in brackets has a capital ASCII letter: then the model was made for
/// small letters, which the file does not say.
bool all_lowercase(const Vocabulary& vocabulary);

/// Of kind rwkv: a file has tokens as Python shows bytes; here they are those bytes.
Vocabulary rwkv_vocabulary(const Metadata& metadata);

}  // namespace lamina
