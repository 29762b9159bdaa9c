// Concept CallReader: one form in which models write tool calls.
//
// A reader is told which of its openers stands in the text, and then reads on from there until its
// section ends. It may be asked with any amount of the text, so it remembers where it is. What it
// skips becomes content again if it refuses before a call has begun, and is read again as ordinary
// text if it is not settled when the reader is done; so nothing of a malformed call is lost. Once
// begun a call is never taken back: where its arguments turn out to be wrong or cut short they are
// given out as they are, and its end says so.
#pragma once

#include "runtime/streaming/answer_text.h"

#include <concepts>
#include <cstddef>

namespace lamina {

/// What a reader knows after having looked at the text there is: it needs more; its section has
/// ended and the rest is another's; or this is not what it reads.
enum class Reading { waiting, done, refused };

template <class R>
concept CallReader = requires(R reader, AnswerText& text, std::size_t which) {
  {Markers(R::openers)};  // what begins a section
  {reader.open(which)};   // the opener found; their number: the answer begins with an object
  { reader.read(text) } -> std::same_as<Reading>;
};

/// For models that call no tools.
struct NoCalls {
  static constexpr Markers openers{};
  void open(std::size_t) {}
  Reading read(AnswerText&) { return Reading::refused; }
};
static_assert(CallReader<NoCalls>);

}  // namespace lamina
