// One look-up a word.
#include "runtime/tokenizer/models/word_level.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"

#include <fmt/format.h>

namespace lamina {

void WordLevel::encode(std::string_view word, std::vector<Token>& out) const {
  const Token token = vocabulary_->find(word);
  // Text never becomes a special token.
  const bool special = token >= 0 && vocabulary_->type(token) == TokenType::control;
  if (token >= 0 && token < model_size_ && !special) return out.push_back(token);
  if (options_.unknown >= 0) {
    const bool again = !out.empty() && out.back() == options_.unknown;
    if (!again || !options_.fuse_unknown) out.push_back(options_.unknown);
    return;
  }
  throw Error(
      fmt::format("the word {} is not in the vocabulary, which has no unknown token: the "
                  "text cannot be encoded",
                  quoted(word)));
}

}  // namespace lamina
