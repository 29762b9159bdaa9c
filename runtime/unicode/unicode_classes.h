// UnicodeClasses: general category, script Han and membership in \w of every code point.
//
// Of the version of Unicode that Hugging Face's tokenizers cut text with (Unicode 16), so that a
// pattern means here what it means there. White_Space is exactly Zs, Zl, Zp and Cw, the Cc among it
// (09..0D and 85) having a value of their own. Unicode Standard, chapter 4; UAX #44.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lamina {

/// General categories by their names in Unicode; Cw: a Cc that is white space.
enum class Category : std::uint8_t {
  Lu,
  Ll,
  Lt,
  Lm,
  Lo,
  Mn,
  Mc,
  Me,
  Nd,
  Nl,
  No,
  Pc,
  Pd,
  Ps,
  Pe,
  Pi,
  Pf,
  Po,
  Sm,
  Sc,
  Sk,
  So,
  Zs,
  Zl,
  Zp,
  Cc,
  Cw,
  Cf,
  Co,
  Cn,
  Cs,
};

/// A set of categories; bit 31, `han`, is not of a category but of the script.
using CharacterSet = std::uint32_t;

template <class... Categories>
constexpr CharacterSet set_of(Categories... categories) {
  return (CharacterSet{0} | ... | (CharacterSet{1} << static_cast<unsigned>(categories)));
}

namespace character_set {
using enum Category;
inline constexpr CharacterSet letter = set_of(Lu, Ll, Lt, Lm, Lo);               // \p{L}
inline constexpr CharacterSet mark = set_of(Mn, Mc, Me);                         // \p{M}
inline constexpr CharacterSet number = set_of(Nd, Nl, No);                       // \p{N}
inline constexpr CharacterSet punctuation = set_of(Pc, Pd, Ps, Pe, Pi, Pf, Po);  // \p{P}
inline constexpr CharacterSet symbol = set_of(Sm, Sc, Sk, So);                   // \p{S}
inline constexpr CharacterSet separator = set_of(Zs, Zl, Zp);                    // \p{Z}
inline constexpr CharacterSet other = set_of(Cc, Cw, Cf, Co, Cn, Cs);            // \p{C}
inline constexpr CharacterSet white = separator | set_of(Cw);                    // \s
inline constexpr CharacterSet han = CharacterSet{1} << 31;                       // \p{Han}
}  // namespace character_set

class UnicodeClasses {
 public:
  /// Those of all code points; made once, when they are first asked for.
  static const UnicodeClasses& instance();

  Category category(char32_t code) const { return static_cast<Category>(value(code) & 0x1F); }

  /// The set of the one category of `code`, and `han` where it is of that script.
  CharacterSet sets(char32_t code) const {
    const unsigned found = value(code);
    return CharacterSet{1} << (found & 0x1F) | CharacterSet{found & han_bit} << 26;
  }

  bool is(char32_t code, CharacterSet set) const { return (sets(code) & set) != 0; }
  bool han(char32_t code) const { return (value(code) & han_bit) != 0; }

  /// Whether Unicode 14 had another category for it, most often none.
  bool recent(char32_t code) const { return (value(code) & recent_bit) != 0; }

  /// Oniguruma's \w: letters, marks, numbers but most of No, connectors, and letters in circles.
  bool word(char32_t code) const { return (value(code) & word_bit) != 0; }

 private:
  static constexpr unsigned han_bit = 0x20;
  static constexpr unsigned recent_bit = 0x40;
  static constexpr unsigned word_bit = 0x80;
  static constexpr std::size_t block_size = 128;
  static constexpr char32_t code_points = 0x110000;

  UnicodeClasses();
  unsigned value(char32_t code) const {
    return values_[blocks_[code / block_size] * block_size + code % block_size];
  }

  std::array<std::uint16_t, code_points / block_size> blocks_{};  // which block of values_
  std::vector<std::uint8_t> values_;                              // no two blocks are equal
};

/// As text; see unicode_runs.cpp.
extern const std::string_view unicode_runs;

}  // namespace lamina
