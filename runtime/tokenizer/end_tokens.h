// The tokens after which generation stops.
#pragma once

#include "runtime/tokenizer/vocabulary.h"

#include <vector>

namespace lamina {

/// Ascending: the `given` ones (-1: none), and the control and user-defined tokens with a text by
/// which models end a turn or a message.
std::vector<Token> end_tokens(const Vocabulary& vocabulary, std::vector<Token> given);

}  // namespace lamina
