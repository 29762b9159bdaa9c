// The lines of the file, and every merge they imply.
#include "runtime/tokenizer/files/tiktoken.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/tokenizer/files/base64.h"
#include "runtime/tokenizer/byte_alphabet.h"
#include "runtime/tokenizer/byte_trie.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace lamina {
namespace {

// As published in openai/tiktoken (tiktoken_ext/openai_public.py), meta-llama/llama3
// (llama/tokenizer.py), QwenLM/Qwen (tokenization_qwen.py) and moonshotai/Kimi-K2
// (tokenization_kimi.py), in the spelling of pattern_matcher.h: that knows all of them.
constexpr std::string_view gpt2 =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr std::pair<std::string_view, std::string_view> patterns[] = {
    {"cl100k",
     R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
     R"(|\s+\z|\s*[\r\n]|\s+(?!\S)|\s)"},  // there $, which is the end of the text alone
    {"gpt2", gpt2},
    {"kimi", R"([\p{Han}]+)"
             R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*)"
             R"([\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
             R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+)"
             R"([\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
             R"(|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
    {"llama3",
     R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
     R"(|\s*[\r\n]+|\s+(?!\S)|\s+)"},
    {"o200k", R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
              R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
              R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*)"
              R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
              R"(|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
    {"p50k", gpt2},
    {"qwen",
     R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
     R"(|\s*[\r\n]+|\s+(?!\S)|\s+)"},
};

/// More numbers than that beyond the bytes of the file are no vocabulary.
constexpr std::size_t gap_limit = std::size_t{1} << 20;

struct Line {
  std::string bytes;
  std::size_t rank = 0;
};

class TiktokenReader {
 public:
  TiktokenReader(std::string_view bytes, std::string source)
      : bytes_(bytes), source_(std::move(source)) {}

  TokenizerDefinition read(const TiktokenOptions& options);

 private:
  [[noreturn]] void fail(std::string_view what) const;
  Line parse(std::string_view line) const;
  std::string& place(std::size_t number);
  void read_lines();
  std::vector<PairMerge> merges() const;
  void add_special(TokenizerDefinition& definition, const TiktokenOptions& options);
  void set_vocabulary(TokenizerDefinition& definition) const;

  std::string_view bytes_;
  std::string source_;
  std::size_t line_ = 0;
  std::vector<std::string> tokens_;  // bytes; empty: no token has the number
  std::vector<TokenType> types_;
};

void TiktokenReader::fail(std::string_view what) const {
  throw Error(
      fmt::format("{}: line {}: {}; expected lines of base64, a space and a number, one for "
                  "each token (tiktoken)",
                  source_, line_, what));
}

Line TiktokenReader::parse(std::string_view line) const {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) fail(fmt::format("{} has no space", quoted(line)));
  const std::string_view text = line.substr(0, space);
  auto decoded = decode_base64(text);
  if (!decoded || decoded->empty()) fail(fmt::format("{} is no base64", quoted(text)));
  Line parsed{std::move(*decoded)};
  const std::string_view number = line.substr(space + 1);
  const char* end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, parsed.rank);
  if (error != std::errc() || stop != end) fail(fmt::format("{} is no number", quoted(number)));
  return parsed;
}

/// Where the bytes of a number's token go.
std::string& TiktokenReader::place(std::size_t number) {
  const std::size_t limit = bytes_.size() + gap_limit;
  if (number >= limit) {
    throw Error(fmt::format("{}: a token has the number {}, far more than the file has tokens",
                            source_, number));
  }
  if (number >= tokens_.size()) {
    tokens_.resize(number + 1);
    types_.resize(number + 1, TokenType::unused);
  }
  if (!tokens_[number].empty()) {
    throw Error(fmt::format("{}: two tokens have the number {}", source_, number));
  }
  return tokens_[number];
}

void TiktokenReader::read_lines() {
  std::string_view rest = bytes_;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++line_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    Line parsed = parse(line);
    place(parsed.rank) = std::move(parsed.bytes);
    types_[parsed.rank] = TokenType::normal;
  }
}

/// Each way to put a token together of two others. Prefixes are found by a trie, suffixes by one of
/// the texts read backwards, so that the time is linear in the bytes of all tokens.
std::vector<PairMerge> TiktokenReader::merges() const {
  ByteTrie forwards;
  ByteTrie backwards;
  const auto count = static_cast<Token>(tokens_.size());
  for (Token token = 0; token < count; ++token) {
    const std::string& text = tokens_[static_cast<std::size_t>(token)];
    forwards.insert(text, token);
    backwards.insert(std::string(text.rbegin(), text.rend()), token);
  }
  std::vector<PairMerge> found;
  std::vector<Token> rights;
  for (Token token = 0; token < count; ++token) {
    const std::string& text = tokens_[static_cast<std::size_t>(token)];
    rights.assign(text.size(), -1);
    ByteTrie::Node node = ByteTrie::root;
    for (std::size_t i = text.size(); i-- > 1;) {
      node = backwards.next(node, text[i]);
      rights[i] = backwards.token(node);
    }
    node = ByteTrie::root;
    for (std::size_t i = 1; i < text.size(); ++i) {
      node = forwards.next(node, text[i - 1]);
      const Token left = forwards.token(node);
      if (left < 0 || rights[i] < 0) continue;
      found.push_back({left, rights[i], static_cast<std::uint32_t>(token), token});
    }
  }
  return found;
}

void TiktokenReader::add_special(TokenizerDefinition& definition, const TiktokenOptions& options) {
  for (const auto& [text, token] : options.special_tokens) {
    if (text.empty() || token < 0) {
      throw Error(
          fmt::format("{}: the special token {} has the number {}, expected a text and a "
                      "number from 0",
                      source_, quoted(text), token));
    }
    place(static_cast<std::size_t>(token)) = text;
    types_[static_cast<std::size_t>(token)] = TokenType::control;
    definition.added_tokens.push_back({.id = token, .text = text, .special = true});
  }
}

void TiktokenReader::set_vocabulary(TokenizerDefinition& definition) const {
  std::vector<std::string> spelled(tokens_.size());
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (types_[i] == TokenType::control) {
      spelled[i] = tokens_[i];
    } else {
      append_spelled(spelled[i], tokens_[i]);
    }
  }
  const std::vector<std::string_view> texts(spelled.begin(), spelled.end());
  definition.vocabulary = Vocabulary(source_, texts, types_, {});
  for (Token token = 0; token < definition.vocabulary.size(); ++token) {
    const std::string_view text = definition.vocabulary.text(token);
    if (text.empty() || definition.vocabulary.find(text) == token) continue;
    throw Error(fmt::format("{}: has {} twice, as tokens {} and {}, expected different texts",
                            source_, quoted(text), definition.vocabulary.find(text), token));
  }
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (definition.vocabulary.find(byte_symbol(static_cast<unsigned char>(byte))) >= 0) continue;
    throw Error(
        fmt::format("{}: the byte {:#04x} has no token, expected one for each byte; the "
                    "file is cut off or damaged",
                    source_, byte));
  }
}

TokenizerDefinition TiktokenReader::read(const TiktokenOptions& options) {
  read_lines();
  TokenizerDefinition definition;
  definition.source = source_;
  definition.kind = "tiktoken";
  definition.model_size = static_cast<Token>(tokens_.size());
  BpeOptions model;
  model.merges = merges();
  model.ignore_merges = true;
  definition.model = std::move(model);
  add_special(definition, options);
  set_vocabulary(definition);
  definition.pre_tokenizer = {Split{{options.pattern, true}},
                              ByteLevelSplit{.add_prefix_space = false, .use_regex = false}};
  definition.decoder = {ByteLevelDecoder{}};
  return definition;
}

}  // namespace

std::string_view tiktoken_pattern(std::string_view name) {
  std::string names;
  for (const auto& [known, pattern] : patterns) {
    if (known == name) return pattern;
    names.append(" ").append(known);
  }
  throw Error(fmt::format("there is no pattern {}, known are:{}", quoted(name), names));
}

TokenizerDefinition read_tiktoken(std::string_view bytes, std::string source,
                                  const TiktokenOptions& options) {
  return TiktokenReader(bytes, std::move(source)).read(options);
}

}  // namespace lamina
