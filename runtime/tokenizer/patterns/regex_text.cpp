// Finding what is to be replaced, and by what.
#include "runtime/tokenizer/patterns/regex_text.h"

#include "runtime/unicode/character_reader.h"
#include "runtime/unicode/unicode_classes.h"
#include "runtime/unicode/utf8.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lamina {
namespace {

constexpr char invalid = '\x1A';  // neither letter, number, mark, punctuation, symbol nor space
constexpr char32_t first_of_size[] = {0, 0, 0x80, 0x800, 0x10000, 0x110000};

/// Older characters to stand for newer ones.
class Substitutes {
 public:
  static const Substitutes& instance() {
    static const Substitutes made;
    return made;
  }

  /// As long as `code`, whose size this is; empty where there is none.
  std::string_view of(char32_t code, std::size_t size) const { return known_[index(code, size)]; }

 private:
  Substitutes() {
    const UnicodeClasses& classes = UnicodeClasses::instance();
    for (std::size_t size = 2; size <= 4; ++size) {
      for (char32_t code = first_of_size[size]; code < first_of_size[size + 1]; ++code) {
        const Category category = classes.category(code);
        if (category == Category::Cs || classes.recent(code)) continue;
        std::string& known = known_[index(code, size)];
        // Of those without category the last: the end of a plane never gets one.
        if (!known.empty() && category != Category::Cn) continue;
        known.clear();
        append_utf8(known, code);
      }
    }
  }

  static std::size_t index(char32_t code, std::size_t size) {
    const UnicodeClasses& classes = UnicodeClasses::instance();
    const auto category = static_cast<std::size_t>(classes.category(code));
    return (category * 2 + (classes.han(code) ? 1 : 0)) * 5 + size;
  }

  std::array<std::string, std::size_t{32} * 2 * 5> known_;
};

/// The end of the ASCII characters that begin at `at`.
std::size_t skip_ascii(std::string_view text, std::size_t at) {
  std::uint64_t word = 0;
  while (at + sizeof word <= text.size()) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & 0x8080808080808080) != 0) break;
    at += sizeof word;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

/// A copy in which `substitute`, called with each character that is not ASCII, has its way: an
/// empty result leaves the character as it is.
template <class Substitute>
std::optional<std::string> replaced(std::string_view text, const Substitute& substitute) {
  std::optional<std::string> copy;
  const auto put = [&](std::size_t at, std::string_view bytes) {
    if (!copy) copy.emplace(text);
    copy->replace(at, bytes.size(), bytes);
  };
  for (std::size_t at = skip_ascii(text, 0); at < text.size(); at = skip_ascii(text, at)) {
    const std::size_t size = well_formed_length(text.substr(at));
    if (size == 0) {
      put(at++, std::string_view(&invalid, 1));
      continue;
    }
    const std::string_view bytes = substitute(text.substr(at, size));
    if (!bytes.empty()) put(at, bytes);
    at += size;
  }
  return copy;
}

}  // namespace

std::optional<std::string> regex_text(std::string_view text) {
  const UnicodeClasses& classes = UnicodeClasses::instance();
  return replaced(text, [&](std::string_view character) -> std::string_view {
    const char32_t code = code_point_of(character);
    const bool unknown = classes.recent(code) || classes.category(code) == Category::Cn;
    return unknown ? Substitutes::instance().of(code, character.size()) : std::string_view();
  });
}

std::optional<std::string> well_formed_text(std::string_view text) {
  return replaced(text, [](std::string_view) { return std::string_view(); });
}

}  // namespace lamina
