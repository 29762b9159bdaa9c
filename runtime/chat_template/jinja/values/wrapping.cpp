// textwrap.wrap: a line is cut into chunks, and the chunks fill lines.
//
// Chunks are runs of blanks, words, and the parts of words that end in a hyphen between letters or
// stand beside a dash of several hyphens (the regular expression `wordsep_re` of Python's
// textwrap).
#include "runtime/chat_template/jinja/values/pretty.h"
#include "runtime/chat_template/jinja/values/text_functions.h"

#include <algorithm>
#include <string_view>

namespace lamina::jinja {
namespace {

bool is_blank(char32_t code) { return code == ' ' || (code >= 9 && code <= 13); }

bool is_word(char32_t code) { return code == '_' || is_letter(code) || is_numeric(code); }

/// A character of a word that is no decimal.
bool is_letter_like(char32_t code) { return is_word(code) && !is_decimal(code); }

bool may_precede_dash(char32_t code) {
  return is_word(code) || std::u32string_view(U"!\"'&.,?").find(code) != std::u32string_view::npos;
}

class Chunker {
 public:
  explicit Chunker(const Text& line) : line_(line) {
    for (Characters at(line); !at.done(); at.next()) {
      codes_ += at.code();
      offsets_.push_back(at.offset());
    }
    offsets_.push_back(line.size());
  }

  std::vector<Text> run(bool at_hyphens) const {
    std::vector<Text> chunks;
    for (std::size_t begin = 0; begin < codes_.size();) {
      const std::size_t end = chunk_end(begin, at_hyphens);
      chunks.push_back(line_.slice(offsets_[begin], offsets_[end]));
      begin = end;
    }
    return chunks;
  }

 private:
  char32_t at(std::size_t i) const { return i < codes_.size() ? codes_[i] : U'\0'; }
  bool ends(std::size_t i) const { return i >= codes_.size() || is_blank(codes_[i]); }

  /// Past a run of two hyphens or more at `i`; `i` where there is none.
  std::size_t past_dash(std::size_t i) const {
    std::size_t end = i;
    while (at(end) == '-') ++end;
    return end >= i + 2 ? end : i;
  }
  bool dash_before_word(std::size_t i) const {
    const std::size_t end = past_dash(i);
    return end > i && end < codes_.size() && is_word(at(end));
  }

  /// Whether a word may be cut behind the hyphen before `i`.
  bool cuts_after_hyphen(std::size_t i) const {
    if (i < 2 || at(i - 1) != '-') return false;
    const bool after_letters = i >= 3 && is_letter_like(at(i - 2)) && is_letter_like(at(i - 3));
    const bool after_part =
        i >= 4 && may_precede_dash(at(i - 2)) && at(i - 3) == '-' && is_letter_like(at(i - 4));
    if (!after_letters && !after_part) return false;
    if (i >= codes_.size() || !is_letter_like(at(i))) return false;
    const std::size_t second = at(i + 1) == '-' ? i + 2 : i + 1;
    return second < codes_.size() && is_letter_like(at(second));
  }

  std::size_t chunk_end(std::size_t begin, bool at_hyphens) const {
    std::size_t end = begin;
    if (is_blank(at(begin))) {
      while (end < codes_.size() && is_blank(codes_[end])) ++end;
      return end;
    }
    if (at_hyphens && begin > 0 && may_precede_dash(at(begin - 1)) && dash_before_word(begin)) {
      return past_dash(begin);
    }
    for (end = begin + 1; !ends(end); ++end) {
      if (!at_hyphens) continue;
      // The hyphen that is cut behind follows at least one character of this chunk.
      if (end >= begin + 2 && cuts_after_hyphen(end)) return end;
      if (may_precede_dash(at(end - 1)) && dash_before_word(end)) return end;
    }
    return end;
  }

  const Text& line_;
  std::u32string codes_;
  std::vector<std::size_t> offsets_;
};

bool is_only_blanks(const Text& text) { return stripped(text, Side::both, nullptr).empty(); }

/// Where a chunk that is too long for a line is cut, in characters.
std::size_t cut_of(const Text& chunk, std::size_t room, bool at_hyphens) {
  if (!at_hyphens || chunk.length() <= room) return room;
  const std::string_view start = chunk.view().substr(0, chunk.offset(room));
  const std::size_t hyphen = start.rfind('-');
  if (hyphen == start.npos || hyphen == 0) return room;
  if (start.substr(0, hyphen).find_first_not_of('-') == start.npos) return room;
  return count_characters(start.substr(0, hyphen)) + 1;
}

}  // namespace

std::vector<Text> wrapped_lines(Heap& heap, const Text& line, std::size_t width,
                                bool break_long_words, bool break_on_hyphens) {
  std::vector<Text> chunks = Chunker(line).run(break_on_hyphens);
  std::reverse(chunks.begin(), chunks.end());
  std::vector<Text> lines;
  while (!chunks.empty()) {
    if (!lines.empty() && is_only_blanks(chunks.back())) chunks.pop_back();
    std::vector<Text> parts;
    std::size_t filled = 0;
    while (!chunks.empty() && filled + chunks.back().length() <= width) {
      filled += chunks.back().length();
      parts.push_back(std::move(chunks.back()));
      chunks.pop_back();
    }
    if (!chunks.empty() && chunks.back().length() > width) {
      Text& chunk = chunks.back();
      if (break_long_words) {
        heap.work(chunk.size());
        const std::size_t cut = chunk.offset(cut_of(chunk, width - filled, break_on_hyphens));
        parts.push_back(chunk.slice(0, cut));
        chunk = chunk.slice(cut, chunk.size());
      } else if (parts.empty()) {
        parts.push_back(std::move(chunk));
        chunks.pop_back();
      }
    }
    if (!parts.empty() && is_only_blanks(parts.back())) parts.pop_back();
    heap.step();
    if (!parts.empty()) lines.push_back(joined(heap, parts, {}));
  }
  return lines;
}

}  // namespace lamina::jinja
