// Elements of the text, one for each character of its decomposition.
#include "runtime/unicode/normalization_form.h"

#include "runtime/unicode/character_reader.h"
#include "runtime/unicode/code_point_sets.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace lamina {
namespace {

constexpr char32_t raw_byte = 0x80000000;  // and the byte: part of no character
constexpr char32_t code_points = 0x110000;
constexpr int longest_decomposition = 18;  // U+FDFA

struct Element {
  char32_t code = 0;
  int combining = 0;  // class; 0 for what marks follow
};

class Elements {
 public:
  void add(char32_t code, bool compatible) {
    if (!lamina::code_points::composing().contains(code)) return elements_.push_back({code, 0});
    std::array<utf8proc_int32_t, longest_decomposition> parts{};
    const int options = UTF8PROC_DECOMPOSE | (compatible ? UTF8PROC_COMPAT : 0);
    const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), parts.data(),
                                               longest_decomposition,
                                               static_cast<utf8proc_option_t>(options), nullptr);
    for (utf8proc_ssize_t i = 0; i < count; ++i) {
      const utf8proc_int32_t part = parts[static_cast<std::size_t>(i)];
      elements_.push_back(
          {static_cast<char32_t>(part), utf8proc_get_property(part)->combining_class});
    }
  }
  void add_raw(char byte) { elements_.push_back({raw_byte | static_cast<unsigned char>(byte), 0}); }

  void sort_marks();
  void compose();
  std::string text() const;

 private:
  std::vector<Element> elements_;
};

void Elements::sort_marks() {
  const auto starts = [](const Element& element) { return element.combining == 0; };
  auto run = elements_.begin();
  while (run != elements_.end()) {
    run = std::find_if_not(run, elements_.end(), starts);
    const auto end = std::find_if(run, elements_.end(), starts);
    std::stable_sort(run, end,
                     [](const Element& a, const Element& b) { return a.combining < b.combining; });
    run = end;
  }
}

/// The character that is `first` and `second`; 0 where there is none.
char32_t composition(char32_t first, char32_t second) {
  const CodePointSet& composing = lamina::code_points::composing();
  if (first >= code_points || !composing.contains(second)) return 0;
  std::array<utf8proc_int32_t, 2> pair = {static_cast<utf8proc_int32_t>(first),
                                          static_cast<utf8proc_int32_t>(second)};
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  if (utf8proc_normalize_utf32(pair.data(), 2, options) != 1) return 0;
  const auto result = static_cast<char32_t>(pair[0]);
  return composing.contains(result) ? result : 0;
}

void Elements::compose() {
  std::size_t kept = 0;
  std::size_t starter = 0;  // where the last element that marks may join is, if there is one
  int last = 0;             // combining class of the last element kept after it; -1: none is
  bool started = false;
  for (const Element element : elements_) {
    if (started && last < element.combining) {
      if (const char32_t whole = composition(elements_[starter].code, element.code)) {
        elements_[starter].code = whole;
        continue;
      }
    }
    if (element.combining == 0) {
      starter = kept;
      started = true;
    }
    last = element.combining == 0 ? -1 : element.combining;
    elements_[kept++] = element;
  }
  elements_.resize(kept);
}

std::string Elements::text() const {
  std::string out;
  for (const Element& element : elements_) {
    if (element.code < code_points) {
      append_utf8(out, element.code);
    } else {
      out += static_cast<char>(element.code & 0xFF);
    }
  }
  return out;
}

}  // namespace

std::string normalized(std::string_view text, NormalizationForm form) {
  Elements elements;
  bool changes = false;
  for_each_character(text, [&](char32_t code, std::string_view bytes) {
    if (code == no_code_point) return elements.add_raw(bytes[0]);
    changes = changes || lamina::code_points::composing().contains(code);
    elements.add(code, form.compatible);
  });
  if (!changes) return std::string(text);
  elements.sort_marks();
  if (form.composed) elements.compose();
  return elements.text();
}

}  // namespace lamina
