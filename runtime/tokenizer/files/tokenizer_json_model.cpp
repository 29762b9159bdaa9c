// `model` of a tokenizer.json: the tokens, and how text becomes them.
#include "lamina/gguf/quoted.h"
#include "runtime/tokenizer/files/tokenizer_json_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace lamina {
namespace {

/// Numbers above this are taken for damage: they say how much memory the vocabulary takes.
constexpr std::int64_t highest_token = (1 << 24) - 1;

using Numbers = std::unordered_map<std::string_view, Token>;  // by text, of the file

void set_text(std::vector<std::string>& texts, const JsonView& vocabulary, const std::string& text,
              Token token) {
  const auto at = static_cast<std::size_t>(token);
  if (texts.size() <= at) texts.resize(at + 1);
  if (!texts[at].empty()) {
    vocabulary.fail_because(fmt::format("has two texts for token {}, {} and {}", token,
                                        lamina::quoted(texts[at]), lamina::quoted(text)));
  }
  texts[at] = text;
}

/// `{"text": number, ...}`.
Numbers read_vocabulary(const JsonView& vocabulary, std::vector<std::string>& texts) {
  if (!vocabulary.value().is_object()) vocabulary.fail("an object of texts and numbers");
  Numbers numbers;
  numbers.reserve(vocabulary.value().size());
  for (const auto& [text, value] : vocabulary.value().items()) {
    std::int64_t number = -1;
    if (value.is_number_integer()) number = value.template get<std::int64_t>();
    if (number < 0 || number > highest_token) {
      vocabulary.at(text).fail(fmt::format("a token, 0 to {}", highest_token));
    }
    set_text(texts, vocabulary, text, static_cast<Token>(number));
    numbers.emplace(text, static_cast<Token>(number));
  }
  return numbers;
}

Token token_of(const Numbers& numbers, std::string_view text) {
  const auto found = numbers.find(text);
  return found == numbers.end() ? -1 : found->second;
}

/// The two texts of `"a b"` or `["a", "b"]`.
std::pair<std::string_view, std::string_view> merge_texts(const JsonView& merges, std::size_t i) {
  const nlohmann::json& value = merges.value()[i];
  if (value.is_array() && value.size() == 2 && value[0].is_string() && value[1].is_string()) {
    return {value[0].get_ref<const std::string&>(), value[1].get_ref<const std::string&>()};
  }
  if (value.is_string()) {
    const std::string_view both = value.get_ref<const std::string&>();
    const std::size_t space = both.find(' ');
    if (space != std::string_view::npos && both.find(' ', space + 1) == std::string_view::npos) {
      return {both.substr(0, space), both.substr(space + 1)};
    }
  }
  merges[i].fail("two texts: \"a b\" or [\"a\", \"b\"]");
}

std::vector<PairMerge> read_merges(const JsonView& merges, const Numbers& numbers,
                                   std::size_t prefix) {
  std::vector<PairMerge> out;
  const std::size_t count = merges.size();
  out.reserve(count);
  std::string joined;
  for (std::size_t i = 0; i < count; ++i) {
    const nlohmann::json& value = merges.value()[i];
    if (value.is_string() && value.get_ref<const std::string&>().starts_with("#version")) continue;
    const auto [left, right] = merge_texts(merges, i);
    joined.assign(left).append(right.substr(std::min(prefix, right.size())));
    PairMerge merge{token_of(numbers, left), token_of(numbers, right),
                    static_cast<std::uint32_t>(i), token_of(numbers, joined)};
    for (const auto& [token, text] :
         {std::pair{merge.left, left}, {merge.right, right}, {merge.result, joined}}) {
      if (token < 0)
        merges[i].fail_because(fmt::format("needs {}, which is no token", lamina::quoted(text)));
    }
    out.push_back(merge);
  }
  return out;
}

BpeOptions read_bpe(const JsonView& model, const Numbers& numbers) {
  BpeOptions options;
  if (const auto dropout = model.find("dropout"); dropout && dropout->number() != 0) {
    dropout->fail("0 or null: with dropout the tokens of a text are random");
  }
  if (const auto unknown = model.find("unk_token")) {
    options.unknown = token_of(numbers, unknown->text());
    if (options.unknown < 0) options.unknown = BpeOptions::no_unknown;
  }
  options.continuing_subword_prefix = model.text_or("continuing_subword_prefix", "");
  options.end_of_word_suffix = model.text_or("end_of_word_suffix", "");
  options.fuse_unknown = model.boolean_or("fuse_unk", false);
  options.byte_fallback = model.boolean_or("byte_fallback", false);
  options.ignore_merges = model.boolean_or("ignore_merges", false);
  options.merges =
      read_merges(model.at("merges"), numbers, options.continuing_subword_prefix.size());
  return options;
}

WordPieceOptions read_word_piece(const JsonView& model, const Numbers& numbers) {
  WordPieceOptions options;
  options.unknown = token_of(numbers, model.at("unk_token").text());
  options.continuing_subword_prefix = model.at("continuing_subword_prefix").text();
  options.max_characters = static_cast<std::size_t>(
      model.at("max_input_chars_per_word").integer(0, std::numeric_limits<std::int64_t>::max()));
  return options;
}

WordLevelOptions read_word_level(const JsonView& model, const Numbers& numbers) {
  return {token_of(numbers, model.at("unk_token").text()), false};
}

/// `[["text", score], ...]`.
UnigramModel read_unigram(const JsonView& model, std::vector<std::string>& texts) {
  UnigramModel unigram;
  const JsonView vocabulary = model.at("vocab");
  const std::size_t count = vocabulary.size();
  if (count > static_cast<std::size_t>(highest_token)) {
    vocabulary.fail(fmt::format("at most {} tokens", highest_token));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const nlohmann::json& entry = vocabulary.value()[i];
    const bool good = entry.is_array() && entry.size() == 2 && entry[0].is_string() &&
                      entry[1].is_number() && !std::isnan(entry[1].get<double>());
    if (!good) vocabulary[i].fail("a text and a score");
    texts.push_back(entry[0].get<std::string>());
    unigram.scores.push_back(entry[1].get<double>());
  }
  if (const auto unknown = model.find("unk_id")) {
    unigram.options.unknown =
        static_cast<Token>(unknown->integer(0, static_cast<std::int64_t>(count) - 1));
  }
  unigram.options.byte_fallback = model.boolean_or("byte_fallback", false);
  unigram.options.rules = UnigramRules::tokenizers;
  return unigram;
}

/// Files of long ago do not name the type.
std::string kind_of(const JsonView& model) {
  if (const auto type = model.find("type")) return type->text();
  if (model.find("merges")) return "BPE";
  if (model.at("vocab").value().is_array()) return "Unigram";
  return model.find("max_input_chars_per_word") ? "WordPiece" : "WordLevel";
}

}  // namespace

JsonModel read_json_model(const JsonView& model) {
  JsonModel read;
  read.kind = kind_of(model);
  read.count = model.at("vocab").value().size();
  if (read.count == 0) model.at("vocab").fail_because("has no tokens");
  if (read.kind == "Unigram") {
    read.options = read_unigram(model, read.texts);
  } else if (read.kind == "BPE" || read.kind == "WordPiece" || read.kind == "WordLevel") {
    const Numbers numbers = read_vocabulary(model.at("vocab"), read.texts);
    if (read.kind == "BPE") read.options = read_bpe(model, numbers);
    if (read.kind == "WordPiece") read.options = read_word_piece(model, numbers);
    if (read.kind == "WordLevel") read.options = read_word_level(model, numbers);
  } else {
    model.at("type").fail("a model: BPE Unigram WordPiece WordLevel");
  }
  return read;
}

}  // namespace lamina
