// What Python's str methods do to texts; each byte keeps the mark of where it came from.
#pragma once

#include "runtime/chat_template/jinja/values/heap.h"
#include "runtime/chat_template/jinja/values/text.h"
#include "runtime/chat_template/jinja/values/python_characters.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace lamina::jinja {

enum class Side { left, right, both };

/// Without the characters of `characters` at its ends; null: without spaces.
Text stripped(Heap& heap, const Text& text, Side side, const Text* characters);

/// The parts between separators; null: between runs of spaces. At most `most` cuts, unless
/// negative.
std::vector<Text> split(Heap& heap, const Text& text, const Text* separator, std::ptrdiff_t most,
                        bool from_right = false);
std::vector<Text> lines_of(Heap& heap, const Text& text, bool keep_ends);

/// With `before` replaced by `after`, at most `most` times, unless negative.
Text replaced(Heap& heap, const Text& text, const Text& before, const Text& after,
              std::ptrdiff_t most);

/// str.islower or str.isupper.
bool is_in_case(Heap& heap, const Text& text, bool lower);

Text in_case(Heap& heap, const Text& text, Case wanted);
Text capitalized(Heap& heap, const Text& text);
Text titled(Heap& heap, const Text& text);
Text case_swapped(Heap& heap, const Text& text);

/// As wide as `width` characters, with `fill` at the given sides.
Text padded(Heap& heap, const Text& text, std::ptrdiff_t width, Side side, const Text& fill);

/// `count` times the text.
Text repeated(Heap& heap, const Text& text, std::size_t count);

/// Texts one after the other with a separator between.
class Joined {
 public:
  Joined(Heap& heap, Text separator) : heap_(heap), separator_(std::move(separator)) {}
  void add(const Text& part);
  Text take() { return std::move(text_); }

 private:
  Heap& heap_;
  const Text separator_;
  Text text_;
  bool begun_ = false;
};
Text joined(Heap& heap, const std::vector<Text>& parts, const Text& separator);

/// Text::offset, which takes long where not every character is one byte.
std::size_t offset_of(Heap& heap, const Text& text, std::size_t index);

}  // namespace lamina::jinja
