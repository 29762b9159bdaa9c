// Chunker: how much text leaves at once: each token's, that of several tokens, whole words, or what
// came within some milliseconds.
//
// It stands behind stop strings and the assembling of characters, so it only ever delays text; what
// it gives out, with the rest at the end, is what it was given. A word ends after white space
// (Unicode's White_Space property without the spaces that do not break), and, in scripts that put
// no spaces between words (Chinese, Japanese), after each character; one of more than 64 bytes
// leaves as it comes.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace lamina {

struct StreamInterval {
  enum class Unit { tokens, words, milliseconds };
  Unit unit = Unit::tokens;
  std::int64_t count = 1;  // of tokens or milliseconds

  bool operator==(const StreamInterval&) const = default;
};

/// Reads "token", a number of tokens, "word", or milliseconds such as "50ms"; throws Error for
/// anything else.
StreamInterval parse_stream_interval(std::string_view text);

class Chunker {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Chunker(StreamInterval interval = {},
                   std::function<Clock::time_point()> now = Clock::now);

  /// Takes what one token added to the text, perhaps nothing, and returns what leaves now: whole
  /// UTF-8 characters where it is given whole ones. The time is looked at only here: a token that
  /// is late delays what came before it.
  std::string feed(std::string_view text);
  /// The text has ended: what is left of it.
  std::string finish();

 private:
  std::size_t ready();

  StreamInterval interval_;
  std::function<Clock::time_point()> now_;
  std::string held_;
  std::int64_t tokens_ = 0;   // since the last chunk
  Clock::time_point left_{};  // when the last chunk left
};

}  // namespace lamina
