// Charsmap: SentencePiece's precompiled rules, by which characters of a text are replaced.
//
// The bytes are a 32-bit size, a double-array trie of that many bytes (the format of darts-clone:
// little-endian 32-bit units), and texts that end with a zero byte. The trie maps a spelling to
// where its replacement begins (google/sentencepiece, src/normalizer.cc). They come from a file and
// may say anything: every step is checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

class Charsmap {
 public:
  /// Throws where the sizes in `bytes` do not fit or a text is no UTF-8. `source` names the place
  /// in messages.
  Charsmap(std::string_view bytes, std::string_view source);

  struct Rule {
    std::size_t length = 0;  // bytes of the spelling
    std::string_view replacement;
  };

  /// The rule of the longest spelling that `text` starts with, and of the shortest.
  std::optional<Rule> longest(std::string_view text) const;
  std::optional<Rule> shortest(std::string_view text) const;

  /// SentencePiece's own way: the longest spelling at each place; bytes that are no UTF-8 stay.
  std::string replace_longest(std::string_view text) const;

  /// The way of Hugging Face's tokenizers: a grapheme cluster of fewer than six bytes is replaced
  /// as a whole where some spelling, of which the shortest counts, begins it; else each of its
  /// characters for itself, in the same manner.
  std::string replace_clusters(std::string_view text) const;

 private:
  template <class Found>
  void walk(std::string_view text, Found found) const;
  std::string_view replacement(std::size_t value) const;

  std::vector<std::uint32_t> units_;
  std::string replacements_;
};

}  // namespace lamina
