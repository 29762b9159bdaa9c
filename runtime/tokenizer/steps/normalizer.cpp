// Each step is made into a function when the normalizer is made.
#include "runtime/tokenizer/steps/normalizer.h"

#include "runtime/tokenizer/byte_alphabet.h"
#include "runtime/unicode/character_reader.h"
#include "runtime/tokenizer/steps/charsmap.h"
#include "runtime/unicode/code_point_sets.h"
#include "runtime/unicode/normalization_form.h"
#include "runtime/unicode/unicode_classes.h"
#include "runtime/unicode/utf8.h"

#include <utf8proc.h>

#include <cstddef>
#include <memory>
#include <utility>

namespace lamina {
namespace {

using Change = Normalizer::Change;
using Step = Normalizer::Step;

bool is_white(char32_t code) {
  return code != no_code_point && UnicodeClasses::instance().is(code, character_set::white);
}

/// The text without the characters for which `drop(code)`.
template <class Drop>
std::string without(std::string_view text, Drop drop) {
  std::string out;
  for_each_character(text, [&](char32_t code, std::string_view bytes) {
    if (code == no_code_point || !drop(code)) out += bytes;
  });
  return out;
}

/// Simple lowercase mappings of Unicode 16 and 17, which utf8proc may not have yet.
char32_t recent_lowercase(char32_t code) {
  if (code >= 0x10D50 && code <= 0x10D65) return code + 0x20;  // Garay
  if (code >= 0x16EA0 && code <= 0x16EB8) return code + 0x1B;  // Beria Erfe
  switch (code) {
    case 0x1C89:
    case 0xA7CC:
    case 0xA7CE:
    case 0xA7D2:
    case 0xA7D4:
    case 0xA7DA:
      return code + 1;
    case 0xA7CB:
      return 0x264;
    case 0xA7DC:
      return 0x19B;
    default:
      return code;
  }
}

std::string lowercase(std::string_view text) {
  std::string out;
  for_each_character(text, [&](char32_t code, std::string_view bytes) {
    if (code == no_code_point) {
      out += bytes;
    } else if (code == 0x130) {
      out += "i\xCC\x87";  // the one mapping to two characters (SpecialCasing.txt)
    } else {
      const utf8proc_int32_t lower = utf8proc_tolower(static_cast<utf8proc_int32_t>(code));
      const auto simple = static_cast<char32_t>(lower);
      append_utf8(out, simple == code ? recent_lowercase(code) : simple);
    }
  });
  return out;
}

std::string strip(std::string_view text, const Strip& sides) {
  std::size_t begin = text.size();  // of the first character that is not white
  std::size_t end = 0;              // of the last one
  for_each_character(text, [&](char32_t code, std::string_view bytes) {
    if (is_white(code)) return;
    const auto at = static_cast<std::size_t>(bytes.data() - text.data());
    if (begin == text.size()) begin = at;
    end = at + bytes.size();
  });
  if (begin == text.size() && (sides.left || sides.right)) return {};
  if (!sides.left) begin = 0;
  if (!sides.right) end = text.size();
  return std::string(text.substr(begin, end - begin));
}

/// The blocks of CJK ideographs, as BERT counts them.
bool is_chinese(char32_t code) {
  return (code >= 0x4E00 && code <= 0x9FFF) || (code >= 0x3400 && code <= 0x4DBF) ||
         (code >= 0x20000 && code <= 0x2A6DF) || (code >= 0x2A700 && code <= 0x2B73F) ||
         (code >= 0x2B740 && code <= 0x2B81F) || (code >= 0x2B920 && code <= 0x2CEAF) ||
         (code >= 0xF900 && code <= 0xFAFF) || (code >= 0x2F800 && code <= 0x2FA1F);
}

std::string clean(std::string_view text) {
  std::string out;
  for_each_character(text, [&](char32_t code, std::string_view bytes) {
    if (code != no_code_point && code_points::controls().contains(code)) return;
    if (is_white(code)) {
      out += ' ';
    } else {
      out += bytes;
    }
  });
  return out;
}

std::string space_chinese(std::string_view text) {
  std::string out;
  for_each_character(text, [&](char32_t code, std::string_view bytes) {
    const bool chinese = is_chinese(code);
    if (chinese) out += ' ';
    out += bytes;
    if (chinese) out += ' ';
  });
  return out;
}

std::string without_accents(std::string_view text) {
  return without(normalized(text, {}),
                 [](char32_t code) { return code_points::nonspacing_marks().contains(code); });
}

std::string bert(std::string text, const BertNormalizer& step) {
  if (step.clean_text) text = clean(text);
  if (step.handle_chinese_chars) text = space_chinese(text);
  if (step.strip_accents.value_or(step.lowercase)) text = without_accents(text);
  return step.lowercase ? lowercase(text) : text;
}

std::string nmt(std::string_view text) {
  std::string out;
  for_each_character(text, [&](char32_t code, std::string_view bytes) {
    const bool space = code == 0x09 || code == 0x0A || code == 0x0C || code == 0x0D ||
                       code == 0x1680 || (code >= 0x200B && code <= 0x200F) || code == 0x2028 ||
                       code == 0x2029 || code == 0x2581 || code == 0xFEFF || code == 0xFFFD;
    const bool control =
        (code >= 0x01 && code < 0x20) || code == 0x7F || code == 0x8F || code == 0x9F;
    if (space) {
      out += ' ';
    } else if (!control) {
      out += bytes;
    }
  });
  return out;
}

std::string spelled(std::string_view text) {
  std::string out;
  append_spelled(out, text);
  return out;
}

/// What becomes of the start of `text` where matches become `content`, which stands where the last
/// character of its match stood.
std::string replaced_start(const PatternSearch& pattern, std::string_view content,
                           std::string_view text, std::string_view start) {
  std::string out;
  for (const PatternSpan& span : pattern.spans(text)) {
    if (span.match) {
      if (span.end > start.size()) break;
      out += content;
    } else {
      if (span.begin >= start.size()) break;
      out += start.substr(span.begin, span.end - span.begin);
    }
  }
  return out;
}

/// A step that does with the start what it does with the whole.
Step step(Change change) {
  return {change, [change](std::string_view, std::string& start) { start = change(start); }};
}

/// A step of which tokenizers does not say what it has removed at the start.
Step step_keeping_start(Change change) {
  return {std::move(change), [](std::string_view, std::string&) {}};
}

Step form(NormalizationForm form) {
  return step([form](std::string_view text) { return normalized(text, form); });
}

Step make(Nfc) { return form({.composed = true}); }
Step make(Nfd) { return form({}); }
Step make(Nfkc) { return form({.compatible = true, .composed = true}); }
Step make(Nfkd) { return form({.compatible = true}); }
Step make(Lowercase) { return step(lowercase); }
Step make(Strip sides) {
  return {[sides](std::string_view text) { return strip(text, sides); },
          [sides](std::string_view, std::string& start) {
            start = strip(start, {sides.left, false});
          }};
}
Step make(StripAccents) {
  return step([](std::string_view text) {
    return without(text, [](char32_t c) { return code_points::combining_marks().contains(c); });
  });
}
Step make(Replace given) {
  const auto pattern = std::make_shared<const PatternSearch>(given.pattern);
  const std::string content = std::move(given.content);
  return {[pattern, content](std::string_view text) { return pattern->replaced(text, content); },
          [pattern, content](std::string_view text, std::string& start) {
            start = replaced_start(*pattern, content, text, start);
          }};
}
Step make(Prepend given) {
  return step([given = std::move(given)](std::string_view text) {
    return (text.empty() ? "" : given.text) + std::string(text);
  });
}
Step make(const Precompiled& given) {
  if (given.charsmap.empty()) {
    return step_keeping_start([](std::string_view text) { return std::string(text); });
  }
  const auto rules = std::make_shared<const Charsmap>(given.charsmap, "precompiled_charsmap");
  const bool longest = given.matching == CharsmapMatching::longest;
  return step_keeping_start([rules, longest](std::string_view text) {
    return longest ? rules->replace_longest(text) : rules->replace_clusters(text);
  });
}
Step make(BertNormalizer options) {
  return step([options](std::string_view text) { return bert(std::string(text), options); });
}
Step make(Nmt) { return step(nmt); }
Step make(ByteLevelNormalizer) { return step(spelled); }
Step make(const SentencePieceNormalizer& given) {
  const auto rules = std::make_shared<const SentencePieceRewriter>(given);
  return step_keeping_start([rules](std::string_view text) { return rules->apply(text); });
}

}  // namespace

Normalizer::Normalizer(std::vector<NormalizerStep> steps) {
  for (NormalizerStep& step : steps) {
    steps_.push_back(std::visit([](auto& each) { return make(std::move(each)); }, step));
  }
}

std::string Normalizer::apply(std::string_view text) const {
  if (empty()) return std::string(text);
  std::string changed = steps_.front().change(text);
  for (std::size_t i = 1; i < steps_.size(); ++i) changed = steps_[i].change(changed);
  return changed;
}

bool Normalizer::keeps_start(std::string_view text) const {
  if (text.empty()) return true;
  std::string changed(text);
  std::string start(text.substr(0, character_length(text)));
  for (const Step& step : steps_) {
    step.change_start(changed, start);
    changed = step.change(changed);
  }
  return !start.empty();
}

}  // namespace lamina
