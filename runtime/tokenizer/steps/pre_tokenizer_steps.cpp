// Each step is made into a function when the pre-tokenizer is made.
#include "runtime/tokenizer/steps/pre_tokenizer_steps.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/tokenizer/byte_alphabet.h"
#include "runtime/unicode/character_reader.h"
#include "runtime/unicode/code_point_sets.h"
#include "runtime/tokenizer/patterns/pre_tokenizer.h"
#include "runtime/tokenizer/steps/split_behavior.h"
#include "runtime/unicode/unicode_classes.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace lamina {

class PieceList {
 public:
  PieceList(std::string_view text, bool at_start) : at_start_(at_start) { add(text); }

  /// Replaces each piece by what `cut(piece, at_start, emit)` gives to `emit(text, span)`: spans of
  /// a text that stands for the piece.
  template <class Cut>
  void cut_each(Cut cut) {
    PieceList finer;
    std::size_t begin = 0;
    for (const std::size_t end : pieces_.ends) {
      const bool at_start = at_start_ && begin == 0;
      cut(std::string_view(pieces_.text).substr(begin, end - begin), at_start,
          [&](std::string_view text, PatternSpan span) {
            if (finer.pieces_.ends.empty()) finer.at_start_ = at_start && span.begin == 0;
            finer.add(text.substr(span.begin, span.end - span.begin));
          });
      begin = end;
    }
    *this = std::move(finer);
  }

  Pieces take() { return std::move(pieces_); }

 private:
  PieceList() = default;
  void add(std::string_view piece) {
    if (piece.empty()) return;
    pieces_.text += piece;
    pieces_.ends.push_back(pieces_.text.size());
  }

  Pieces pieces_;
  bool at_start_ = false;  // the first piece begins where the input does
};

namespace {

using CutStep = std::function<void(PieceList&)>;

/// A step that leaves the text as it is: cuts each piece at `spans(piece)`.
template <class Spans>
CutStep splitting(Spans spans, SplitBehavior behavior) {
  return [spans = std::move(spans), behavior](PieceList& pieces) {
    pieces.cut_each([&](std::string_view piece, bool, auto emit) {
      for (const PatternSpan& span : split_spans(spans(piece), behavior)) emit(piece, span);
    });
  };
}

/// The same, at each character that `is_delimiter(code)`.
template <class IsDelimiter>
CutStep splitting_at(IsDelimiter is_delimiter, SplitBehavior behavior) {
  return splitting(
      [is_delimiter](std::string_view piece) { return character_spans(piece, is_delimiter); },
      behavior);
}

bool is_white(char32_t code) {
  return code != no_code_point && UnicodeClasses::instance().is(code, character_set::white);
}
bool is_number(char32_t code) { return code_points::numbers().contains(code); }
bool is_punctuation(char32_t code) { return code_points::punctuation().contains(code); }

/// \w of Rust's regex, which differs from Oniguruma's in Latin-1 and the joiners.
bool is_word(char32_t code) {
  if (code == no_code_point) return false;
  if (code == 0x200C || code == 0x200D) return true;
  const bool number_of_latin1 =
      code == 0xB2 || code == 0xB3 || code == 0xB9 || (code >= 0xBC && code <= 0xBE);
  return !number_of_latin1 && UnicodeClasses::instance().word(code);
}

/// Runs of words and of what is neither word nor space; spaces are the delimiters.
std::vector<PatternSpan> word_spans(std::string_view text) {
  std::vector<PatternSpan> spans;
  enum class Kind { none, space, word, other };
  Kind last = Kind::none;
  std::size_t at = 0;
  for_each_character(text, [&](char32_t code, std::string_view bytes) {
    const Kind kind = is_word(code) ? Kind::word : is_white(code) ? Kind::space : Kind::other;
    if (kind != last) spans.push_back({at, at, kind == Kind::space});
    at += bytes.size();
    spans.back().end = at;
    last = kind;
  });
  return spans;
}

/// The parts between changes of script. What has no script, and the space, goes on with what stands
/// before it; before the first script it is dropped, as tokenizers does.
std::vector<PatternSpan> script_spans(std::string_view text) {
  std::vector<PatternSpan> spans;
  unsigned last = 0;
  std::size_t at = 0;
  for_each_character(text, [&](char32_t code, std::string_view bytes) {
    const unsigned script = code == no_code_point ? 0 : script_number(code);
    if (script != 0 && script != last) spans.push_back({at, at, false});
    if (script != 0) last = script;
    at += bytes.size();
    if (!spans.empty()) spans.back().end = at;
  });
  return spans;
}

std::vector<PatternSpan> fixed_spans(std::string_view text, std::size_t length) {
  std::vector<PatternSpan> spans;
  std::size_t count = 0;
  std::size_t at = 0;
  for_each_character(text, [&](char32_t, std::string_view bytes) {
    if (count++ % length == 0) spans.push_back({at, at, false});
    at += bytes.size();
    spans.back().end = at;
  });
  return spans;
}

/// The one character of `text`; throws where it is not one.
char32_t one_character(std::string_view text, std::string_view what) {
  if (text.empty() || well_formed_length(text) != text.size()) {
    throw Error(fmt::format("the {} is {}; it has to be one character", what, quoted(text)));
  }
  return code_point_of(text);
}

std::string with_replaced_spaces(std::string_view text, std::string_view replacement) {
  std::string out;
  for (const char c : text) {
    if (c == ' ') {
      out += replacement;
    } else {
      out += c;
    }
  }
  return out;
}

CutStep make(Split step) {
  const auto pattern = std::make_shared<const PatternSearch>(step.pattern);
  const auto spans = [pattern, invert = step.invert](std::string_view piece) {
    std::vector<PatternSpan> found = pattern->spans(piece);
    for (PatternSpan& span : found) span.match = span.match != invert;
    return found;
  };
  return splitting(spans, step.behavior);
}

CutStep make(ByteLevelSplit step) {
  const auto words = std::make_shared<const PreTokenizer>(
      step.use_regex ? pre_tokenizer_preset("gpt-2").passes : std::vector<std::string>());
  return [words, step](PieceList& pieces) {
    pieces.cut_each([&](std::string_view piece, bool, auto emit) {
      std::string text(piece);
      if (step.add_prefix_space && !text.starts_with(' ')) text.insert(0, " ");
      std::string spelled;
      std::size_t begin = 0;
      for (const std::size_t end : words->split(text)) {
        const std::size_t at = spelled.size();
        append_spelled(spelled, std::string_view(text).substr(begin, end - begin));
        emit(spelled, {at, spelled.size(), false});
        begin = end;
      }
    });
  };
}

CutStep make(Metaspace step) {
  const char32_t mark = one_character(step.replacement, "replacement of Metaspace");
  return [step, mark](PieceList& pieces) {
    pieces.cut_each([&](std::string_view piece, bool at_start, auto emit) {
      std::string text = with_replaced_spaces(piece, step.replacement);
      const bool prepend = step.prepend_scheme == PrependScheme::always ||
                           (step.prepend_scheme == PrependScheme::first && at_start);
      if (prepend && !text.starts_with(step.replacement)) text.insert(0, step.replacement);
      if (!step.split) return emit(text, {0, text.size(), false});
      const auto spans = character_spans(text, [&](char32_t code) { return code == mark; });
      for (const auto& span : split_spans(spans, SplitBehavior::merged_with_next)) emit(text, span);
    });
  };
}

CutStep make(Digits step) {
  return splitting_at(is_number,
                      step.individual_digits ? SplitBehavior::isolated : SplitBehavior::contiguous);
}
CutStep make(Punctuation step) { return splitting_at(is_punctuation, step.behavior); }
CutStep make(Whitespace) { return splitting(word_spans, SplitBehavior::removed); }
CutStep make(WhitespaceSplit) { return splitting_at(is_white, SplitBehavior::removed); }
CutStep make(BertPreTokenizer) {
  return [words = make(WhitespaceSplit{}), marks = make(Punctuation{})](PieceList& pieces) {
    words(pieces);
    marks(pieces);
  };
}
CutStep make(UnicodeScripts) { return splitting(script_spans, SplitBehavior::isolated); }
CutStep make(const CharDelimiterSplit& step) {
  const char32_t delimiter = one_character(step.delimiter, "delimiter of CharDelimiterSplit");
  return splitting_at([delimiter](char32_t code) { return code == delimiter; },
                      SplitBehavior::removed);
}
CutStep make(FixedLength step) {
  if (step.length == 0) throw Error("FixedLength has length 0; it has to be at least 1");
  return splitting([step](std::string_view piece) { return fixed_spans(piece, step.length); },
                   SplitBehavior::isolated);
}

}  // namespace

PreTokenizerSteps::PreTokenizerSteps(std::vector<PreTokenizerStep> steps) {
  for (PreTokenizerStep& step : steps) {
    steps_.push_back(std::visit([](auto& each) { return make(std::move(each)); }, step));
  }
}

Pieces PreTokenizerSteps::apply(std::string_view text, bool first_section) const {
  PieceList pieces(text, first_section);
  for (const auto& step : steps_) step(pieces);
  return pieces.take();
}

}  // namespace lamina
