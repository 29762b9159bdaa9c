// textwrap.wrap: a line is cut into chunks, and the chunks fill lines.
//
// Chunks are runs of blanks, words, and the parts of words that end in a hyphen between letters or
// stand beside a dash of several hyphens (the regular expression `wordsep_re` of Python's
// textwrap).
#include "runtime/chat_template/jinja/values/pretty.h"
#include "runtime/chat_template/jinja/values/text_functions.h"

#include <algorithm>
#include <string>
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

/// Characters [begin, end) of a line.
struct Chunk {
  std::size_t begin, end;
  std::size_t length() const { return end - begin; }
};

class Chunker {
 public:
  Chunker(Heap& heap, const Text& line)
      : heap_(heap), line_(line), memory_(heap, 48 * line.length()) {
    heap.character_work(2 * line.size());
    codes_.reserve(line.length());
    offsets_.reserve(line.length() + 1);
    for (Characters at(line); !at.done(); at.next()) {
      codes_ += at.code();
      offsets_.push_back(at.offset());
    }
    offsets_.push_back(line.size());
  }

  std::vector<Chunk> run(bool at_hyphens) const {
    std::vector<Chunk> chunks;
    for (std::size_t begin = 0; begin < codes_.size(); begin = chunks.back().end) {
      heap_.touch();
      chunks.push_back({begin, chunk_end(begin, at_hyphens)});
    }
    return chunks;
  }

  bool is_only_blanks(const Chunk& chunk) const {
    heap_.character_work(chunk.length());
    const std::u32string_view codes = within(chunk);
    return std::all_of(codes.begin(), codes.end(), is_space);
  }

  /// Where a chunk that is too long for a line is cut.
  std::size_t cut_of(const Chunk& chunk, std::size_t room, bool at_hyphens) const {
    if (!at_hyphens || chunk.length() <= room) return chunk.begin + std::min(room, chunk.length());
    heap_.character_work(room);
    const std::u32string_view start = within(chunk).substr(0, room);
    const std::size_t hyphen = start.rfind(U'-');
    const bool after_others =
        hyphen != start.npos && start.substr(0, hyphen).find_first_not_of(U'-') != start.npos;
    return chunk.begin + (after_others ? hyphen + 1 : room);
  }

  /// The characters [begin, end).
  Text text(std::size_t begin, std::size_t end) const {
    heap_.work(offsets_[end] - offsets_[begin]);
    return line_.slice(offsets_[begin], offsets_[end]);
  }

 private:
  std::u32string_view within(const Chunk& chunk) const {
    return std::u32string_view(codes_).substr(chunk.begin, chunk.length());
  }
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

  Heap& heap_;
  const Text& line_;
  const Held memory_;
  std::u32string codes_;
  std::vector<std::size_t> offsets_;
};

}  // namespace

std::vector<Text> wrapped_lines(Heap& heap, const Text& line, std::size_t width,
                                bool break_long_words, bool break_on_hyphens) {
  const Chunker chunker(heap, line);
  std::vector<Chunk> chunks = chunker.run(break_on_hyphens);
  std::reverse(chunks.begin(), chunks.end());
  std::vector<Text> lines;
  while (!chunks.empty()) {
    if (!lines.empty() && chunker.is_only_blanks(chunks.back())) chunks.pop_back();
    std::vector<Chunk> parts;
    std::size_t filled = 0;
    while (!chunks.empty() && filled + chunks.back().length() <= width) {
      filled += chunks.back().length();
      parts.push_back(chunks.back());
      chunks.pop_back();
    }
    if (!chunks.empty() && chunks.back().length() > width) {
      Chunk& chunk = chunks.back();
      if (break_long_words) {
        const std::size_t cut = chunker.cut_of(chunk, width - filled, break_on_hyphens);
        parts.push_back({chunk.begin, cut});
        chunk.begin = cut;
      } else if (parts.empty()) {
        parts.push_back(chunk);
        chunks.pop_back();
      }
    }
    if (!parts.empty() && chunker.is_only_blanks(parts.back())) parts.pop_back();
    heap.step();
    heap.check_items(lines.size() + 1);
    if (!parts.empty()) lines.push_back(chunker.text(parts.front().begin, parts.back().end));
  }
  return lines;
}

}  // namespace lamina::jinja
