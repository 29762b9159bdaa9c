// Special tokens, beginning and end around one of the encodings.
#include "runtime/tokenizer/tokenizer.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/tokenizer/byte_level_bpe.h"
#include "runtime/tokenizer/character_bpe.h"
#include "runtime/tokenizer/end_tokens.h"
#include "runtime/tokenizer/sentence_piece.h"
#include "runtime/tokenizer/special_tokens.h"
#include "runtime/tokenizer/symbol_chain.h"
#include "runtime/tokenizer/vocabulary.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

namespace lamina {
namespace {

constexpr std::string_view model_key = "tokenizer.ggml.model";
constexpr std::string_view pre_key = "tokenizer.ggml.pre";
constexpr std::string_view bos_key = "tokenizer.ggml.bos_token_id";
constexpr std::string_view eos_key = "tokenizer.ggml.eos_token_id";
constexpr std::string_view unknown_key = "tokenizer.ggml.unknown_token_id";
constexpr std::string_view add_bos_key = "tokenizer.ggml.add_bos_token";
constexpr std::string_view add_eos_key = "tokenizer.ggml.add_eos_token";
constexpr std::string_view space_key = "tokenizer.ggml.add_space_prefix";

enum class Kind { sentence_piece, byte_level_bpe, character_bpe };

/// Each encoding has encode(text, out) and decode(token, out).
using Encoding = std::variant<SentencePiece, ByteLevelBpe, CharacterBpe>;

/// What surrounds the encoded text.
struct Frame {
  Token bos = -1;
  Token eos = -1;
  bool add_bos = false;
  bool add_eos = false;
  bool space_prefix = false;  // at the start and after special tokens
};

Kind kind_of(const Metadata& metadata) {
  const auto model = metadata.get<std::string_view>(model_key);
  if (model == "llama") return Kind::sentence_piece;
  if (model == "gpt2") return Kind::byte_level_bpe;
  if (model == "gemma4") return Kind::character_bpe;
  throw Error(fmt::format("{}: {} is {}, which is none of the known tokenizers: llama gpt2 gemma4",
                          metadata.source(), model_key, quoted(model)));
}

const PreTokenizerPreset& preset_of(const Metadata& metadata) {
  const auto name = metadata.find<std::string_view>(pre_key);
  if (!name) {
    spdlog::warn(
        "{}: {} is missing, taking 'default'; where the model was trained with another, "
        "it writes worse: convert it again",
        metadata.source(), pre_key);
  }
  try {
    return pre_tokenizer_preset(name.value_or("default"));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", metadata.source(), error.what()));
  }
}

/// The token of `key`; where the key is missing `fallback`, if that is a control token.
Token special_id(const Metadata& metadata, const Vocabulary& vocabulary, std::string_view key,
                 Token fallback) {
  if (const auto token = vocabulary.token_of_key(metadata, key)) return *token;
  const bool there = fallback >= 0 && fallback < vocabulary.size();
  return there && vocabulary.type(fallback) == TokenType::control ? fallback : -1;
}

Token unknown_id(const Metadata& metadata, const Vocabulary& vocabulary) {
  if (const auto token = vocabulary.token_of_key(metadata, unknown_key)) return *token;
  return vocabulary.type(0) == TokenType::unknown ? 0 : -1;
}

/// Whether to add the token of `id_key`; throws where the file asks for it but names none.
bool adds(const Metadata& metadata, std::string_view key, bool fallback, Token token,
          std::string_view id_key) {
  const bool added = metadata.get_or<bool>(key, fallback);
  if (!added || token >= 0) return added;
  throw Error(
      fmt::format("{}: a token is to be added ({}), but {} is missing; convert the model "
                  "again",
                  metadata.source(), key, id_key));
}

Frame read_frame(const Metadata& metadata, const Vocabulary& vocabulary, Kind kind, bool add_bos) {
  Frame frame;
  const bool sentence_piece = kind == Kind::sentence_piece;
  const bool byte_level = kind == Kind::byte_level_bpe;
  frame.bos = special_id(metadata, vocabulary, bos_key, sentence_piece ? 1 : byte_level ? 11 : -1);
  frame.eos = special_id(metadata, vocabulary, eos_key, sentence_piece ? 2 : byte_level ? 11 : -1);
  frame.add_bos = adds(metadata, add_bos_key, add_bos, frame.bos, bos_key);
  frame.add_eos = adds(metadata, add_eos_key, false, frame.eos, eos_key);
  if (kind == Kind::character_bpe && !frame.add_bos) {
    spdlog::warn("{}: {} is false, but a gemma4 model needs it: adding it all the same",
                 metadata.source(), add_bos_key);
    frame.add_bos = true;
  }
  frame.space_prefix = sentence_piece && metadata.get_or<bool>(space_key, true);
  return frame;
}

/// Phi-3 takes white space after most of its special tokens for part of them; its files do not say
/// so.
std::vector<Token> tokens_stripping_right(const Metadata& metadata, const Vocabulary& vocabulary) {
  std::string name(metadata.get_or<std::string_view>("general.name", ""));
  for (char& letter : name) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  std::vector<Token> tokens;
  if (name.find("phi-3") == std::string::npos && name.find("phi3") == std::string::npos) {
    return tokens;
  }
  for (Token token = 0; token < vocabulary.size(); ++token) {
    const std::string_view text = vocabulary.text(token);
    if (text != "<unk>" && text != "<s>" && text != "<|endoftext|>") tokens.push_back(token);
  }
  return tokens;
}

}  // namespace

struct Tokenizer::State {
  State(const Metadata& metadata, Kind kind);

  bool special(Token token) const;
  void check(Token token) const;
  void append_piece(Token token, bool with_special, std::string& out) const;
  void encode_fragments(std::span<const Fragment> fragments, std::vector<Token>& out) const;

  std::string model;
  Vocabulary vocabulary;
  SpecialTokens special_tokens;
  std::optional<Encoding> encoding;
  Frame frame;
  std::vector<Token> ends;
};

Tokenizer::State::State(const Metadata& metadata, Kind kind)
    : model(metadata.get<std::string_view>(model_key)),
      vocabulary(metadata),
      special_tokens(vocabulary, tokens_stripping_right(metadata, vocabulary)) {
  const Token unknown = unknown_id(metadata, vocabulary);
  bool add_bos = true;
  if (kind == Kind::sentence_piece) {
    encoding.emplace(SentencePiece(metadata, vocabulary, unknown));
  } else if (kind == Kind::byte_level_bpe) {
    const PreTokenizerPreset& preset = preset_of(metadata);
    encoding.emplace(ByteLevelBpe(metadata, vocabulary, preset));
    add_bos = preset.add_bos;
  } else {
    encoding.emplace(CharacterBpe(metadata, vocabulary, unknown));
  }
  frame = read_frame(metadata, vocabulary, kind, add_bos);
  ends = lamina::end_tokens(metadata, vocabulary, frame.eos);
}

bool Tokenizer::State::special(Token token) const {
  const TokenType type = vocabulary.type(token);
  return type == TokenType::control || type == TokenType::unknown ||
         type == TokenType::user_defined;
}

void Tokenizer::State::check(Token token) const {
  if (token >= 0 && token < vocabulary.size()) return;
  throw Error(fmt::format("token {} is not in the vocabulary, which has the tokens 0 to {}", token,
                          vocabulary.size() - 1));
}

void Tokenizer::State::append_piece(Token token, bool with_special, std::string& out) const {
  check(token);
  const TokenType type = vocabulary.type(token);
  if (type == TokenType::byte) {
    out += static_cast<char>(vocabulary.byte_of(token));
  } else if (!special(token)) {
    std::visit([&](const auto& kind) { kind.decode(token, out); }, *encoding);
  } else if (with_special || type == TokenType::user_defined) {
    out += vocabulary.text(token);
  }
}

void Tokenizer::State::encode_fragments(std::span<const Fragment> fragments,
                                        std::vector<Token>& out) const {
  bool after_special = true;
  std::string prefixed;
  for (const Fragment& fragment : fragments) {
    if (fragment.token >= 0) {
      out.push_back(fragment.token);
      after_special = true;
      continue;
    }
    std::string_view text = fragment.text;
    if (frame.space_prefix && after_special) {
      prefixed.assign(1, ' ').append(text);
      text = prefixed;
    }
    std::visit([&](const auto& kind) { kind.encode(text, out); }, *encoding);
    after_special = false;
  }
}

Tokenizer::Tokenizer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Tokenizer Tokenizer::from_metadata(const Metadata& metadata) {
  return Tokenizer(std::make_unique<State>(metadata, kind_of(metadata)));
}

std::vector<Token> Tokenizer::encode(std::string_view text, EncodeOptions options) const {
  // Marking spaces makes three bytes of one, and a prefix adds one.
  if (text.size() > SymbolChain::max_bytes / 3 - 1) {
    throw Error(
        fmt::format("a text of {} bytes cannot be encoded at once, at most {}; give it in "
                    "parts",
                    text.size(), SymbolChain::max_bytes / 3 - 1));
  }
  const Frame& frame = state_->frame;
  const auto fragments = state_->special_tokens.split(text, options.parse_special);
  std::vector<Token> out;
  if (options.add_special && frame.add_bos) {
    out.push_back(frame.bos);
    if (!fragments.empty() && fragments.front().token == frame.bos) {
      spdlog::warn("the text begins with {}, which the model adds by itself: now there are two",
                   quoted(fragments.front().text));
    }
  }
  state_->encode_fragments(fragments, out);
  if (options.add_special && frame.add_eos) out.push_back(frame.eos);
  return out;
}

std::string Tokenizer::decode(std::span<const Token> tokens, bool special) const {
  std::string out;
  bool after_special = true;
  for (const Token token : tokens) {
    const std::size_t before = out.size();
    state_->append_piece(token, special, out);
    const bool special_token = state_->special(token);
    const bool prefixed = state_->frame.space_prefix && after_special && !special_token;
    if (prefixed && out.size() > before && out[before] == ' ') out.erase(before, 1);
    after_special = special_token;
  }
  return out;
}

std::string Tokenizer::piece(Token token, bool special) const {
  std::string out;
  state_->append_piece(token, special, out);
  return out;
}

Token Tokenizer::vocab_size() const { return state_->vocabulary.size(); }
Token Tokenizer::bos() const { return state_->frame.bos; }
Token Tokenizer::eos() const { return state_->frame.eos; }
bool Tokenizer::is_end(Token token) const {
  return std::binary_search(state_->ends.begin(), state_->ends.end(), token);
}
std::span<const Token> Tokenizer::end_tokens() const { return state_->ends; }
std::string_view Tokenizer::model() const { return state_->model; }

}  // namespace lamina
