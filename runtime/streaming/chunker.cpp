// When a chunk is full, and where its last word ends.
#include "runtime/streaming/chunker.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/unicode/utf8.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

namespace lamina {
namespace {

constexpr std::size_t longest_word = 64;  // bytes

struct Range {
  char32_t first, last;
};

constexpr Range breaking_spaces[] = {{'\t', '\r'},     {' ', ' '},       {0x85, 0x85},
                                     {0x1680, 0x1680}, {0x2000, 0x2006}, {0x2008, 0x200A},
                                     {0x2028, 0x2029}, {0x205F, 0x205F}, {0x3000, 0x3000}};

// Blocks of ideographs, kana, and the marks and forms used with them.
constexpr Range written_without_spaces[] = {{0x2E80, 0x30FF},  {0x31F0, 0x31FF}, {0x3400, 0x4DBF},
                                            {0x4E00, 0x9FFF},  {0xF900, 0xFAFF}, {0xFF00, 0xFF9F},
                                            {0x20000, 0x3FFFF}};

template <std::size_t n>
bool in(const Range (&ranges)[n], char32_t code) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [&](const Range& range) { return range.first <= code && code <= range.last; });
}

bool ends_word(std::string_view character) {
  utf8proc_int32_t value = -1;  // stays so where it is no character
  utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(character.data()),
                   static_cast<utf8proc_ssize_t>(character.size()), &value);
  const auto code = static_cast<char32_t>(value);
  return in(breaking_spaces, code) || in(written_without_spaces, code);
}

/// Bytes of `text` up to the end of its last whole word.
std::size_t whole_words(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text.substr(at));
    const std::string_view character = text.substr(at, length);
    at += length;
    if (ends_word(character) || at - end > longest_word) end = at;
  }
  return end;
}

}  // namespace

StreamInterval parse_stream_interval(std::string_view text) {
  if (text == "token") return {};
  if (text == "word") return {StreamInterval::Unit::words};
  StreamInterval interval;
  const char* const end = text.data() + text.size();
  const auto [after, failure] = std::from_chars(text.data(), end, interval.count);
  const std::string_view unit(after, static_cast<std::size_t>(end - after));
  if (unit == "ms") interval.unit = StreamInterval::Unit::milliseconds;
  const bool known = unit.empty() || unit == "ms";
  if (failure != std::errc{} || !known || interval.count < 1 || interval.count > 1'000'000) {
    throw Error(fmt::format(
        "{}: expected token, word, a number of tokens, or one of milliseconds such as 50ms, from 1 "
        "to 1000000",
        quoted(text)));
  }
  return interval;
}

Chunker::Chunker(StreamInterval interval, std::function<Clock::time_point()> now)
    : interval_(interval), now_(std::move(now)) {}

/// Bytes of the held text that leave now.
std::size_t Chunker::ready() {
  switch (interval_.unit) {
    case StreamInterval::Unit::tokens:
      return tokens_ >= interval_.count ? held_.size() : 0;
    case StreamInterval::Unit::words:
      return whole_words(held_);
    case StreamInterval::Unit::milliseconds:
      return now_() - left_ >= std::chrono::milliseconds(interval_.count) ? held_.size() : 0;
  }
  return held_.size();
}

std::string Chunker::feed(std::string_view text) {
  held_ += text;
  ++tokens_;
  const std::size_t count = ready();
  std::string chunk = held_.substr(0, count);
  held_.erase(0, count);
  if (tokens_ >= interval_.count) tokens_ = 0;
  if (!chunk.empty() && interval_.unit == StreamInterval::Unit::milliseconds) left_ = now_();
  return chunk;
}

std::string Chunker::finish() { return std::exchange(held_, {}); }

}  // namespace lamina
