// Reads an Oniguruma pattern: characters, escapes and classes; see oniguruma_pattern.h.
#pragma once

#include "runtime/tokenizer/patterns/oniguruma_class.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace lamina {

class PatternReader {
 public:
  /// `pattern` must outlive this.
  explicit PatternReader(std::string_view pattern) : pattern_(pattern) {}

  /// Throws: names what is not supported, and where.
  [[noreturn]] void refuse(std::string_view what) const;

  bool done() const { return at_ >= pattern_.size(); }
  std::string_view rest() const { return pattern_.substr(at_); }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < pattern_.size() ? pattern_[at_ + ahead] : '\0';
  }
  void skip(std::size_t bytes) { at_ += bytes; }
  bool take(std::string_view text) {
    if (!rest().starts_with(text)) return false;
    at_ += text.size();
    return true;
  }
  char32_t take_character();

  /// After a \: whether it is one that is a set of characters, such as \s; `set` then has them.
  bool set_escape(bool in_class, PatternClass& set);

  /// After a \: the one character that it stands for, if it does.
  std::optional<char32_t> code_escape();

  /// After the [ of a class, up to and with its ].
  PatternClass bracketed(int depth = 0);

  /// Refuses what without regard to case has other meanings here than there.
  void check_case(char32_t code) const;

  bool caseless = false;  // within (?i)

 private:
  void property(bool negated, PatternClass& set);
  char32_t hexadecimal(std::size_t digits);
  void class_item(PatternClass& set, int depth);
  void class_member(PatternClass& set);
  char32_t class_code();
  bool posix_bracket(PatternClass& set);

  std::string_view pattern_;
  std::size_t at_ = 0;
};

}  // namespace lamina
