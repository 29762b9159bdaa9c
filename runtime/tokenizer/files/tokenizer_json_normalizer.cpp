// `normalizer` of a tokenizer.json.
#include "lamina/core/error.h"
#include "runtime/tokenizer/files/base64.h"
#include "runtime/tokenizer/steps/charsmap.h"
#include "runtime/tokenizer/files/tokenizer_json_parts.h"
#include "runtime/unicode/utf8.h"

#include <fmt/format.h>

#include <utility>

namespace lamina {
namespace {

BertNormalizer read_bert(const JsonView& value) {
  BertNormalizer step;
  step.clean_text = value.at("clean_text").boolean();
  step.handle_chinese_chars = value.at("handle_chinese_chars").boolean();
  if (const auto strip = value.find("strip_accents")) step.strip_accents = strip->boolean();
  step.lowercase = value.at("lowercase").boolean();
  return step;
}

Precompiled read_precompiled(const JsonView& value) {
  const JsonView charsmap = value.at("precompiled_charsmap");
  auto bytes = decode_base64(charsmap.text());
  if (!bytes) charsmap.fail_because("is no base64");
  try {
    Charsmap(*bytes, "the charsmap");
  } catch (const Error& error) {
    charsmap.fail_because(fmt::format("is damaged: {}", error.what()));
  }
  return {std::move(*bytes), CharsmapMatching::clusters};
}

NormalizerStep read_step(const JsonView& value, const std::string& type) {
  if (type == "NFC") return Nfc{};
  if (type == "NFD") return Nfd{};
  if (type == "NFKC") return Nfkc{};
  if (type == "NFKD") return Nfkd{};
  if (type == "Lowercase") return Lowercase{};
  if (type == "StripAccents") return StripAccents{};
  if (type == "Nmt") return Nmt{};
  if (type == "ByteLevel") return ByteLevelNormalizer{};
  if (type == "BertNormalizer") return read_bert(value);
  if (type == "Precompiled") return read_precompiled(value);
  if (type == "Prepend") return Prepend{value.at("prepend").text()};
  if (type == "Strip") {
    return Strip{value.at("strip_left").boolean(), value.at("strip_right").boolean()};
  }
  if (type == "Replace") {
    return Replace{read_json_pattern(value.at("pattern")), value.at("content").text()};
  }
  value.at("type").fail(
      "a normalizer: Sequence NFC NFD NFKC NFKD Lowercase Strip StripAccents Replace Prepend "
      "Precompiled BertNormalizer Nmt ByteLevel");
}

}  // namespace

TextPattern read_json_pattern(const JsonView& value) {
  if (const auto text = value.find("String")) return {text->text(), false};
  if (const auto regex = value.find("Regex")) {
    TextPattern pattern{regex->text(), true};
    try {
      const PatternSearch compiled(pattern);
    } catch (const Error& error) {
      regex->fail_because(fmt::format("cannot be used: {}", error.what()));
    }
    return pattern;
  }
  value.fail("an object with String or Regex");
}

std::string read_json_character(const JsonView& value) {
  std::string text = value.text();
  if (text.empty() || character_length(text) != text.size()) value.fail("one character");
  return text;
}

std::vector<NormalizerStep> read_json_normalizer(const JsonView& normalizer) {
  const std::string type = normalizer.at("type").text();
  if (type != "Sequence") return {read_step(normalizer, type)};
  std::vector<NormalizerStep> steps;
  const JsonView parts = normalizer.at("normalizers");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (NormalizerStep& step : read_json_normalizer(parts[i])) steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace lamina
