// The trie is walked byte by byte; a walk ends where the units say so or lie outside.
#include "runtime/tokenizer/steps/charsmap.h"

#include "lamina/core/error.h"
#include "runtime/unicode/character_reader.h"
#include "runtime/unicode/utf8.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <iterator>

namespace lamina {
namespace {

constexpr std::size_t cluster_limit = 6;  // bytes from which a cluster is not taken as a whole

struct Range {
  char32_t first;
  char32_t last;
};

/// What extends a grapheme cluster since Unicode 16 and 17, which utf8proc may not know yet.
constexpr Range recent_extenders[] = {
    {0x897, 0x897},     {0x1ACF, 0x1ADD},   {0x1AE0, 0x1AEB},   {0x10D69, 0x10D6D},
    {0x10EFA, 0x10EFC}, {0x113B8, 0x113C0}, {0x113C2, 0x113C2}, {0x113C5, 0x113C5},
    {0x113C7, 0x113CA}, {0x113CC, 0x113D0}, {0x113D2, 0x113D2}, {0x113E1, 0x113E2},
    {0x11B60, 0x11B67}, {0x11F5A, 0x11F5A}, {0x1611E, 0x1612F}, {0x1E5EE, 0x1E5EF},
    {0x1E6E3, 0x1E6E3}, {0x1E6E6, 0x1E6E6}, {0x1E6EE, 0x1E6EF}, {0x1E6F5, 0x1E6F5},
};
constexpr char32_t recent_prefix = 0x113D1;  // belongs to what follows, since Unicode 16
constexpr char32_t former_prefix = 0x11A3A;  // no longer

bool breaks_always(char32_t code) {
  const auto boundary = utf8proc_get_property(static_cast<utf8proc_int32_t>(code))->boundclass;
  return boundary == UTF8PROC_BOUNDCLASS_CONTROL || boundary == UTF8PROC_BOUNDCLASS_CR ||
         boundary == UTF8PROC_BOUNDCLASS_LF;
}

/// Whether a grapheme cluster ends between two characters; `state` is utf8proc's.
bool cluster_ends(char32_t last, char32_t code, utf8proc_int32_t& state) {
  if (last == former_prefix) {
    last = 'a';
    state = 0;  // which remembers the last character, too
  }
  const bool ends = utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(last),
                                                     static_cast<utf8proc_int32_t>(code), &state);
  const auto holds = [&](Range range) { return code >= range.first && code <= range.last; };
  const bool extends = std::any_of(std::begin(recent_extenders), std::end(recent_extenders), holds);
  if (!extends && last != recent_prefix) return ends;
  return breaks_always(last) || breaks_always(code);
}

/// A unit of darts-clone's double array.
struct Unit {
  std::uint32_t bits;

  bool has_leaf() const { return (bits >> 8 & 1) != 0; }
  std::uint32_t value() const { return bits & 0x7FFFFFFF; }
  std::uint32_t label() const { return bits & (0x80000000 | 0xFF); }
  std::uint32_t offset() const { return (bits >> 10) << ((bits & 0x200) >> 6); }
};

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) {
    value = value << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  }
  return value;
}

}  // namespace

Charsmap::Charsmap(std::string_view bytes, std::string_view source) {
  const auto fail = [&](std::string_view what) {
    throw Error(fmt::format("{} is damaged: {}", source, what));
  };
  if (bytes.size() < 4) fail("its 4 bytes of size are missing");
  const std::uint32_t size = little_endian(bytes);
  bytes.remove_prefix(4);
  if (size % 4 != 0 || size == 0 || size > bytes.size()) {
    fail(fmt::format("a trie of {} bytes, which are units of 4, is not in the {} bytes left", size,
                     bytes.size()));
  }
  for (std::size_t at = 0; at < size; at += 4) units_.push_back(little_endian(bytes.substr(at)));
  replacements_ = bytes.substr(size);
  if (!is_utf8(replacements_)) fail("its replacements are no UTF-8");
}

/// Calls `found(length, value)` for each spelling that `text` starts with, shortest first, until
/// it says to stop.
template <class Found>
void Charsmap::walk(std::string_view text, Found found) const {
  std::size_t node = Unit{units_[0]}.offset();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0) return;  // ends a key
    node ^= byte;
    if (node >= units_.size() || Unit{units_[node]}.label() != byte) return;
    const Unit unit{units_[node]};
    node ^= unit.offset();
    if (!unit.has_leaf()) continue;
    if (node >= units_.size()) return;
    if (!found(i + 1, Unit{units_[node]}.value())) return;
  }
}

std::string_view Charsmap::replacement(std::size_t value) const {
  if (value >= replacements_.size()) return {};
  return std::string_view(replacements_.c_str() + value);
}

std::optional<Charsmap::Rule> Charsmap::longest(std::string_view text) const {
  std::optional<Rule> rule;
  walk(text, [&](std::size_t length, std::size_t value) {
    rule = Rule{length, replacement(value)};
    return true;
  });
  return rule;
}

std::optional<Charsmap::Rule> Charsmap::shortest(std::string_view text) const {
  std::optional<Rule> rule;
  walk(text, [&](std::size_t length, std::size_t value) {
    rule = Rule{length, replacement(value)};
    return false;
  });
  return rule;
}

std::string Charsmap::replace_longest(std::string_view text) const {
  std::string out;
  while (!text.empty()) {
    const std::optional<Rule> rule = longest(text);
    const std::size_t length = rule ? rule->length : character_length(text);
    out += rule ? rule->replacement : text.substr(0, length);
    text.remove_prefix(length);
  }
  return out;
}

std::string Charsmap::replace_clusters(std::string_view text) const {
  std::string out;
  const auto replace_part = [&](std::string_view part) {
    const std::optional<Rule> rule = shortest(part);
    if (rule) out += rule->replacement;
    return rule.has_value();
  };
  const auto replace_cluster = [&](std::string_view cluster) {
    if (cluster.size() < cluster_limit && replace_part(cluster)) return;
    for_each_character(cluster, [&](char32_t, std::string_view character) {
      if (!replace_part(character)) out += character;
    });
  };
  char32_t last = no_code_point;
  utf8proc_int32_t state = 0;
  std::size_t begin = 0;
  std::size_t at = 0;
  for_each_character(text, [&](char32_t code, std::string_view bytes) {
    const bool known = last != no_code_point && code != no_code_point;
    if (!known) state = 0;
    if (at > 0 && (!known || cluster_ends(last, code, state))) {
      replace_cluster(text.substr(begin, at - begin));
      begin = at;
    }
    last = code;
    at += bytes.size();
  });
  replace_cluster(text.substr(begin));
  return out;
}

}  // namespace lamina
