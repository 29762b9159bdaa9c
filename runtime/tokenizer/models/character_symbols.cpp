// From text to symbols, and from symbols to tokens.
#include "runtime/tokenizer/models/character_symbols.h"

#include "runtime/unicode/utf8.h"

namespace lamina {

bool CharacterSymbols::bytes_known() const {
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (vocabulary_->byte_token(static_cast<unsigned char>(byte)) < 0) return false;
  }
  return true;
}

void CharacterSymbols::start(SymbolChain& chain, std::string_view text) const {
  chain.clear();
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    chain.append(vocabulary_->find_ordinary(text.substr(0, length)), length);
    text.remove_prefix(length);
  }
}

void CharacterSymbols::finish(const SymbolChain& chain, std::string_view text,
                              std::vector<Token>& out) const {
  chain.for_each([&](const Symbol& symbol) {
    if (symbol.token >= 0) {
      out.push_back(symbol.token);
      return;
    }
    for (const char byte : text.substr(symbol.begin, symbol.size)) {
      append_byte(static_cast<unsigned char>(byte), out);
    }
  });
}

void CharacterSymbols::append_byte(unsigned char byte, std::vector<Token>& out) const {
  const Token token = vocabulary_->byte_token(byte);
  if (token >= 0) {
    out.push_back(token);
  } else if (unknown_ >= 0 && (out.empty() || out.back() != unknown_)) {
    out.push_back(unknown_);
  }
}

}  // namespace lamina
