// Reading tokenizer.json, the file of Hugging Face's tokenizers (huggingface/tokenizers 0.23).
//
// All it says about a single text is honoured or refused. `truncation` and `padding` are passed
// over: they are settings of training batches that were left in the file, and transformers resets
// them with each call too. An added token gets the number of the model's token with its text or, in
// the order of the file, the next after the vocabulary, as tokenizers does; where the file has
// another number there is a warning.
#pragma once

#include "runtime/tokenizer/definition.h"

#include <string>
#include <string_view>

namespace lamina {

/// `source` names the file in messages. Throws Error naming the place in the file where something
/// is malformed or not known.
TokenizerDefinition read_tokenizer_json(std::string_view bytes, std::string source);

}  // namespace lamina
