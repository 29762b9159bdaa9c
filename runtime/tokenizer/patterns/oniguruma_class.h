// A set of characters of an Oniguruma pattern on its way into a PCRE2 pattern.
//
// PCRE2 has no sets within sets: what a class in brackets cannot hold becomes alternatives and
// look-aheads, each of which takes one character.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lamina {

class PatternClass {
 public:
  /// As written between the brackets of PCRE2.
  void add_items(std::string_view items) { items_ += items; }
  void add_excluded(std::string_view items);  // all characters but these
  void add_code(char32_t code);
  void add_range(char32_t first, char32_t last);
  void add(const PatternClass& other);

  void negate() { negated_ = !negated_; }
  bool empty() const { return items_.empty() && others_.empty(); }

  /// What is in all of `parts`, which is not empty.
  static PatternClass common(const std::vector<PatternClass>& parts);

  /// A PCRE2 pattern for one character of the set.
  std::string expression() const;

 private:
  std::string items_;
  std::vector<std::string> others_;  // patterns for one character
  bool negated_ = false;
};

/// Appends a character that means itself, in a class or outside.
void append_literal(std::string& out, char32_t code);

/// What \p{name} is between the brackets of PCRE2; empty where the name is not known. `negated`
/// for \P, and \p{^name}, which a name may say itself. `follows_case`: whether it tells cases
/// apart.
struct PatternProperty {
  std::string items;
  bool follows_case = true;
};
PatternProperty pattern_property(std::string_view name, bool negated);

/// The same for the name in [:name:].
std::string_view posix_items(std::string_view name);

namespace pattern_items {
inline constexpr std::string_view white = R"(\p{White_Space})";
inline constexpr std::string_view not_white = R"(\P{White_Space})";
inline constexpr std::string_view digit = R"(\p{Nd})";
inline constexpr std::string_view not_digit = R"(\P{Nd})";
inline constexpr std::string_view hex = "0-9A-Fa-f";
inline constexpr std::string_view word_in_class = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})";
/// Outside of classes \w also has the superscripts and fractions of Latin-1.
inline constexpr std::string_view word = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc}²³¹¼½¾)";
}  // namespace pattern_items

}  // namespace lamina
