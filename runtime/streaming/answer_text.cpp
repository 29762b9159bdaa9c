// Looking for markers, and joining what belongs to one event.
#include "runtime/streaming/answer_text.h"

#include <algorithm>
#include <utility>

namespace lamina {
namespace {

constexpr std::string_view white_space = " \t\r\n";
constexpr std::size_t most_space = 256;  // bytes held back because a marker may follow

/// The lowest place at which a marker begins, or may begin while more text can come.
struct MarkerPlace {
  std::size_t position;
  std::optional<std::size_t> which;  // nothing: what stands there is not whole
};

/// Where `marker` begins in `text`, or may begin.
MarkerPlace find(std::string_view text, std::string_view marker, bool ended) {
  const std::size_t whole = text.find(marker);
  if (whole != std::string_view::npos) return {whole, 0};
  std::size_t length = ended ? 0 : std::min(text.size(), marker.size() - 1);
  while (length > 0 && !text.ends_with(marker.substr(0, length))) --length;
  return {text.size() - length, std::nullopt};
}

MarkerPlace find(std::string_view text, Markers markers, bool ended) {
  MarkerPlace first{text.size(), std::nullopt};
  for (std::size_t i = 0; i < markers.size(); ++i) {
    const MarkerPlace place = find(text, markers[i], ended);
    if (place.position > first.position || (place.position == first.position && first.which))
      continue;
    first = {place.position, place.which ? std::optional(i) : std::nullopt};
  }
  return first;
}

std::size_t space_before(std::string_view text) {
  return text.size() - (text.find_last_not_of(white_space) + 1);  // npos + 1 is 0
}

std::size_t space_after(std::string_view text) {
  return std::min(text.find_first_not_of(white_space), text.size());
}

}  // namespace

std::vector<AnswerEvent> AnswerText::take_events() {
  text_.erase(0, settled_);
  at_ -= settled_;
  settled_ = 0;
  return std::exchange(events_, {});
}

void AnswerText::settle() {
  settled_ = at_;
  beside_marker_ = true;
}

void AnswerText::put(Kind kind, std::size_t count) {
  const std::string_view text = std::string_view(text_).substr(settled_, count);
  settled_ = at_ = settled_ + count;
  if (text.empty()) return;
  beside_marker_ = false;
  if (kind == Kind::reasoning) return append(events_, ReasoningDelta{std::string(text)});
  has_content_ = true;
  append(events_, ContentDelta{std::string(text)});
}

void AnswerText::refuse() { put(Kind::content, at_ - settled_); }

/// Never inside a character, which would be cut where the text is refused.
bool AnswerText::too_much_unsettled() const {
  const bool inside = !rest().empty() && (static_cast<unsigned char>(rest()[0]) & 0xC0U) == 0x80;
  return at_ - settled_ > most_unsettled && !inside;
}

bool AnswerText::skip_space() {
  while (!rest().empty() && white_space.find(rest()[0]) != std::string_view::npos) {
    if (too_much_unsettled()) return true;
    skip(1);
  }
  return !rest().empty();
}

std::optional<bool> AnswerText::skip_word(std::string_view word) {
  if (rest().starts_with(word)) {
    skip(word.size());
    return true;
  }
  if (!ended_ && word.starts_with(rest())) return std::nullopt;
  return false;
}

std::optional<AnswerText::Skipped> AnswerText::skip_past(Markers markers, std::size_t most,
                                                         bool& missing) {
  const MarkerPlace place = find(rest(), markers, ended_);
  missing = place.position > most || (!place.which && ended_);
  if (missing || !place.which) return std::nullopt;
  Skipped skipped{std::string(rest().substr(0, place.position)), *place.which};
  skip(place.position + markers[*place.which].size());
  return skipped;
}

std::optional<std::size_t> AnswerText::put_until(Markers markers, Kind kind) {
  if (beside_marker_) settled_ = at_ = at_ + space_after(rest());
  const MarkerPlace place = find(rest(), markers, ended_);
  std::size_t decided = place.position;
  if (!ended_ || place.which) {
    decided -= std::min(space_before(rest().substr(0, decided)), most_space);
  }
  put(kind, decided);
  if (place.which) skip(place.position - decided + markers[*place.which].size());
  return place.which;
}

void AnswerText::begin_call(std::string name, std::string id) {
  settle();
  in_call_ = true;
  events_.emplace_back(CallBegin{calls_++, std::move(name), std::move(id)});
}

void AnswerText::take_arguments(std::size_t count) {
  settle();
  put_arguments(rest().substr(0, count));
  settled_ = at_ = at_ + count;
}

void AnswerText::put_arguments(std::string_view json) {
  settle();
  if (json.empty()) return;
  append(events_, CallArguments{calls_ - 1, std::string(json)});
}

void AnswerText::end_call(bool valid) {
  settle();
  in_call_ = false;
  events_.emplace_back(CallEnd{calls_ - 1, valid});
}

bool AnswerText::take_until(Markers markers, std::string& taken) {
  const MarkerPlace place = find(rest(), markers, ended_);
  taken.append(rest().substr(0, place.position));
  skip(place.position);
  settle();
  return place.which.has_value();
}

}  // namespace lamina
