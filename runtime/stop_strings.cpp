// Matching every stop string at every position that is not decided yet.
#include "runtime/stop_strings.h"

#include "lamina/core/error.h"

#include <utility>

namespace lamina {

StopStrings::StopStrings(std::vector<std::string> stops) : stops_(std::move(stops)) {
  for (const std::string& stop : stops_) {
    if (stop.empty()) throw Error("a stop string is empty; expected at least one character");
  }
}

StopStrings::Match StopStrings::match_at(std::size_t position) const {
  const std::string_view text = std::string_view(held_).substr(position);
  Match best = Match::none;
  for (const std::string& stop : stops_) {
    if (text.starts_with(stop)) return Match::whole;
    if (std::string_view(stop).starts_with(text)) best = Match::partial;
  }
  return best;
}

std::string StopStrings::release(std::size_t count) {
  std::string text = held_.substr(0, count);
  held_.erase(0, count);
  return text;
}

std::string StopStrings::feed(std::string_view piece) {
  if (stopped_) return {};
  held_ += piece;
  for (std::size_t at = 0; at < held_.size(); ++at) {
    const Match match = match_at(at);
    stopped_ = match == Match::whole;
    if (match != Match::none) return release(at);  // the lowest position decides, later ones wait
  }
  return release(held_.size());
}

std::string StopStrings::finish() {
  if (stopped_) return {};
  for (std::size_t at = 0; at < held_.size(); ++at) {
    stopped_ = match_at(at) == Match::whole;
    if (stopped_) return release(at);
  }
  return release(held_.size());
}

}  // namespace lamina
