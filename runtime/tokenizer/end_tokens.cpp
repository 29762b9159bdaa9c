// End tokens by key and by text.
//
// Files name one end-of-sequence token, but chat models end their turn with another, which is known
// by its text only (the texts: ggml-org/llama.cpp, end-of-generation tokens).
#include "runtime/tokenizer/end_tokens.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lamina {
namespace {

constexpr std::array<std::string_view, 21> end_texts = {
    "<|eot_id|>",         "<|im_end|>", "<|end|>",   "<end_of_turn>", "<|endoftext|>",
    "<|end_of_text|>",    "<EOT>",      "_<EOT>",    "[EOT]",         "<｜end▁of▁sentence｜>",
    "<end_of_utterance>", "<|eom_id|>", "</s>",      "[EOS]",         "<|return|>",
    "<|call|>",           "<|flush|>",  "<|calls|>", "<eos>",         "<turn|>",
    "<|tool_response>",
};

/// -1 where there is no such token, or where it is one that ordinary text becomes: many
/// vocabularies have the HTML tag "</s>".
Token marked_token(const Vocabulary& vocabulary, std::string_view text) {
  const Token token = vocabulary.find(text);
  if (token < 0) return -1;
  const TokenType type = vocabulary.type(token);
  return type == TokenType::control || type == TokenType::user_defined ? token : -1;
}

}  // namespace

std::vector<Token> end_tokens(const Vocabulary& vocabulary, std::vector<Token> ends) {
  for (const std::string_view text : end_texts) ends.push_back(marked_token(vocabulary, text));
  // gpt-oss ends its turn with one of these two; its <|end|> only ends a message.
  if (marked_token(vocabulary, "<|return|>") >= 0 && marked_token(vocabulary, "<|call|>") >= 0) {
    std::erase(ends, marked_token(vocabulary, "<|end|>"));
  }
  std::erase(ends, -1);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

}  // namespace lamina
