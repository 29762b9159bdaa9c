// Choosing the model, and the shortcut over bytes.
#include "runtime/tokenizer/models/text_model.h"

#include "runtime/tokenizer/byte_alphabet.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace lamina {
namespace {

/// `text` as a pattern that matches it alone.
std::string literal_pattern(std::string_view text) {
  std::string out;
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    const bool plain = code >= 0x80 || (byte >= '0' && byte <= '9') ||
                       (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    if (!plain) out += '\\';
    out += byte;
  }
  return out;
}

/// The pattern whose matches a step cuts out, where it does no more than that.
std::optional<std::string> cutting_pattern(const PreTokenizerStep& step) {
  if (const auto* split = std::get_if<Split>(&step)) {
    if (split->behavior != SplitBehavior::isolated || split->invert) return std::nullopt;
    if (split->pattern.regex) return split->pattern.text;
    if (split->pattern.text.empty()) return std::nullopt;
    return literal_pattern(split->pattern.text);
  }
  if (const auto* digits = std::get_if<Digits>(&step)) {
    return digits->individual_digits ? R"(\p{N})" : R"(\p{N}+)";
  }
  return std::nullopt;
}

/// Every byte has a token, so that nothing depends on what else becomes of a character.
bool spells_all_bytes(const Vocabulary& vocabulary, Token model_size) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const Token token = vocabulary.find_ordinary(byte_symbol(static_cast<unsigned char>(byte)));
    if (token < 0 || token >= model_size) return false;
  }
  return true;
}

bool prepends_to_first(std::span<const PreTokenizerStep> steps) {
  return std::any_of(steps.begin(), steps.end(), [](const PreTokenizerStep& step) {
    const auto* metaspace = std::get_if<Metaspace>(&step);
    return metaspace != nullptr && metaspace->prepend_scheme == PrependScheme::first;
  });
}

struct Shortcut {
  std::vector<std::string> passes;
  bool space_prefix = false;
};

/// What the pre-tokenizer does to bytes before it spells them; nothing where it does more.
std::optional<Shortcut> byte_level_shortcut(std::span<const PreTokenizerStep> steps) {
  if (steps.empty()) return std::nullopt;
  const auto* spelled = std::get_if<ByteLevelSplit>(&steps.back());
  // Each piece of an earlier step would get the space.
  if (spelled == nullptr || (spelled->add_prefix_space && steps.size() > 1)) return std::nullopt;
  Shortcut shortcut{{}, spelled->add_prefix_space};
  for (const PreTokenizerStep& step : steps.first(steps.size() - 1)) {
    const auto pattern = cutting_pattern(step);
    if (!pattern) return std::nullopt;
    shortcut.passes.push_back(*pattern);
  }
  if (spelled->use_regex) shortcut.passes.push_back(pre_tokenizer_preset("gpt-2").passes.front());
  return shortcut;
}

std::optional<Shortcut> shortcut_of(const Vocabulary& vocabulary,
                                    const TokenizerDefinition& definition) {
  const auto* options = std::get_if<BpeOptions>(&definition.model);
  if (options == nullptr) return std::nullopt;
  if (!options->continuing_subword_prefix.empty() || !options->end_of_word_suffix.empty()) {
    return std::nullopt;
  }
  const bool drops = options->unknown == -1 && !options->byte_fallback;
  if (!drops && !spells_all_bytes(vocabulary, definition.model_size)) return std::nullopt;
  return byte_level_shortcut(definition.pre_tokenizer);
}

}  // namespace

TextModel::Model TextModel::make_model(const Vocabulary& vocabulary,
                                       TokenizerDefinition& definition) {
  const Token size = definition.model_size;
  if (auto* bpe = std::get_if<BpeOptions>(&definition.model)) {
    if (const auto shortcut = shortcut_of(vocabulary, definition)) {
      return ByteLevelBpe(vocabulary, MergeTable(bpe->merges), PreTokenizer(shortcut->passes),
                          bpe->ignore_merges);
    }
    return CharacterBpe(vocabulary, size, std::move(*bpe));
  }
  if (const auto* options = std::get_if<SentencePieceOptions>(&definition.model)) {
    return SentencePiece(vocabulary, options->unknown);
  }
  if (const auto* unigram = std::get_if<UnigramModel>(&definition.model)) {
    return Unigram(vocabulary, unigram->scores, unigram->options);
  }
  if (const auto* options = std::get_if<WordPieceOptions>(&definition.model)) {
    return WordPiece(vocabulary, size, *options);
  }
  return WordLevel(vocabulary, size, std::get<WordLevelOptions>(definition.model));
}

TextModel::TextModel(const Vocabulary& vocabulary, TokenizerDefinition& definition)
    : model_(make_model(vocabulary, definition)),
      asks_for_first_(prepends_to_first(definition.pre_tokenizer)) {
  if (const auto shortcut = shortcut_of(vocabulary, definition)) {
    space_prefix_ = shortcut->space_prefix;
  } else {
    steps_ = PreTokenizerSteps(std::move(definition.pre_tokenizer));
  }
}

void TextModel::encode(std::string_view text, bool first, std::vector<Token>& out) const {
  const auto encode_piece = [&](std::string_view piece) {
    std::visit([&](const auto& model) { model.encode(piece, out); }, model_);
  };
  if (space_prefix_ && !text.starts_with(' ')) {
    const std::string prefixed = " " + std::string(text);
    return encode_piece(prefixed);
  }
  if (steps_.empty()) return encode_piece(text);
  const Pieces pieces = steps_.apply(text, first);
  std::size_t begin = 0;
  for (const std::size_t end : pieces.ends) {
    encode_piece(std::string_view(pieces.text).substr(begin, end - begin));
    begin = end;
  }
}

}  // namespace lamina
