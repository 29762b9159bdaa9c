// Merging characters by rank.
#include "runtime/tokenizer/character_bpe.h"

#include "runtime/tokenizer/spaces.h"
#include "runtime/tokenizer/symbol_chain.h"

namespace lamina {
namespace {

const std::string line_pattern[] = {R"([^\n]+|[\n]+)"};

}  // namespace

CharacterBpe::CharacterBpe(const Metadata& metadata, const Vocabulary& vocabulary, Token unknown)
    : vocabulary_(&vocabulary),
      characters_(vocabulary, unknown),
      lines_(line_pattern),
      merges_(metadata, vocabulary) {
  metadata.get<std::vector<std::int32_t>>("tokenizer.ggml.token_type");  // tells byte tokens
}

void CharacterBpe::encode(std::string_view text, std::vector<Token>& out) const {
  std::string marked;
  append_marked(marked, text);
  const std::string_view all = marked;
  SymbolChain chain;
  std::size_t begin = 0;
  for (const std::size_t end : lines_.split(all)) {
    const std::string_view piece = all.substr(begin, end - begin);
    begin = end;
    characters_.start(chain, piece);
    chain.merge([&](const Symbol& left, const Symbol& right) {
      return merges_.find(left.token, right.token);
    });
    characters_.finish(chain, piece, out);
  }
}

void CharacterBpe::decode(Token token, std::string& out) const {
  append_unmarked(out, vocabulary_->text(token));
}

}  // namespace lamina
