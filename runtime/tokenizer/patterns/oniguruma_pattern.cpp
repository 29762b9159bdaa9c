// One pass over the pattern; what is written for an atom is remembered until its quantifier is
// seen.
#include "runtime/tokenizer/patterns/oniguruma_pattern.h"

#include "runtime/tokenizer/patterns/oniguruma_class.h"
#include "runtime/tokenizer/patterns/oniguruma_reader.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace lamina {
namespace {

constexpr std::size_t group_depth = 200;  // PCRE2 allows 250

class Translation {
 public:
  explicit Translation(std::string_view pattern) : in_(pattern) {}

  std::string result() {
    while (!in_.done()) item();
    if (groups_.size() != 1) in_.refuse("a ( without its )");
    // The just-in-time matcher of PCRE2 10.42 goes back into atomic groups: (?>b+|c?)b finds bb.
    return (interpreted_ ? "(*NO_JIT)" : "") + out_ + std::string(groups_[0].options, ')');
  }

 private:
  struct Group {
    std::size_t start = 0;  // in out_
    bool look_around = false;
    bool caseless = false;    // outside of it
    bool any_line = false;    // the same
    std::size_t options = 0;  // (?i) in it, each of which has made a group of the rest
  };
  enum class Before { nothing, atom, quantifier };

  void item();
  void begin_atom() {
    atom_ = out_.size();
    before_ = Before::atom;
    last_letter_ = 0;
  }
  void atom(std::string_view text) {
    begin_atom();
    out_ += text;
  }
  void assertion(std::string_view text) {
    atom(text);
    before_ = Before::nothing;
  }
  void literal(char32_t code);
  void alternative();

  void open_group();
  void push_group(std::string_view opening, bool look_around = false);
  void options();
  void close_group();

  void copy_one() {
    out_ += in_.peek();
    in_.skip(1);
  }
  void quantifier();
  bool interval();
  void wrap_atom(std::string_view quantifier);

  void escape();
  PatternReader in_;
  bool interpreted_ = false;
  std::string out_;
  std::vector<Group> groups_ = std::vector<Group>(1);  // the first is the pattern itself
  bool any_line_ = false;                              // . is also a line end
  Before before_ = Before::nothing;
  std::size_t atom_ = 0;      // where the last atom begins in out_
  char32_t last_letter_ = 0;  // the literal just before, in lower case
};

void Translation::item() {
  switch (in_.peek()) {
    case '(':
      return open_group();
    case ')':
      return close_group();
    case '|':
      return alternative();
    case '[':
      in_.skip(1);
      return atom(in_.bracketed().expression());
    case '.':
      in_.skip(1);
      return atom(any_line_ ? "(?s:.)" : "[^\\n]");
    case '^':
      in_.skip(1);
      return assertion("(?:\\A|(?<=\\n)(?!\\z))");
    case '$':
      in_.skip(1);
      return assertion("(?=\\n|\\z)");
    case '*':
    case '+':
    case '?':
      return quantifier();
    case '{':
      if (interval()) return;
      break;
    case '\\':
      return escape();
    default:
      break;
  }
  literal(in_.take_character());
}

void Translation::literal(char32_t code) {
  in_.check_case(code);
  const char32_t letter = code >= 'A' && code <= 'Z' ? code + ('a' - 'A') : code;
  // Oniguruma takes one letter for some pairs: ss for U+00DF, ff for U+FB00.
  if (in_.caseless &&
      ((last_letter_ == 's' && (letter == 's' || letter == 't')) ||
       (last_letter_ == 'f' && (letter == 'f' || letter == 'i' || letter == 'l')))) {
    in_.refuse("two letters of which there are ligatures, within (?i),");
  }
  begin_atom();
  append_literal(out_, code);
  last_letter_ = letter;
}

void Translation::alternative() {
  in_.skip(1);
  out_ += '|';
  before_ = Before::nothing;
  last_letter_ = 0;
}

void Translation::open_group() {
  in_.skip(1);
  if (!in_.take("?")) {
    if (in_.peek() == '*') in_.refuse("(*");
    return push_group("(?:");  // there are no references to groups
  }
  if (in_.take("#")) {
    const std::size_t end = in_.rest().find(')');
    if (end == std::string_view::npos) in_.refuse("a comment without its )");
    in_.skip(end + 1);
    return;
  }
  for (const std::string_view opening : {"<=", "<!", "=", "!"}) {
    if (in_.take(opening)) return push_group("(?" + std::string(opening), true);
  }
  if (in_.take(":")) return push_group("(?:");
  if (in_.take(">")) {
    interpreted_ = true;
    return push_group("(?>");
  }
  if (in_.take("<")) {
    const std::size_t end = in_.rest().find('>');
    if (end == std::string_view::npos) in_.refuse("a name without its >");
    in_.skip(end + 1);
    return push_group("(?:");
  }
  options();
}

void Translation::push_group(std::string_view opening, bool look_around) {
  if (groups_.size() == group_depth) in_.refuse("a ( in 200 others");
  groups_.push_back({out_.size(), look_around, in_.caseless, any_line_});
  out_ += opening;
  before_ = Before::nothing;
  last_letter_ = 0;
}

/// (?im-i:...), or (?im-i), which holds for the rest of the group with all its alternatives.
void Translation::options() {
  bool on = true;
  bool caseless = in_.caseless;
  bool any_line = any_line_;
  for (;; in_.skip(1)) {
    const char option = in_.peek();
    if (option == 'i') {
      caseless = on;
    } else if (option == 'm') {
      any_line = on;
    } else if (option == '-') {
      on = false;
    } else {
      break;
    }
  }
  const std::string_view opening = caseless ? "(?i:" : "(?-i:";
  if (in_.take(":")) {
    push_group(opening);
  } else if (in_.take(")")) {
    out_ += opening;
    ++groups_.back().options;
    before_ = Before::nothing;
  } else {
    in_.refuse("this kind of (?");
  }
  in_.caseless = caseless;
  any_line_ = any_line;
}

void Translation::close_group() {
  if (groups_.size() == 1) in_.refuse("a ) without its (");
  in_.skip(1);
  const Group group = groups_.back();
  groups_.pop_back();
  out_ += std::string(group.options + 1, ')');
  in_.caseless = group.caseless;
  any_line_ = group.any_line;
  atom_ = group.start;
  before_ = group.look_around ? Before::nothing : Before::atom;
  last_letter_ = 0;
}

void Translation::quantifier() {
  if (before_ == Before::nothing) in_.refuse("a quantifier of nothing");
  if (before_ == Before::quantifier) in_.refuse("a quantifier of a quantifier");
  copy_one();
  if (in_.peek() == '+') interpreted_ = interpreted_ || out_[out_.size() - 2] == ')';
  if (in_.peek() == '?' || in_.peek() == '+') copy_one();
  before_ = Before::quantifier;
  last_letter_ = 0;
}

/// {n}, {n,}, {,m} or {n,m}; anything else is text. A + after it repeats it, and so does a ? after
/// {n}, while PCRE2 takes them for possessive and lazy.
bool Translation::interval() {
  const auto number = [&](std::size_t& i) {
    const std::size_t begin = i;
    while (in_.peek(i) >= '0' && in_.peek(i) <= '9') ++i;
    return in_.rest().substr(begin, i - begin);
  };
  std::size_t end = 1;
  std::string_view least = number(end);
  const bool exact = in_.peek(end) != ',';
  if (!exact) ++end;
  const std::string_view most = exact ? least : number(end);
  if (in_.peek(end) != '}' || (least.empty() && most.empty())) return false;
  if (before_ == Before::nothing) in_.refuse("a quantifier of nothing");
  if (before_ == Before::quantifier) in_.refuse("a quantifier of a quantifier");
  in_.skip(end + 1);
  if (least.empty()) least = "0";
  out_ += exact ? fmt::format("{{{}}}", least) : fmt::format("{{{},{}}}", least, most);
  if (in_.take("+")) {
    wrap_atom("+");
  } else if (in_.take("?")) {
    exact ? wrap_atom("?") : void(out_ += '?');
  }
  before_ = Before::quantifier;
  last_letter_ = 0;
  return true;
}

void Translation::wrap_atom(std::string_view quantifier) {
  out_.insert(atom_, "(?:");
  out_ += ')';
  out_ += quantifier;
}

void Translation::escape() {
  in_.skip(1);
  if (in_.done()) in_.refuse("a \\ at the end");
  const char escaped = in_.peek();
  PatternClass set;
  if (in_.set_escape(false, set)) return atom(set.expression());
  if (const auto code = in_.code_escape()) return literal(*code);
  const std::string word = "[" + std::string(pattern_items::word) + "]";
  in_.skip(1);
  switch (escaped) {
    case 'b':
      return assertion(fmt::format("(?:(?<={0})(?!{0})|(?<!{0})(?={0}))", word));
    case 'B':
      return assertion(fmt::format("(?:(?<={0})(?={0})|(?<!{0})(?!{0}))", word));
    case 'A':
      return assertion("\\A");
    case 'z':
      return assertion("\\z");
    case 'Z':
      return assertion("(?=\\n?\\z)");
    case 'N':
      return atom("[^\\n]");
    case 'O':
      return atom("(?s:.)");
    case 'R':
      return atom("(?:\\r\\n|(?!\\r\\n)[\\n-\\r\\x{85}\\x{2028}\\x{2029}])");
    default:
      in_.refuse(fmt::format("\\{}", escaped));
  }
}

}  // namespace

std::string pcre2_pattern(std::string_view pattern) { return Translation(pattern).result(); }

}  // namespace lamina
