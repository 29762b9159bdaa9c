// The fields of a ModelProto, checked, and the definition they make.
#include "runtime/tokenizer/files/sentence_piece_model.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/tokenizer/files/protobuf_reader.h"
#include "runtime/tokenizer/spaces.h"

#include <fmt/format.h>

#include <utility>

namespace lamina {
namespace {

enum class ModelType { unigram = 1, bpe = 2, word = 3, character = 4 };

/// What is read of the file; texts are parts of its bytes. Values are those of fields left out.
struct ModelFile {
  std::string source;
  std::vector<std::string_view> pieces;
  std::vector<TokenType> types;
  std::vector<float> scores;

  ModelType type = ModelType::unigram;  // trainer_spec
  bool byte_fallback = false;
  bool space_as_suffix = false;
  std::string_view bos = "<s>";
  std::string_view eos = "</s>";
  std::string_view padding = "<pad>";
  std::string_view unknown_surface = " \xE2\x81\x87 ";

  std::string_view charsmap;  // normalizer_spec
  bool add_dummy_prefix = true;
  bool remove_extra_spaces = true;
};

[[noreturn]] void fail(const ModelFile& file, const std::string& what) {
  throw Error(fmt::format("{}: {}", file.source, what));
}

TokenType type_of(std::int64_t number, const ProtobufReader& piece) {
  if (number >= static_cast<std::int64_t>(TokenType::normal) &&
      number <= static_cast<std::int64_t>(TokenType::byte)) {
    return static_cast<TokenType>(number);
  }
  throw Error(fmt::format("{}: type is {}, expected 1 to 6", piece.message(), number));
}

void read_piece(ModelFile& file, std::string_view bytes) {
  ProtobufReader reader(bytes, fmt::format("{}: pieces[{}]", file.source, file.pieces.size()));
  std::string_view text;
  float score = 0;
  auto type = TokenType::normal;
  while (reader.next()) {
    switch (reader.field()) {
      case 1:
        text = reader.bytes("piece");
        break;
      case 2:
        score = reader.number("score");
        break;
      case 3:
        type = type_of(reader.integer("type"), reader);
        break;
    }
  }
  if (text.empty()) throw Error(reader.message() + " has no text");
  file.pieces.push_back(text);
  file.types.push_back(type);
  file.scores.push_back(score);
}

void read_trainer(ModelFile& file, std::string_view bytes) {
  ProtobufReader reader(bytes, file.source + ": trainer_spec");
  while (reader.next()) {
    switch (reader.field()) {
      case 3: {
        const std::int64_t type = reader.integer("model_type");
        if (type < 1 || type > 4) {
          fail(file, fmt::format("trainer_spec.model_type is {}, expected 1 (unigram), 2 (BPE), 3 "
                                 "(word) or 4 (char)",
                                 type));
        }
        file.type = static_cast<ModelType>(type);
        break;
      }
      case 24:
        file.space_as_suffix = reader.boolean("treat_whitespace_as_suffix");
        break;
      case 35:
        file.byte_fallback = reader.boolean("byte_fallback");
        break;
      case 44:
        file.unknown_surface = reader.bytes("unk_surface");
        break;
      case 46:
        file.bos = reader.bytes("bos_piece");
        break;
      case 47:
        file.eos = reader.bytes("eos_piece");
        break;
      case 48:
        file.padding = reader.bytes("pad_piece");
        break;
    }
  }
}

void read_normalizer(ModelFile& file, std::string_view bytes) {
  ProtobufReader reader(bytes, file.source + ": normalizer_spec");
  while (reader.next()) {
    switch (reader.field()) {
      case 2:
        file.charsmap = reader.bytes("precompiled_charsmap");
        break;
      case 3:
        file.add_dummy_prefix = reader.boolean("add_dummy_prefix");
        break;
      case 4:
        file.remove_extra_spaces = reader.boolean("remove_extra_whitespaces");
        break;
      case 5:
        if (reader.boolean("escape_whitespaces")) break;
        fail(file,
             "normalizer_spec.escape_whitespaces is false, which is not supported: spaces "
             "are written as U+2581");
    }
  }
}

void read_denormalizer(const ModelFile& file, std::string_view bytes) {
  ProtobufReader reader(bytes, file.source + ": denormalizer_spec");
  while (reader.next()) {
    if (reader.field() != 2 || reader.bytes("precompiled_charsmap").empty()) continue;
    fail(file,
         "denormalizer_spec.precompiled_charsmap has rules, which are not supported: decoded "
         "text would differ");
  }
}

ModelFile read_file(std::string_view bytes, std::string source) {
  ModelFile file;
  file.source = std::move(source);
  ProtobufReader reader(bytes, file.source);
  while (reader.next()) {
    switch (reader.field()) {
      case 1:
        read_piece(file, reader.bytes("pieces"));
        break;
      case 2:
        read_trainer(file, reader.bytes("trainer_spec"));
        break;
      case 3:
        read_normalizer(file, reader.bytes("normalizer_spec"));
        break;
      case 5:
        read_denormalizer(file, reader.bytes("denormalizer_spec"));
        break;
    }
  }
  if (file.pieces.empty()) {
    fail(file, "has no pieces; the file is no SentencePiece model, or is damaged");
  }
  return file;
}

/// The one piece of type unknown; -1 where there is none and bytes stand in for it.
Token unknown_of(const ModelFile& file, const Vocabulary& vocabulary) {
  Token unknown = -1;
  for (Token token = 0; token < vocabulary.size(); ++token) {
    if (vocabulary.type(token) != TokenType::unknown) continue;
    if (unknown >= 0) fail(file, fmt::format("has two unknown pieces, {} and {}", unknown, token));
    unknown = token;
  }
  if (unknown < 0 && !file.byte_fallback) {
    fail(file, "has no piece of type UNKNOWN, expected one");
  }
  return unknown;
}

void check_pieces(const ModelFile& file, const Vocabulary& vocabulary) {
  std::size_t bytes = 0;
  for (Token token = 0; token < vocabulary.size(); ++token) {
    const std::string_view text = vocabulary.text(token);
    const TokenType type = vocabulary.type(token);
    if (vocabulary.find(text) != token) {
      fail(file, fmt::format("has {} twice, as pieces {} and {}, expected different texts",
                             quoted(text), vocabulary.find(text), token));
    }
    if (type == TokenType::byte) ++bytes;
    if (type == TokenType::unused && file.type != ModelType::unigram) {
      fail(file,
           fmt::format("piece {} is of type UNUSED, which is supported only in unigram models",
                       token));
    }
  }
  if (bytes != (file.byte_fallback ? 256 : 0)) {
    fail(file, fmt::format("has {} byte pieces, expected {} because trainer_spec.byte_fallback is "
                           "{}",
                           bytes, file.byte_fallback ? 256 : 0, file.byte_fallback));
  }
}

Token control_token(const Vocabulary& vocabulary, std::string_view text) {
  const Token token = vocabulary.find(text);
  return token >= 0 && vocabulary.type(token) == TokenType::control ? token : -1;
}

void set_model(TokenizerDefinition& definition, const ModelFile& file, Token unknown) {
  switch (file.type) {
    case ModelType::unigram:
      definition.kind = "unigram";
      definition.model = UnigramModel{{unknown, file.byte_fallback, UnigramRules::sentence_piece},
                                      std::vector<double>(file.scores.begin(), file.scores.end())};
      return;
    case ModelType::bpe:
    case ModelType::character:  // no two characters are a token, so that nothing merges
      definition.kind = file.type == ModelType::bpe ? "llama" : "char";
      definition.model = SentencePieceOptions{unknown};
      return;
    case ModelType::word:
      if (file.byte_fallback) fail(file, "byte_fallback is not supported for words (model_type 3)");
      definition.kind = "word";
      definition.pre_tokenizer = {
          Split{{std::string(space_mark)}, SplitBehavior::merged_with_next}};
      definition.model = WordLevelOptions{unknown, true};
  }
}

void set_steps(TokenizerDefinition& definition, const ModelFile& file, Token unknown) {
  const Vocabulary& vocabulary = definition.vocabulary;
  SentencePieceNormalizer normalizer{std::string(file.charsmap),
                                     file.add_dummy_prefix,
                                     file.remove_extra_spaces,
                                     file.space_as_suffix,
                                     {}};
  for (Token token = 0; token < vocabulary.size(); ++token) {
    std::string text(vocabulary.text(token));
    if (vocabulary.type(token) == TokenType::user_defined) {
      normalizer.user_defined.push_back(std::move(text));
    } else if (vocabulary.type(token) == TokenType::control) {
      definition.added_tokens.push_back({.id = token, .text = std::move(text), .special = true});
    }
  }
  definition.normalizer = {std::move(normalizer)};
  definition.decoder = {SentencePieceDecoder{
      file.add_dummy_prefix, file.remove_extra_spaces, file.byte_fallback,
      unknown < 0 ? "" : std::string(vocabulary.text(unknown)), std::string(file.unknown_surface)}};
}

}  // namespace

TokenizerDefinition read_sentence_piece_model(std::string_view bytes, std::string source) {
  const ModelFile file = read_file(bytes, std::move(source));
  TokenizerDefinition definition;
  definition.source = file.source;
  definition.vocabulary = Vocabulary(file.source, file.pieces, file.types, file.scores);
  definition.model_size = definition.vocabulary.size();
  check_pieces(file, definition.vocabulary);
  const Token unknown = unknown_of(file, definition.vocabulary);
  set_model(definition, file, unknown);
  set_steps(definition, file, unknown);
  definition.bos = control_token(definition.vocabulary, file.bos);
  definition.eos = control_token(definition.vocabulary, file.eos);
  definition.padding = control_token(definition.vocabulary, file.padding);
  if (definition.eos >= 0) definition.ends = {definition.eos};
  return definition;
}

}  // namespace lamina
