// StopStrings: cuts a growing text before the first stop string, however the text is cut into
// pieces.
//
// The text released piece by piece equals the whole text up to the lowest position at which any
// stop string begins. What might still become a stop string is held back, never more, and released
// as soon as it cannot. All stops are followed at once (the automaton of Aho and Corasick,
// "Efficient string matching", 1975), so that the time is that of reading the text, however many
// there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lamina {

class StopStrings {
 public:
  StopStrings() = default;
  /// Throws Error for an empty stop string: it would end every text before it begins.
  explicit StopStrings(const std::vector<std::string>& stops);

  /// Takes the next piece and returns what may be shown now. Nothing more after a stop.
  std::string feed(std::string_view piece);
  /// The text has ended: returns what was held back, up to a stop string within it.
  std::string finish();
  /// Whether a stop string was found.
  bool stopped() const { return stopped_; }

 private:
  /// What the last bytes of a text spell: the longest beginning of a stop string.
  struct Node {
    std::size_t length = 0;   // of what it spells
    std::size_t longest = 0;  // of the stop strings that end here; 0: none does
    std::size_t shorter = 0;  // the node of the longest end of it that begins a stop string, too
  };

  void add(std::string_view stop);
  void link();
  std::optional<std::size_t> child(std::size_t node, char next) const;
  std::size_t follow(std::size_t node, char next) const;
  std::string release(std::size_t until);

  std::vector<Node> nodes_ = std::vector<Node>(1);           // the first one spells nothing
  std::unordered_map<std::uint64_t, std::size_t> children_;  // of node << 8 | byte
  std::size_t node_ = 0;
  std::size_t read_ = 0;              // bytes of the text
  std::string held_;                  // its last ones, not released
  std::optional<std::size_t> found_;  // where in the text the first stop string found begins
  bool stopped_ = false;
};

}  // namespace lamina
