// The order of the parts: added tokens, normalizer, model, prefix and suffix.
#include "runtime/tokenizer/tokenizer.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/tokenizer/added_tokens.h"
#include "runtime/tokenizer/definition.h"
#include "runtime/tokenizer/files/gguf_tokenizer.h"
#include "runtime/tokenizer/models/text_model.h"
#include "runtime/tokenizer/token_decoder.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace lamina {
namespace {

using Sections = std::vector<Section>;

/// The tokens that `wanted` holds of, to be looked for as `shown` makes their texts.
template <class Wanted, class Shown>
AddedTokens selected(std::span<const AddedToken> tokens, Wanted wanted, Shown shown) {
  std::vector<AddedToken> chosen;
  for (const AddedToken& token : tokens) {
    if (!wanted(token)) continue;
    chosen.push_back(token);
    chosen.back().text = shown(token.text);
  }
  return AddedTokens(std::move(chosen));
}

/// The sections of text[begin, begin + size), counted from its own start.
Sections cut(std::span<const Section> sections, std::size_t begin, std::size_t size) {
  Sections out;
  for (const Section& section : sections) {
    if (section.end <= begin) continue;
    out.push_back({std::min(section.end - begin, size), section.special});
    if (section.end - begin >= size) break;
  }
  return out;
}

/// What `work` gives; its errors say whose tokenizer it is.
template <class Work>
auto naming(const std::string& source, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", source, error.what()));
  }
}

}  // namespace

struct Tokenizer::State {
  explicit State(TokenizerDefinition given);

  void check(Token token) const;
  std::vector<Token> encode(std::string_view text, std::span<const Section> sections,
                            const EncodeOptions& options) const;
  void encode_fragment(std::string_view text, bool first, std::span<const Section> sections,
                       std::vector<Token>& out) const;

  TokenizerDefinition definition;
  Normalizer normalizer;
  AddedTokens raw;         // looked for in the text as it is given
  AddedTokens normalized;  // and in the normalized text
  /// Of text in several sections, which a normalizer would blur: `raw`, and the special tokens of
  /// `normalized` as they are spelled.
  AddedTokens raw_and_special;
  TextModel model;
  TokenDecoder decoder;
};

Tokenizer::State::State(TokenizerDefinition given)
    : definition(std::move(given)),
      normalizer(std::move(definition.normalizer)),
      raw(selected(
          definition.added_tokens, [](const auto& token) { return !token.normalized; },
          [](const auto& text) { return text; })),
      normalized(selected(
          definition.added_tokens, [](const auto& token) { return token.normalized; },
          [this](const auto& text) { return normalizer.apply(text); })),
      raw_and_special(selected(
          definition.added_tokens,
          [](const auto& token) { return !token.normalized || token.special; },
          [](const auto& text) { return text; })),
      model(definition.vocabulary, definition),
      decoder(definition.vocabulary, definition, normalizer) {}

void Tokenizer::State::check(Token token) const {
  const Token size = definition.vocabulary.size();
  if (token >= 0 && token < size) return;
  throw Error(fmt::format("token {} is not in the vocabulary, which has the tokens 0 to {}", token,
                          size - 1));
}

void Tokenizer::State::encode_fragment(std::string_view text, bool first,
                                       std::span<const Section> sections,
                                       std::vector<Token>& out) const {
  std::string changed;
  Sections blurred;
  if (!normalizer.empty()) {
    changed = normalizer.apply(text);
    first = first && (!model.asks_for_first() || normalizer.keeps_start(text));
    text = changed;
    blurred = {{text.size(), sections.size() == 1 && sections.front().special}};
    sections = blurred;
  }
  if (text.empty()) return;
  if (normalized.empty()) return model.encode(text, first, out);
  for (const Fragment& fragment : normalized.split(text, sections)) {
    if (fragment.token >= 0) {
      out.push_back(fragment.token);
    } else {
      model.encode(fragment.text, first && fragment.text.data() == text.data(), out);
    }
  }
}

std::vector<Token> Tokenizer::State::encode(std::string_view text,
                                            std::span<const Section> sections,
                                            const EncodeOptions& options) const {
  const bool blurring = sections.size() > 1 && !normalizer.empty();
  const auto fragments = (blurring ? raw_and_special : raw).split(text, sections);
  std::vector<Token> out;
  if (options.add_special) out = definition.prefix;
  if (!out.empty() && !fragments.empty() && fragments.front().token == out.back()) {
    spdlog::warn("the text begins with {}, which the model adds by itself: now there are two",
                 quoted(fragments.front().text));
  }
  for (const Fragment& fragment : fragments) {
    if (fragment.token >= 0) {
      out.push_back(fragment.token);
      continue;
    }
    const auto begin = static_cast<std::size_t>(fragment.text.data() - text.data());
    encode_fragment(fragment.text, begin == 0, cut(sections, begin, fragment.text.size()), out);
  }
  if (options.add_special) {
    out.insert(out.end(), definition.suffix.begin(), definition.suffix.end());
  }
  return out;
}

Tokenizer::Tokenizer(TokenizerDefinition definition)
    : state_(naming(std::string(definition.source),
                    [&] { return std::make_unique<State>(std::move(definition)); })) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Tokenizer Tokenizer::from_metadata(const Metadata& metadata) {
  return Tokenizer(read_gguf_tokenizer(metadata));
}

std::vector<Token> Tokenizer::encode(std::string_view text, EncodeOptions options) const {
  return naming(state_->definition.source, [&] {
    return state_->encode(text, Sections{{text.size(), options.parse_special}}, options);
  });
}

std::vector<Token> Tokenizer::encode(std::span<const TextPart> parts, EncodeOptions options) const {
  std::string text;
  Sections sections;
  for (const TextPart& part : parts) {
    if (part.text.empty()) continue;
    text += part.text;
    sections.push_back({text.size(), options.parse_special && !part.literal});
  }
  return naming(state_->definition.source, [&] { return state_->encode(text, sections, options); });
}

std::string Tokenizer::decode(std::span<const Token> tokens, bool special) const {
  for (const Token token : tokens) state_->check(token);
  return naming(state_->definition.source, [&] { return state_->decoder.decode(tokens, special); });
}

std::string Tokenizer::piece(Token token, bool special) const {
  state_->check(token);
  return naming(state_->definition.source, [&] { return state_->decoder.piece(token, special); });
}

std::string_view Tokenizer::text(Token token) const {
  state_->check(token);
  return state_->definition.vocabulary.text(token);
}

Token Tokenizer::find(std::string_view text) const {
  return state_->definition.vocabulary.find(text);
}

bool Tokenizer::is_special(Token token) const {
  state_->check(token);
  return state_->decoder.special(token);
}

bool Tokenizer::is_end(Token token) const {
  const auto& ends = state_->definition.ends;
  return std::binary_search(ends.begin(), ends.end(), token);
}

Token Tokenizer::vocab_size() const { return state_->definition.vocabulary.size(); }
Token Tokenizer::bos() const { return state_->definition.bos; }
Token Tokenizer::eos() const { return state_->definition.eos; }
Token Tokenizer::padding() const { return state_->definition.padding; }
std::span<const Token> Tokenizer::prefix() const { return state_->definition.prefix; }
std::span<const Token> Tokenizer::suffix() const { return state_->definition.suffix; }
std::span<const Token> Tokenizer::end_tokens() const { return state_->definition.ends; }
std::string_view Tokenizer::model() const { return state_->definition.kind; }

}  // namespace lamina
