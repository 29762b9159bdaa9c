// Regex: a Perl-compatible pattern over well-formed UTF-8, with Unicode classes (PCRE2).
//
// Where the just-in-time matcher runs out of its fixed stack, the match is repeated by the
// interpreter, which keeps its state on the heap. How often a match may go back is limited, in
// proportion to the text: one that the limits do not allow is an Error, never a missing match.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct pcre2_real_code_8;
struct pcre2_real_match_data_8;

namespace lamina {

/// Bytes of the text.
struct RegexMatch {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class Regex {
 public:
  /// Throws where `pattern` is no valid pattern. `spelling`: what a failing search calls it.
  Regex(std::string_view pattern, std::string_view spelling);

  /// Where a search leaves its result; one for each thread.
  class Scratch;

  /// The first match that is not empty and begins at or after `from`, a character's first byte.
  /// `text` must be well-formed.
  std::optional<RegexMatch> find(std::string_view text, std::size_t from, Scratch& scratch) const;

  /// The same, but the match may be empty.
  std::optional<RegexMatch> find_any(std::string_view text, std::size_t from,
                                     Scratch& scratch) const;

 private:
  std::optional<RegexMatch> search(std::string_view text, std::size_t from, Scratch& scratch,
                                   std::uint32_t options) const;
  struct FreeCode {
    void operator()(pcre2_real_code_8* code) const;
  };
  std::unique_ptr<pcre2_real_code_8, FreeCode> code_;
  std::string spelling_;
};

class Regex::Scratch {
 public:
  Scratch();

 private:
  friend class Regex;
  struct FreeData {
    void operator()(pcre2_real_match_data_8* data) const;
  };
  std::unique_ptr<pcre2_real_match_data_8, FreeData> data_;
};

}  // namespace lamina
