// Reading files of openai/tiktoken: a line for each token, its bytes in base64 and its rank.
//
// The rank is the token's number, and pairs merge by the rank of what they make, the leftmost first
// of equals (tiktoken, src/lib.rs, byte_pair_merge). The file does not say how text is cut into
// pieces, nor which special tokens there are.
#pragma once

#include "runtime/tokenizer/definition.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lamina {

struct TiktokenOptions {
  /// A regular expression; its matches, and what lies between them, are the pieces.
  std::string pattern;
  /// Texts and numbers of special tokens.
  std::vector<std::pair<std::string, Token>> special_tokens;
};

/// The pattern of a known tokenizer: cl100k, gpt2, kimi, llama3, o200k, p50k or qwen. Throws an
/// Error that lists these where it is none of them.
std::string_view tiktoken_pattern(std::string_view name);

/// `source` names the file in messages. Throws Error where a line is malformed, a token or a number
/// occurs twice, or a byte has no token.
TokenizerDefinition read_tiktoken(std::string_view bytes, std::string source,
                                  const TiktokenOptions& options);

}  // namespace lamina
