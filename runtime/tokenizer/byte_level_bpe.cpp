// Merging bytes by rank.
#include "runtime/tokenizer/byte_level_bpe.h"

#include "runtime/tokenizer/byte_alphabet.h"
#include "runtime/tokenizer/symbol_chain.h"

#include <utility>

namespace lamina {
namespace {

/// A token that spells its text in the alphabet; added tokens have theirs as it is.
Token find_spelled(const Vocabulary& vocabulary, std::string_view spelling) {
  const Token token = vocabulary.find_ordinary(spelling);
  return token >= 0 && vocabulary.type(token) != TokenType::user_defined ? token : -1;
}

}  // namespace

ByteLevelBpe::ByteLevelBpe(const Metadata& metadata, const Vocabulary& vocabulary,
                           const PreTokenizerPreset& preset)
    : ByteLevelBpe(vocabulary, MergeTable(metadata, vocabulary), PreTokenizer(preset.passes),
                   preset.whole_words) {}

ByteLevelBpe::ByteLevelBpe(const Vocabulary& vocabulary, MergeTable merges,
                           PreTokenizer pre_tokenizer, bool whole_words)
    : vocabulary_(&vocabulary),
      pre_tokenizer_(std::move(pre_tokenizer)),
      merges_(std::move(merges)),
      whole_words_(whole_words) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    bytes_[byte] = find_spelled(vocabulary, byte_symbol(static_cast<unsigned char>(byte)));
  }
}

Token ByteLevelBpe::whole_word(std::string_view piece) const {
  std::string spelling;
  append_spelled(spelling, piece);
  return find_spelled(*vocabulary_, spelling);
}

void ByteLevelBpe::encode(std::string_view text, std::vector<Token>& out) const {
  SymbolChain chain;
  std::size_t begin = 0;
  for (const std::size_t end : pre_tokenizer_.split(text)) {
    const std::string_view piece = text.substr(begin, end - begin);
    begin = end;
    const Token word = whole_words_ ? whole_word(piece) : -1;
    if (word >= 0) {
      out.push_back(word);
      continue;
    }
    chain.clear();
    for (const char byte : piece) chain.append(bytes_[static_cast<unsigned char>(byte)], 1);
    chain.merge([&](const Symbol& left, const Symbol& right) {
      return merges_.find(left.token, right.token);
    });
    chain.for_each([&](const Symbol& symbol) {
      if (symbol.token >= 0) out.push_back(symbol.token);
    });
  }
}

void ByteLevelBpe::decode(Token token, std::string& out) const {
  const std::string_view text = vocabulary_->text(token);
  if (!append_unspelled(out, text)) out += text;
}

}  // namespace lamina
