// Added tokens beside the steps of the decoder, and pieces between two known texts.
#include "runtime/tokenizer/token_decoder.h"

#include <unordered_set>
#include <utility>

namespace lamina {
namespace {

// What stands before and after the token whose piece is asked for: plain words, so that the rules
// for the first and the last token do not apply to it.
constexpr std::string_view word_before = "a";
constexpr std::string_view word_after = "b";

}  // namespace

TokenDecoder::TokenDecoder(const Vocabulary& vocabulary, TokenizerDefinition& definition,
                           const Normalizer& normalizer)
    : vocabulary_(&vocabulary),
      kinds_(static_cast<std::size_t>(vocabulary.size()), Kind::model),
      decoder_(std::move(definition.decoder), InvalidBytes::kept),
      verbatim_(definition.added_tokens_verbatim),
      space_prefix_(definition.space_prefix) {
  std::unordered_set<std::string_view> special;
  for (const AddedToken& token : definition.added_tokens) {
    if (token.special) special.insert(token.text);
  }
  for (const AddedToken& token : definition.added_tokens) {
    const std::string shown = token.normalized ? normalizer.apply(token.text) : token.text;
    if (shown != token.text) normalized_[token.id] = shown;
    kinds_[static_cast<std::size_t>(token.id)] =
        special.contains(shown) ? Kind::special : Kind::added;
  }
  before_ = joined({std::string(word_before)}).size();
  after_ = joined({std::string(word_before), std::string(word_after)}).size() - before_;
}

std::string TokenDecoder::text(Token token) const {
  const auto found = normalized_.find(token);
  return found != normalized_.end() ? found->second : std::string(vocabulary_->text(token));
}

std::string TokenDecoder::joined(std::vector<std::string> texts) const {
  if (!decoder_.empty()) return decoder_.decode(std::move(texts));
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) out += ' ';
    out += texts[i];
  }
  return out;
}

std::string TokenDecoder::decode_verbatim(std::span<const Token> tokens, bool with_special) const {
  std::string out;
  std::vector<std::string> run;  // of tokens of the model
  const auto finish_run = [&] {
    if (run.empty()) return;
    const std::string decoded = joined(std::exchange(run, {}));
    const bool prefixed = space_prefix_ && decoded.starts_with(' ');
    out.append(decoded, prefixed ? 1 : 0);
  };
  for (const Token token : tokens) {
    const Kind kind = kinds_[static_cast<std::size_t>(token)];
    if (kind == Kind::model) {
      run.push_back(text(token));
      continue;
    }
    finish_run();
    if (with_special || kind == Kind::added) out += text(token);
  }
  finish_run();
  return out;
}

std::string TokenDecoder::decode(std::span<const Token> tokens, bool with_special) const {
  if (verbatim_) return decode_verbatim(tokens, with_special);
  std::vector<std::string> texts;
  texts.reserve(tokens.size());
  for (const Token token : tokens) {
    const bool there = !vocabulary_->text(token).empty();
    if (there && (with_special || !special(token))) texts.push_back(text(token));
  }
  return joined(std::move(texts));
}

std::string TokenDecoder::piece(Token token, bool with_special) const {
  const Kind kind = kinds_[static_cast<std::size_t>(token)];
  if (kind == Kind::special && !with_special) return {};
  if (verbatim_ && kind != Kind::model) return text(token);
  const std::string whole =
      joined({std::string(word_before), text(token), std::string(word_after)});
  return whole.substr(before_, whole.size() - before_ - after_);
}

}  // namespace lamina
