// Perplexity: how well a model foretells a text, chunk by chunk, each from an empty context.
//
// The rule is llama-perplexity's (llama.cpp, tools/perplexity), so that figures can be put side by
// side: the tokens of the whole text are cut into chunks of `context`, and what is left over is not
// used; the first token of a chunk gives way to the one that the model puts first (BOS), where it
// has one; what positions context/2 to context-2 foretell of the next token counts, so that every
// token that counts has half a context before it. With x = -ln p(next token) over the n such
// positions, PPL = exp(mean x); its error is PPL times the standard error of the mean.
#pragma once

#include "runtime/language_model.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace lamina {

inline constexpr Position shortest_chunk = 8;  // tokens: fewer leave nothing to speak of errors

/// A text cut into chunks, with the tokens as they are fed.
struct Chunks {
  Position context = 0;
  std::vector<Token> tokens;  // [count][context]

  std::size_t count() const { return tokens.size() / static_cast<std::size_t>(context); }
  std::span<const Token> operator[](std::size_t i) const {
    const auto size = static_cast<std::size_t>(context);
    return std::span(tokens).subspan(i * size, size);
  }
};

/// The first position whose prediction counts, and how many do.
constexpr std::size_t first_scored(Position context) {
  return static_cast<std::size_t>(context / 2);
}
constexpr std::size_t scored_positions(Position context) {
  return static_cast<std::size_t>(context - 1 - context / 2);
}

/// At most `most` chunks of `context` tokens, each with `first` in front where there is one. Throws
/// Error where the text has less than twice the context; `source` is how the error calls it.
Chunks cut_chunks(std::span<const Token> text, Position context, std::optional<Token> first,
                  std::optional<std::int64_t> most, const std::string& source);

/// Logits of some scored positions of a chunk, in order, and the tokens that follow in truth.
struct ScoredSlice {
  std::size_t first = 0;          // of the scored positions of the chunk
  const Outputs& outputs;         // a row for each of them
  std::span<const Token> next{};  // the same
};

/// Feeds the chunk in an empty sequence and hands over the logits that count, slice by slice: they
/// are large, so a slice has about 64 MiB of them. Stops, and returns false, when `interrupted`.
bool feed_chunk(LanguageModel& model, std::span<const Token> chunk,
                const std::function<void(const ScoredSlice&)>& take,
                const std::function<bool()>& interrupted);

}  // namespace lamina
