// Prompt lint: what is likely a mistake in a prompt for a model, and what it costs.
//
// Kinds of findings:
//   double-bos      the prompt begins with two beginning-of-text tokens
//   special-token   text spells a special token
//   other-format    text has the markers of a chat format that is not the model's
//   trailing-space  the prompt ends with a space, which the words of most vocabularies begin with
//   repeated        a passage stands there more than once
//   invisible       unusual white space, controls, characters without width
//   invalid-utf8    bytes that are no text
//   markers         the marks of the chat format take much of the context
//   over-context    the prompt is longer than the context
#pragma once

#include "runtime/prompt/prompt_text.h"
#include "runtime/tokenizer/tokenizer.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

struct PromptModel {
  const Tokenizer& tokenizer;
  std::string_view chat_template;       // empty: none is known
  std::optional<std::int64_t> context;  // tokens; nothing: not known
};

struct PromptFinding {
  std::string kind;
  std::string what;
  std::string advice;
  TextPlace place{};  // of the first
  std::size_t times = 1;
  std::int64_t tokens = 0;  // that would be saved without it
};

struct PromptReport {
  std::vector<PromptFinding> findings;
  std::int64_t tokens = 0;   // of the prompt
  std::int64_t markers = 0;  // special tokens among them, or all that the template added
};

/// Looks at a prompt that is to be read as it is: the tokenizer adds what it adds to any text.
PromptReport lint_prompt(std::string_view text, const PromptModel& model);

/// Looks at a conversation put through the model's chat template: the parts that are literal come
/// from its messages.
PromptReport lint_prompt(std::span<const TextPart> rendered, const PromptModel& model);

}  // namespace lamina
