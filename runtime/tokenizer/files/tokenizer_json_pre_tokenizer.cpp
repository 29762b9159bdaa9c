// `pre_tokenizer` of a tokenizer.json.
#include "runtime/tokenizer/files/tokenizer_json_parts.h"

#include <utility>

namespace lamina {
namespace {

SplitBehavior read_behavior(const JsonView& value) {
  const std::string name = value.text();
  if (name == "Removed") return SplitBehavior::removed;
  if (name == "Isolated") return SplitBehavior::isolated;
  if (name == "MergedWithPrevious") return SplitBehavior::merged_with_previous;
  if (name == "MergedWithNext") return SplitBehavior::merged_with_next;
  if (name == "Contiguous") return SplitBehavior::contiguous;
  value.fail("Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous");
}

PrependScheme read_scheme(const JsonView& value) {
  const std::string name = value.text();
  if (name == "always") return PrependScheme::always;
  if (name == "first") return PrependScheme::first;
  if (name == "never") return PrependScheme::never;
  value.fail("always, first or never");
}

Punctuation read_punctuation(const JsonView& value) {
  const auto behavior = value.find("behavior");
  return behavior ? Punctuation{read_behavior(*behavior)} : Punctuation{};
}

FixedLength read_fixed_length(const JsonView& value) {
  const auto length = value.find("length");
  return length ? FixedLength{static_cast<std::size_t>(length->integer(1, 1 << 30))}
                : FixedLength{};
}

PreTokenizerStep read_step(const JsonView& value, const std::string& type) {
  if (type == "Whitespace") return Whitespace{};
  if (type == "WhitespaceSplit") return WhitespaceSplit{};
  if (type == "BertPreTokenizer") return BertPreTokenizer{};
  if (type == "UnicodeScripts") return UnicodeScripts{};
  if (type == "Metaspace") return read_json_metaspace(value);
  if (type == "Punctuation") return read_punctuation(value);
  if (type == "FixedLength") return read_fixed_length(value);
  if (type == "Digits") return Digits{value.at("individual_digits").boolean()};
  if (type == "CharDelimiterSplit") {
    return CharDelimiterSplit{read_json_character(value.at("delimiter"))};
  }
  if (type == "ByteLevel") {
    return ByteLevelSplit{value.at("add_prefix_space").boolean(),
                          value.boolean_or("use_regex", true)};
  }
  if (type == "Split") {
    return Split{read_json_pattern(value.at("pattern")), read_behavior(value.at("behavior")),
                 value.at("invert").boolean()};
  }
  value.at("type").fail(
      "a pre-tokenizer: Sequence ByteLevel Split Metaspace Digits Punctuation Whitespace "
      "WhitespaceSplit BertPreTokenizer UnicodeScripts CharDelimiterSplit FixedLength");
}

}  // namespace

Metaspace read_json_metaspace(const JsonView& metaspace) {
  Metaspace step;
  step.replacement = read_json_character(metaspace.at("replacement"));
  step.split = metaspace.boolean_or("split", true);
  const bool prefix = metaspace.boolean_or("add_prefix_space", true);  // of older files
  if (const auto scheme = metaspace.find("prepend_scheme")) {
    step.prepend_scheme = read_scheme(*scheme);
    if (!prefix && step.prepend_scheme != PrependScheme::never) {
      scheme->fail("never, because add_prefix_space is false");
    }
  } else if (!prefix) {
    step.prepend_scheme = PrependScheme::never;
  }
  return step;
}

std::vector<PreTokenizerStep> read_json_pre_tokenizer(const JsonView& pre_tokenizer) {
  const std::string type = pre_tokenizer.at("type").text();
  if (type != "Sequence") return {read_step(pre_tokenizer, type)};
  std::vector<PreTokenizerStep> steps;
  const JsonView parts = pre_tokenizer.at("pretokenizers");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (auto& step : read_json_pre_tokenizer(parts[i])) steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace lamina
