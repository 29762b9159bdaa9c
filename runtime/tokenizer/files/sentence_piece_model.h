// Reading tokenizer.model: a SentencePiece model as a protocol buffer.
//
// The message ModelProto of google/sentencepiece, src/sentencepiece_model.proto: pieces with score
// and type, how they were trained, and how text is normalized. What changes tokens or text is
// honoured or refused; what only says how the model was trained is passed over.
#pragma once

#include "runtime/tokenizer/definition.h"

#include <string>
#include <string_view>

namespace lamina {

/// `source` names the file in messages. Nothing is put around a text: the file does not say what
/// should be. Throws Error where the file is damaged or asks for what is not supported.
TokenizerDefinition read_sentence_piece_model(std::string_view bytes, std::string source);

}  // namespace lamina
