// StopStrings: cuts a growing text before the first stop string, however the text is cut into
// pieces.
//
// The text released piece by piece equals the whole text up to the lowest position at which any
// stop string begins. What might still become a stop string is held back, never more, and released
// as soon as it cannot.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lamina {

class StopStrings {
 public:
  StopStrings() = default;
  /// Throws Error for an empty stop string: it would end every text before it begins.
  explicit StopStrings(std::vector<std::string> stops);

  /// Takes the next piece and returns what may be shown now. Nothing more after a stop.
  std::string feed(std::string_view piece);
  /// The text has ended: returns what was held back, up to a stop string within it.
  std::string finish();
  /// Whether a stop string was found.
  bool stopped() const { return stopped_; }

 private:
  enum class Match { none, partial, whole };
  Match match_at(std::size_t position) const;
  std::string release(std::size_t count);

  std::vector<std::string> stops_;
  std::string held_;  // begins where a stop string may have begun
  bool stopped_ = false;
};

}  // namespace lamina
