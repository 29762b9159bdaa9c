// Merging bytes by rank.
#include "runtime/tokenizer/models/byte_level_bpe.h"

#include "runtime/tokenizer/byte_alphabet.h"
#include "runtime/unicode/character_reader.h"
#include "runtime/unicode/utf8.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lamina {
namespace {

constexpr std::size_t most_on_stack = 128;  // bytes whose spelling needs no memory
constexpr char32_t code_points = 0x10000;   // whose tokens are remembered

/// A token that spells its text in the alphabet; added tokens have theirs as it is.
bool spelled(const Vocabulary& vocabulary, Token token) {
  return vocabulary.ordinary(token) && vocabulary.type(token) != TokenType::user_defined;
}

/// The token of a spelling of up to `most_on_stack` bytes.
Token find_short(const Vocabulary& vocabulary, std::string_view bytes) {
  std::array<char, 2 * most_on_stack> text;
  std::size_t size = 0;
  for (const char byte : bytes) {
    const std::string_view symbol = byte_symbol(static_cast<unsigned char>(byte));
    text[size] = symbol[0];
    text[size + 1] = symbol[symbol.size() - 1];
    size += symbol.size();
  }
  return vocabulary.find({text.data(), size});
}

Token find_long(const Vocabulary& vocabulary, std::string_view bytes) {
  std::string text;
  append_spelled(text, bytes);
  return vocabulary.find(text);
}

}  // namespace

ByteLevelBpe::ByteLevelBpe(const Vocabulary& vocabulary, MergeTable merges,
                           PreTokenizer pre_tokenizer, bool whole_words)
    : vocabulary_(&vocabulary),
      pre_tokenizer_(std::move(pre_tokenizer)),
      merges_(std::move(merges)),
      whole_words_(whole_words),
      pairs_(static_cast<std::size_t>(vocabulary.size())),
      merged_(static_cast<std::size_t>(vocabulary.size())),
      characters_(code_points) {
  std::string bytes;
  for (Token token = 0; token < vocabulary.size(); ++token) {
    bytes.clear();
    // Merges may make added tokens too.
    if (!append_unspelled(bytes, vocabulary.text(token))) continue;
    pairs_.add(bytes);
    longest_ = std::max(longest_, bytes.size());
  }
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char value = static_cast<char>(byte);
    bytes_[byte] = find({&value, 1});
  }
}

Token ByteLevelBpe::find(std::string_view bytes) const {
  if (bytes.size() > longest_) return -1;
  const Token token = bytes.size() <= most_on_stack ? find_short(*vocabulary_, bytes)
                                                    : find_long(*vocabulary_, bytes);
  return token >= 0 && spelled(*vocabulary_, token) ? token : -1;
}

void ByteLevelBpe::append_bytes(std::string_view bytes, SymbolChain& chain) const {
  for (const char byte : bytes) chain.append(bytes_[static_cast<unsigned char>(byte)], 1);
}

void ByteLevelBpe::merge(SymbolChain& chain) const {
  chain.merge([&](const Symbol& left, const Symbol& right) {
    return merges_.find(left.token, right.token);
  });
}

bool ByteLevelBpe::merges_to(Token token, std::string_view bytes, SymbolChain& chain) const {
  const auto find_out = [&]() -> signed char {
    chain.clear();
    append_bytes(bytes, chain);
    merge(chain);
    std::size_t others = 0;
    chain.for_each([&](const Symbol& symbol) { others += symbol.token == token ? 0 : 1; });
    return others == 0;
  };
  return merged_.get(static_cast<std::size_t>(token), find_out) != 0;
}

/// The token of a character that is not ASCII, where its bytes merge to one.
Token ByteLevelBpe::character(std::string_view bytes, SymbolChain& chain) const {
  const auto find_out = [&] {
    const Token token = find(bytes);
    return token >= 0 && merges_to(token, bytes, chain) ? token : -1;
  };
  const char32_t code = code_point_of(bytes);
  return code < code_points ? characters_.get(code, find_out) : find_out();
}

void ByteLevelBpe::encode_piece(std::string_view piece, Scratch& scratch,
                                std::vector<Token>& out) const {
  CharacterPairs::Part part = pairs_.first_part(piece);
  if (part.size == piece.size()) {  // else no token is so long
    const Token token = find(piece);
    if (token >= 0 && (whole_words_ || merges_to(token, piece, scratch.chain))) {
      out.push_back(token);
      return;
    }
  }
  for (;;) {
    const bool whole = part.whole && merges_.ascending();
    scratch.cache.append(parts_, piece.substr(0, part.size), out,
                         [&](std::string_view bytes, std::vector<Token>& tokens) {
                           encode_part(bytes, whole, scratch, tokens);
                         });
    piece.remove_prefix(part.size);
    if (piece.empty()) return;
    part = pairs_.first_part(piece);
  }
}

/// `whole`: characters may be merged before anything else.
void ByteLevelBpe::encode_part(std::string_view part, bool whole, Scratch& scratch,
                               std::vector<Token>& out) const {
  SymbolChain& chain = scratch.chain;
  chain.clear();
  Token last = -1;
  const auto append = [&](Token token, std::size_t size) {
    merges_.prefetch(last, token);
    chain.append(token, size);
    last = token;
  };
  while (!part.empty()) {
    const std::size_t size = whole ? character_length(part) : 1;
    const std::string_view bytes = part.substr(0, size);
    const Token token = size > 1 ? character(bytes, scratch.character) : -1;
    if (token >= 0) {
      append(token, size);
    } else {
      for (const char byte : bytes) append(bytes_[static_cast<unsigned char>(byte)], 1);
    }
    part.remove_prefix(size);
  }
  merge(chain);
  chain.for_each([&](const Symbol& symbol) {
    if (symbol.token >= 0) out.push_back(symbol.token);
  });
}

void ByteLevelBpe::encode(std::string_view text, std::vector<Token>& out) const {
  Scratch scratch;
  std::size_t begin = 0;
  for (const std::size_t end : pre_tokenizer_.split(text)) {
    scratch.cache.append(pieces_, text.substr(begin, end - begin), out,
                         [&](std::string_view piece, std::vector<Token>& tokens) {
                           encode_piece(piece, scratch, tokens);
                         });
    begin = end;
  }
}

}  // namespace lamina
