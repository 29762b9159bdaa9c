// One check after the other; each adds what it finds.
#include "runtime/prompt/prompt_lint.h"

#include "lamina/gguf/quoted.h"
#include "runtime/prompt/repeated_passages.h"
#include "runtime/tokenizer/added_tokens.h"
#include "runtime/unicode/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace lamina {
namespace {

constexpr std::size_t least_words = 8;          // of a repeated passage
constexpr std::int64_t least_tokens = 16;       // that its repetition costs
constexpr std::size_t most_passages = 10;       // that are reported
constexpr std::int64_t most_marker_share = 10;  // per cent of the context

/// What only one chat format writes.
struct FormatMarker {
  std::string_view text;
  std::string_view format;
};

constexpr FormatMarker format_markers[] = {
    {"<|im_start|>", "ChatML"},
    {"<|im_end|>", "ChatML"},
    {"[INST]", "Mistral and Llama 2"},
    {"[/INST]", "Mistral and Llama 2"},
    {"<<SYS>>", "Llama 2"},
    {"<|start_header_id|>", "Llama 3"},
    {"<|eot_id|>", "Llama 3"},
    {"<start_of_turn>", "Gemma"},
    {"<end_of_turn>", "Gemma"},
    {"<|user|>", "Phi-3 and Zephyr"},
    {"<|assistant|>", "Phi-3 and Zephyr"},
    {"<｜User｜>", "DeepSeek"},
    {"<｜Assistant｜>", "DeepSeek"},
    {"<|START_OF_TURN_TOKEN|>", "Command R"},
    {"<|channel|>", "gpt-oss"},
    {"### Instruction:", "Alpaca"},
    {"### Response:", "Alpaca"},
};

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; at += part.size())
    ++count;
  return count;
}

class Lint {
 public:
  Lint(std::span<const TextPart> parts, bool templated, const PromptModel& model);
  PromptReport run();

 private:
  std::int64_t count(std::string_view text) const;
  std::int64_t saved_without(const std::function<bool(std::string_view)>& unwanted) const;
  void add(PromptFinding finding, std::size_t byte);

  void double_bos();
  void special_tokens();
  void other_format();
  void trailing_space();
  void repeated();
  void invisible();
  void invalid_utf8();
  void limits();

  std::span<const TextPart> parts_;
  bool templated_;
  const PromptModel& model_;
  const Tokenizer& tokenizer_;
  std::string text_;
  std::vector<Token> tokens_;
  PromptReport report_;
};

Lint::Lint(std::span<const TextPart> parts, bool templated, const PromptModel& model)
    : parts_(parts), templated_(templated), model_(model), tokenizer_(model.tokenizer) {
  for (const TextPart& part : parts_) text_ += part.text;
  tokens_ = tokenizer_.encode(parts_, {.add_special = !templated_});
}

std::int64_t Lint::count(std::string_view text) const {
  return static_cast<std::int64_t>(
      tokenizer_.encode(text, {.add_special = false, .parse_special = !templated_}).size());
}

/// Tokens that the text takes less without the characters that are unwanted.
std::int64_t Lint::saved_without(const std::function<bool(std::string_view)>& unwanted) const {
  std::string kept;
  for (std::string_view rest = text_; !rest.empty();) {
    const std::string_view character = rest.substr(0, character_length(rest));
    if (!unwanted(character)) kept += character;
    rest.remove_prefix(character.size());
  }
  return count(text_) - count(kept);
}

void Lint::add(PromptFinding finding, std::size_t byte) {
  finding.place = place_of(text_, byte);
  report_.findings.push_back(std::move(finding));
}

void Lint::double_bos() {
  const Token bos = tokenizer_.bos();
  const auto end = std::find_if(tokens_.begin(), tokens_.end(), [&](Token t) { return t != bos; });
  const auto times = end - tokens_.begin();
  if (bos < 0 || times < 2) return;
  const std::string_view spelled = tokenizer_.text(bos);
  const bool added = !templated_ && !tokenizer_.prefix().empty() && tokenizer_.prefix()[0] == bos;
  add({.kind = "double-bos",
       .what = fmt::format("the prompt begins with {} tokens {}", times, quoted(spelled)),
       .advice =
           added ? fmt::format("leave {} out of the text: the tokenizer adds it", quoted(spelled))
                 : fmt::format("write {} once", quoted(spelled)),
       .times = static_cast<std::size_t>(times - 1),
       .tokens = times - 1},
      added ? 0 : spelled.size());
}

/// In a conversation only its messages are looked at: the template may write what it likes.
void Lint::special_tokens() {
  std::vector<AddedToken> special;
  for (Token token = 0; token < tokenizer_.vocab_size(); ++token) {
    if (tokenizer_.is_special(token) && !tokenizer_.text(token).empty())
      special.push_back({.id = token, .text = std::string(tokenizer_.text(token))});
  }
  const AddedTokens all(std::move(special));
  struct Found {
    std::size_t first, times;
  };
  std::map<Token, Found> found;
  std::size_t begin = 0;
  for (const TextPart& part : parts_) {
    std::size_t at = begin;
    begin += part.text.size();
    if (templated_ && !part.literal) continue;
    const Section whole{part.text.size()};
    for (const Fragment& fragment : all.split(part.text, {&whole, 1})) {
      if (fragment.token >= 0)
        ++found.try_emplace(fragment.token, Found{at, 0}).first->second.times;
      at += fragment.text.size();
    }
  }
  for (const auto& [token, where] : found) {
    const std::string spelled = quoted(tokenizer_.text(token));
    add({.kind = "special-token",
         .what = templated_ ? fmt::format("a message spells the special token {}", spelled)
                            : fmt::format("the text spells the special token {}, and is read as it",
                                          spelled),
         .advice = templated_
                       ? "it is kept as text; take it out unless the text is about the token"
                       : "right where the prompt is complete; text that others wrote belongs into "
                         "a message, or needs --no-parse-special",
         .times = where.times,
         .tokens = static_cast<std::int64_t>(where.times) * count(tokenizer_.text(token))},
        where.first);
  }
}

void Lint::other_format() {
  for (const FormatMarker& marker : format_markers) {
    const std::size_t first = text_.find(marker.text);
    if (first == std::string::npos) continue;
    const bool own = model_.chat_template.empty()
                         ? tokenizer_.find(marker.text) >= 0 || marker.format == "Alpaca"
                         : model_.chat_template.find(marker.text) != std::string_view::npos;
    if (own) continue;
    const std::size_t times = occurrences(text_, marker.text);
    add({.kind = "other-format",
         .what =
             fmt::format("{} is a marker of the {} format, {}", quoted(marker.text), marker.format,
                         model_.chat_template.empty() ? "and no token of this vocabulary"
                                                      : "which is not this model's"),
         .advice = "write the prompt in the model's own format, or give its messages and let the "
                   "template write it",
         .times = times,
         .tokens = static_cast<std::int64_t>(times) * count(marker.text)},
        first);
  }
}

void Lint::trailing_space() {
  const std::size_t end = text_.find_last_not_of(" \t") + 1;  // npos + 1 is 0
  if (templated_ || end == text_.size()) return;
  add({.kind = "trailing-space",
       .what = "the prompt ends with white space; words begin with theirs, so the model is left "
               "with continuations it has hardly seen",
       .advice = "end the prompt after its last word, or with a line break",
       .tokens = count(text_) - count(std::string_view(text_).substr(0, end))},
      end);
}

void Lint::repeated() {
  std::size_t reported = 0;
  for (const RepeatedPassage& passage : repeated_passages(text_, least_words)) {
    const std::string_view text = std::string_view(text_).substr(passage.first, passage.length);
    const std::int64_t cost = count(text) * static_cast<std::int64_t>(passage.again.size());
    if (cost < least_tokens) continue;
    if (++reported > most_passages) return;
    const TextPlace first = place_of(text_, passage.first);
    add({.kind = "repeated",
         .what = fmt::format("{} bytes stand there again, first at line {}, column {}: {}",
                             passage.length, first.line, first.column, quoted(text, 60)),
         .advice = "say it once",
         .times = passage.again.size(),
         .tokens = cost},
        passage.again[0]);
  }
}

void Lint::invisible() {
  struct Found {
    std::size_t first, times;
  };
  std::map<char32_t, Found> found;
  for (std::size_t at = 0; at < text_.size();) {
    const std::string_view rest = std::string_view(text_).substr(at);
    const std::size_t length = character_length(rest);
    const char32_t code = well_formed_length(rest) > 0 ? first_code_point(rest) : U'x';
    if (is_invisible(code)) ++found.try_emplace(code, Found{at, 0}).first->second.times;
    at += length;
  }
  for (const auto& [code, where] : found) {
    std::string character;
    append_utf8(character, code);
    add({.kind = "invisible",
         .what = code == '\r' ? "a carriage return, as in lines that end with \\r\\n"
                              : fmt::format("the character U+{:04X} cannot be seen or is no usual "
                                            "space",
                                            static_cast<unsigned>(code)),
         .advice = "take it out, or write a usual space or line break",
         .times = where.times,
         .tokens = saved_without([&](std::string_view each) { return each == character; })},
        where.first);
  }
}

void Lint::invalid_utf8() {
  std::size_t times = 0, first = 0;
  for (std::size_t at = 0; at < text_.size();) {
    const Utf8Part part = first_utf8_part(std::string_view(text_).substr(at));
    if (part.kind != Utf8Part::Kind::character && times++ == 0) first = at;
    at += part.length;
  }
  if (times == 0) return;
  add({.kind = "invalid-utf8",
       .what = fmt::format("bytes that are no UTF-8, such as \\x{:02X}",
                           static_cast<unsigned char>(text_[first])),
       .advice = "save the text as UTF-8",
       .times = times,
       .tokens = saved_without(
           [](std::string_view character) { return well_formed_length(character) == 0; })},
      first);
}

void Lint::limits() {
  if (!model_.context) return;
  const std::int64_t context = *model_.context;
  if (report_.markers * 100 > context * most_marker_share) {
    add({.kind = "markers",
         .what = fmt::format("the marks of the chat format are {} tokens of a context of {}",
                             report_.markers, context),
         .advice = "fewer, longer messages need fewer marks",
         .tokens = report_.markers},
        0);
  }
  if (report_.tokens <= context) return;
  add({.kind = "over-context",
       .what = fmt::format("the prompt has {} tokens, but the context only {}", report_.tokens,
                           context),
       .advice = "shorten it, or raise -c where the model allows it",
       .tokens = report_.tokens - context},
      text_.size());
}

PromptReport Lint::run() {
  report_.tokens = static_cast<std::int64_t>(tokens_.size());
  report_.markers = std::count_if(tokens_.begin(), tokens_.end(),
                                  [&](Token token) { return tokenizer_.is_special(token); });
  if (templated_) {
    report_.markers = report_.tokens;
    for (const TextPart& part : parts_)
      if (part.literal) report_.markers -= count(part.text);
    report_.markers = std::max<std::int64_t>(0, report_.markers);
  }
  double_bos();
  special_tokens();
  other_format();
  trailing_space();
  repeated();
  invisible();
  invalid_utf8();
  limits();
  return std::move(report_);
}

}  // namespace

PromptReport lint_prompt(std::string_view text, const PromptModel& model) {
  const TextPart part{text};
  return Lint({&part, 1}, false, model).run();
}

PromptReport lint_prompt(std::span<const TextPart> rendered, const PromptModel& model) {
  return Lint(rendered, true, model).run();
}

}  // namespace lamina
