// Reading the files, and merging them into a definition.
#include "runtime/tokenizer/files/tokenizer_config.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/mapped_file.h"
#include "runtime/tokenizer/end_tokens.h"
#include "runtime/tokenizer/files/json_view.h"
#include "runtime/tokenizer/files/tokenizer_json_parts.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <string_view>
#include <utility>

namespace lamina {
namespace {

constexpr std::int64_t highest_token = (1 << 24) - 1;

std::string content(const std::filesystem::path& path) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Calls `read` with the content of a JSON file, if it is there.
void with_file(const std::filesystem::path& path, const std::function<void(JsonView)>& read) {
  if (!std::filesystem::exists(path)) return;
  const std::string source = path.string();
  const nlohmann::json json = parse_json(content(path), source);
  read(JsonView(json, source));
}

/// The text of a token: as it is, or the `content` of an object.
void read_token_text(const JsonView& file, std::string_view key, std::optional<std::string>& text) {
  const auto token = file.find(key);
  if (!token || text) return;
  text = token->value().is_object() ? token->at("content").text() : token->text();
}

void read_token_texts(const JsonView& file, TokenizerConfig& config) {
  read_token_text(file, "bos_token", config.bos);
  read_token_text(file, "eos_token", config.eos);
  read_token_text(file, "pad_token", config.padding);
}

/// `{"151643": {"content": ..., "special": ...}, ...}`.
void read_added_tokens(const JsonView& list, TokenizerConfig& config) {
  if (!list.value().is_object()) list.fail("an object of numbers and tokens");
  for (const auto& [key, value] : list.value().items()) {
    const JsonView entry = list.at(key);
    AddedToken token = read_json_added_token(entry);
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), token.id);
    if (error != std::errc() || end != key.data() + key.size() || token.id < 0 ||
        token.id > highest_token) {
      list.fail_because(fmt::format("has the member {}, expected a token, 0 to {}",
                                    lamina::quoted(key), highest_token));
    }
    config.added_tokens.push_back(std::move(token));
  }
}

/// A template, or a list of them with names.
void read_chat_templates(const JsonView& value, TokenizerConfig& config) {
  if (value.value().is_string()) {
    config.chat_templates.emplace("default", value.text());
    return;
  }
  if (!value.value().is_array()) value.fail("a text, or a list of objects with name and template");
  for (std::size_t i = 0; i < value.size(); ++i) {
    config.chat_templates.emplace(value[i].at("name").text(), value[i].at("template").text());
  }
}

void read_main_file(const JsonView& file, TokenizerConfig& config) {
  read_token_texts(file, config);
  config.tokenizer_class = file.text_or("tokenizer_class", "");
  if (const auto flag = file.find("legacy")) config.legacy = flag->boolean();
  if (const auto flag = file.find("add_bos_token")) config.add_bos = flag->boolean();
  if (const auto flag = file.find("add_eos_token")) config.add_eos = flag->boolean();
  if (const auto list = file.find("added_tokens_decoder")) read_added_tokens(*list, config);
  if (const auto given = file.find("chat_template")) read_chat_templates(*given, config);
}

/// One token, or a list of them.
void read_ends(const JsonView& file, TokenizerConfig& config) {
  const auto ends = file.find("eos_token_id");
  if (!ends || !config.ends.empty()) return;
  const auto token = [](const JsonView& value) {
    return static_cast<Token>(value.integer(0, highest_token));
  };
  if (!ends->value().is_array()) return config.ends.push_back(token(*ends));
  for (std::size_t i = 0; i < ends->size(); ++i) config.ends.push_back(token((*ends)[i]));
}

void read_template_files(const std::filesystem::path& folder, TokenizerConfig& config) {
  const auto file = folder / "chat_template.jinja";
  if (std::filesystem::exists(file)) config.chat_templates["default"] = content(file);
  const auto more = folder / "additional_chat_templates";
  if (!std::filesystem::is_directory(more)) return;
  for (const auto& entry : std::filesystem::directory_iterator(more)) {
    if (entry.path().extension() != ".jinja") continue;
    config.chat_templates[entry.path().stem().string()] = content(entry.path());
  }
}

/// The arrays of a vocabulary while tokens are added to it.
struct Arrays {
  std::vector<std::string> texts;
  std::vector<TokenType> types;
  std::vector<float> scores;

  explicit Arrays(const Vocabulary& vocabulary)
      : scores(vocabulary.scores().begin(), vocabulary.scores().end()) {
    for (Token token = 0; token < vocabulary.size(); ++token) {
      texts.emplace_back(vocabulary.text(token));
      types.push_back(vocabulary.type(token));
    }
  }
};

void set_token(Arrays& arrays, const AddedToken& token, Token model_size,
               const std::string& source) {
  const auto at = static_cast<std::size_t>(token.id);
  if (at >= arrays.texts.size()) {
    arrays.texts.resize(at + 1);
    arrays.types.resize(at + 1, TokenType::unused);
    if (!arrays.scores.empty()) arrays.scores.resize(at + 1);
  }
  std::string& text = arrays.texts[at];
  if (!text.empty() && text != token.text) {
    throw Error(
        fmt::format("{}: tokenizer_config.json gives token {} the text {}, but the "
                    "vocabulary has {}; the files do not belong together",
                    source, token.id, lamina::quoted(token.text), lamina::quoted(text)));
  }
  text = token.text;
  const bool own = token.id < model_size;
  if (own && arrays.types[at] != TokenType::normal) return;  // the file itself says what it is
  if (token.special) arrays.types[at] = TokenType::control;
  if (!own && !token.special) arrays.types[at] = TokenType::user_defined;
}

void add_tokens(const TokenizerConfig& config, TokenizerDefinition& definition) {
  if (config.added_tokens.empty()) return;
  Arrays arrays(definition.vocabulary);
  for (const AddedToken& token : config.added_tokens) {
    set_token(arrays, token, definition.model_size, config.source);
    auto& known = definition.added_tokens;
    std::erase_if(known, [&](const AddedToken& other) { return other.id == token.id; });
    known.push_back(token);
  }
  const std::vector<std::string_view> views(arrays.texts.begin(), arrays.texts.end());
  definition.vocabulary =
      Vocabulary(definition.source, views, std::move(arrays.types), std::move(arrays.scores));
}

/// The token with a text that the configuration names; `fallback` where it names none.
Token named(const std::optional<std::string>& text, Token fallback, std::string_view what,
            const TokenizerConfig& config, const Vocabulary& vocabulary) {
  if (!text || text->empty()) return fallback;
  const Token token = vocabulary.find(*text);
  if (token < 0) {
    spdlog::warn("{}: the {} {} is not in the vocabulary: there is none", config.source, what,
                 lamina::quoted(*text));
  }
  return token;
}

/// Puts `token` at the start or end of `tokens`, or takes it away.
void set_present(std::vector<Token>& tokens, Token token, bool wanted, bool front) {
  const auto at = std::find(tokens.begin(), tokens.end(), token);
  if (!wanted && at != tokens.end()) tokens.erase(at);
  if (wanted && at == tokens.end() && token >= 0) {
    tokens.insert(front ? tokens.begin() : tokens.end(), token);
  }
}

}  // namespace

TokenizerConfig read_tokenizer_config(const std::filesystem::path& folder) {
  TokenizerConfig config;
  config.source = folder.string();
  with_file(folder / "tokenizer_config.json", [&](JsonView file) { read_main_file(file, config); });
  with_file(folder / "special_tokens_map.json",
            [&](JsonView file) { read_token_texts(file, config); });
  with_file(folder / "generation_config.json", [&](JsonView file) { read_ends(file, config); });
  with_file(folder / "config.json", [&](JsonView file) { read_ends(file, config); });
  read_template_files(folder, config);
  return config;
}

void apply(const TokenizerConfig& config, TokenizerDefinition& definition) {
  add_tokens(config, definition);
  const Vocabulary& vocabulary = definition.vocabulary;
  definition.bos = named(config.bos, definition.bos, "beginning token", config, vocabulary);
  definition.eos = named(config.eos, definition.eos, "end token", config, vocabulary);
  definition.padding =
      named(config.padding, definition.padding, "padding token", config, vocabulary);
  if (definition.eos < 0 && !config.ends.empty()) definition.eos = config.ends.front();
  if (config.add_bos) set_present(definition.prefix, definition.bos, *config.add_bos, true);
  if (config.add_eos) set_present(definition.suffix, definition.eos, *config.add_eos, false);
  std::vector<Token> ends = config.ends;
  ends.push_back(definition.eos);
  std::erase_if(ends, [&](Token token) { return token >= vocabulary.size(); });
  definition.ends = end_tokens(vocabulary, std::move(ends));
}

}  // namespace lamina
