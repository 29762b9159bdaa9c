// Rewriting texts (ggml-org/llama.cpp, convert_hf_to_gguf.py, writes them so).
#include "runtime/tokenizer/files/gguf_word_vocabulary.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/tokenizer/spaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {
namespace {

bool in_brackets(std::string_view text) { return text.starts_with('[') && text.ends_with(']'); }

std::string bert_text(std::string_view text) {
  if (in_brackets(text)) return std::string(text);
  if (text.starts_with(space_mark)) return std::string(text.substr(space_mark.size()));
  return "##" + std::string(text);
}

int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/// The bytes that `text` shows, an escape at a time.
std::string rwkv_text(const Metadata& metadata, std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      out += text[at];
      continue;
    }
    const char escape = text[++at];
    if (escape != 'x') {
      out += escape == 't' ? '\t' : escape == 'n' ? '\n' : escape == 'r' ? '\r' : escape;
      continue;
    }
    const int high = at + 2 < text.size() ? hex_digit(text[at + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[at + 2]) : -1;
    if (low < 0) {
      throw Error(
          fmt::format("{}: tokenizer.ggml.tokens has {}, expected two hexadecimal digits "
                      "after \\x; convert the model again",
                      metadata.source(), quoted(text)));
    }
    out += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return out;
}

/// The vocabulary with the texts of ordinary tokens rewritten.
template <class Rewrite>
Vocabulary rewritten(const Metadata& metadata, Rewrite rewrite) {
  const Vocabulary read(metadata);
  std::vector<std::string> texts;
  std::vector<TokenType> types;
  for (Token token = 0; token < read.size(); ++token) {
    const std::string_view text = read.text(token);
    const bool ordinary = read.type(token) == TokenType::normal;
    texts.push_back(ordinary ? rewrite(text) : std::string(text));
    types.push_back(read.type(token));
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  return Vocabulary(metadata.source(), views, std::move(types), {});
}

}  // namespace

Vocabulary bert_vocabulary(const Metadata& metadata) { return rewritten(metadata, bert_text); }

bool all_lowercase(const Vocabulary& vocabulary) {
  for (Token token = 0; token < vocabulary.size(); ++token) {
    const std::string_view text = vocabulary.text(token);
    const bool marked = vocabulary.type(token) != TokenType::normal || in_brackets(text);
    const auto capital = [](char letter) { return letter >= 'A' && letter <= 'Z'; };
    if (!marked && std::any_of(text.begin(), text.end(), capital)) return false;
  }
  return true;
}

Vocabulary rwkv_vocabulary(const Metadata& metadata) {
  return rewritten(metadata, [&](std::string_view text) { return rwkv_text(metadata, text); });
}

}  // namespace lamina
