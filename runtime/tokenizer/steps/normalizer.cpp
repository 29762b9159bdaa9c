// Each step is made into a function when the normalizer is made.
#include "runtime/tokenizer/steps/normalizer.h"

#include "runtime/tokenizer/byte_alphabet.h"
#include "runtime/unicode/character_reader.h"
#include "runtime/tokenizer/steps/charsmap.h"
#include "runtime/unicode/code_point_sets.h"
#include "runtime/unicode/normalization_form.h"
#include "runtime/unicode/unicode_classes.h"

#include <utf8proc.h>

#include <cstddef>
#include <memory>
#include <utility>

namespace lamina {
namespace {

using Change = std::function<void(std::string&)>;

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

Change form(NormalizationForm form) {
  return [form](std::string& text) { text = normalized(text, form); };
}

Change make(Nfc) { return form({.composed = true}); }
Change make(Nfd) { return form({}); }
Change make(Nfkc) { return form({.compatible = true, .composed = true}); }
Change make(Nfkd) { return form({.compatible = true}); }
Change make(Lowercase) {
  return [](std::string& text) { text = lowercase(text); };
}
Change make(Strip step) {
  return [step](std::string& text) { text = strip(text, step); };
}
Change make(StripAccents) {
  return [](std::string& text) {
    text = without(text, [](char32_t c) { return code_points::combining_marks().contains(c); });
  };
}
Change make(Replace step) {
  const auto pattern = std::make_shared<const PatternSearch>(step.pattern);
  return [pattern, content = std::move(step.content)](std::string& text) {
    text = pattern->replaced(text, content);
  };
}
Change make(Prepend step) {
  return [step = std::move(step)](std::string& text) {
    if (!text.empty()) text.insert(0, step.text);
  };
}
Change make(const Precompiled& step) {
  if (step.charsmap.empty()) return [](std::string&) {};
  const auto rules = std::make_shared<const Charsmap>(step.charsmap, "precompiled_charsmap");
  if (step.matching == CharsmapMatching::longest) {
    return [rules](std::string& text) { text = rules->replace_longest(text); };
  }
  return [rules](std::string& text) { text = rules->replace_clusters(text); };
}
Change make(BertNormalizer step) {
  return [step](std::string& text) { text = bert(std::move(text), step); };
}
Change make(Nmt) {
  return [](std::string& text) { text = nmt(text); };
}
Change make(ByteLevelNormalizer) {
  return [](std::string& text) { text = spelled(text); };
}
Change make(const SentencePieceNormalizer& step) {
  const auto rules = std::make_shared<const SentencePieceRewriter>(step);
  return [rules](std::string& text) { text = rules->apply(text); };
}

}  // namespace

Normalizer::Normalizer(std::vector<NormalizerStep> steps) {
  for (NormalizerStep& step : steps) {
    steps_.push_back(std::visit([](auto& each) { return make(std::move(each)); }, step));
  }
}

std::string Normalizer::apply(std::string_view text) const {
  std::string changed(text);
  for (const auto& step : steps_) step(changed);
  return changed;
}

}  // namespace lamina
