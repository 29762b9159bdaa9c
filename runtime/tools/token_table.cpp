// One line, or one object, a token.
#include "runtime/tools/token_table.h"

#include "runtime/unicode/utf8.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

double ratio(std::size_t a, std::size_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// What a token adds to a text; a special one, which only stands in a text by itself, its spelling.
std::string piece_of(const Tokenizer& tokenizer, Token token) {
  return tokenizer.is_special(token) ? std::string(tokenizer.text(token))
                                     : tokenizer.piece(token, true);
}

}  // namespace

std::string token_table(const Tokenizer& tokenizer, std::span<const Token> tokens, bool colours) {
  constexpr std::string_view two[] = {"\x1b[30;46m", "\x1b[30;43m"};
  constexpr std::string_view reset = "\x1b[0m";
  std::string table;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::string piece = visible(piece_of(tokenizer, tokens[i]));
    if (colours) piece = fmt::format("{}{}{}", two[i % 2], piece, reset);
    table += fmt::format("{:>8}  {}{}\n", tokens[i], piece,
                         tokenizer.is_special(tokens[i]) ? "  (special)" : "");
  }
  return table;
}

Json token_list(const Tokenizer& tokenizer, std::span<const Token> tokens) {
  Json list = Json::array();
  for (const Token token : tokens) {
    const std::string piece = piece_of(tokenizer, token);
    Json entry = {{"id", token}};
    if (is_utf8(piece)) {
      entry["text"] = piece;
    } else {
      entry["bytes"] = std::vector<unsigned char>(piece.begin(), piece.end());
    }
    entry["special"] = tokenizer.is_special(token);
    list.push_back(std::move(entry));
  }
  return list;
}

std::string counts_line(const TextCounts& counts, std::size_t tokens) {
  return fmt::format("{}, {}, {}, {}: {:.2f} tokens a word, {:.2f} bytes a token\n",
                     counted(tokens, "token"), counted(counts.characters, "character"),
                     counted(counts.bytes, "byte"), counted(counts.words, "word"),
                     ratio(tokens, counts.words), ratio(counts.bytes, tokens));
}

Json counts_json(const TextCounts& counts, std::size_t tokens) {
  return {{"tokens", tokens},
          {"characters", counts.characters},
          {"bytes", counts.bytes},
          {"words", counts.words},
          {"tokens_per_word", ratio(tokens, counts.words)},
          {"bytes_per_token", ratio(counts.bytes, tokens)}};
}

}  // namespace lamina
