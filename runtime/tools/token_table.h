// Tokens as people look at them: ids, pieces, counts.
#pragma once

#include "runtime/prompt/prompt_text.h"
#include "runtime/tokenizer/tokenizer.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>

namespace lamina {

/// A line for each token: its id, its piece as `visible` shows it, and whether it is special. With
/// `colours` the pieces alternate between two.
std::string token_table(const Tokenizer& tokenizer, std::span<const Token> tokens, bool colours);

/// The same as a list: {"id", "text", "special"}; a piece that is no UTF-8 has "bytes", a list of
/// numbers, in the place of "text".
nlohmann::ordered_json token_list(const Tokenizer& tokenizer, std::span<const Token> tokens);

/// Tokens a word, bytes a token, and what they are made of: a line.
std::string counts_line(const TextCounts& counts, std::size_t tokens);
nlohmann::ordered_json counts_json(const TextCounts& counts, std::size_t tokens);

}  // namespace lamina
