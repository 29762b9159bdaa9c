// The tokens after which generation stops.
#pragma once

#include "lamina/gguf/metadata.h"
#include "runtime/tokenizer/vocabulary.h"

#include <vector>

namespace lamina {

/// Ascending: `eos` (-1: none), the tokens of `tokenizer.ggml.eot_token_id` and `.eom_token_id`,
/// and the control and user-defined tokens with a text by which models end a turn or a message.
std::vector<Token> end_tokens(const Metadata& metadata, const Vocabulary& vocabulary, Token eos);

}  // namespace lamina
