// AnswerText: the part of an answer's text of which it is not yet known what it is, and the events
// that came of the rest.
//
// Readers of the forms in which models answer (call_reader.h) take it from the front. A marker and
// the structure of a call are skipped: they leave no event. Until a reader says that they are
// settled they can become content after all. White space beside a marker belongs to neither side
// and is dropped, up to 256 bytes before it and all after it; other white space is content like the
// rest. Decisions depend on the text alone, never on how much of it is there yet.
#pragma once

#include "runtime/streaming/answer_event.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

using Markers = std::span<const std::string_view>;

class AnswerText {
 public:
  enum class Kind { content, reasoning };

  /// Bytes skipped that may be unsettled. A call whose name comes later than that is none.
  static constexpr std::size_t most_unsettled = std::size_t{1} << 16;

  void add(std::string_view text) { text_ += text; }
  void end() { ended_ = true; }
  std::vector<AnswerEvent> take_events();

  /// What has not been taken, as far as it is there, and whether that is all.
  std::string_view rest() const { return std::string_view(text_).substr(at_); }
  bool ended() const { return ended_; }

  /// Takes structure.
  void skip(std::size_t count) { at_ += count; }
  /// What was skipped is structure for good.
  void settle();
  /// What was skipped and not settled is content.
  void refuse();
  /// What was skipped and not settled is to be read again.
  void rewind() { at_ = settled_; }
  bool too_much_unsettled() const;

  /// Skips white space; whether something else follows, as far as is known yet.
  bool skip_space();
  /// Skips `word` if the rest begins with it; nothing where there is not enough of it to tell.
  std::optional<bool> skip_word(std::string_view word);
  /// Skips what comes before the first marker, at most `most` bytes, and the marker.
  struct Skipped {
    std::string before;
    std::size_t which;
  };
  /// Nothing where more text is needed, or, with `missing` set, where there is no such thing.
  std::optional<Skipped> skip_past(Markers markers, std::size_t most, bool& missing);

  /// Gives out text up to the first marker, which is skipped, and returns which it was; nothing
  /// where none has come yet.
  std::optional<std::size_t> put_until(Markers markers, Kind kind);
  /// Whether there has been content.
  bool has_content() const { return has_content_; }

  /// A call: its beginning, arguments from the front of the rest or made of it, its end. Each
  /// settles what was skipped.
  void begin_call(std::string name, std::string id);
  void take_arguments(std::size_t count);
  void put_arguments(std::string_view json);
  void end_call(bool valid);
  bool in_call() const { return in_call_; }
  int calls() const { return calls_; }
  /// Takes, settled, what comes before the first marker; whether that one has come. It stays.
  bool take_until(Markers markers, std::string& taken);

 private:
  void put(Kind kind, std::size_t count);

  std::string text_;
  std::size_t settled_ = 0;  // bytes of the text that are in events or gone
  std::size_t at_ = 0;       // bytes taken
  bool ended_ = false;
  bool beside_marker_ = false;  // the next white space follows a marker
  bool has_content_ = false;
  bool in_call_ = false;
  int calls_ = 0;
  std::vector<AnswerEvent> events_;
};

}  // namespace lamina
