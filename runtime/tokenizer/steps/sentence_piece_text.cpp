// Rewriting a text for encoding, and joining the texts of tokens.
#include "runtime/tokenizer/steps/sentence_piece_text.h"

#include "runtime/tokenizer/spaces.h"
#include "runtime/unicode/utf8.h"

#include <utility>

namespace lamina {
namespace {

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";  // U+FFFD

/// Appends bytes that tokens <0xNN> spelled.
void append_bytes(std::string& out, std::string_view bytes, bool keep_invalid) {
  if (keep_invalid) {
    out += bytes;
    return;
  }
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = well_formed_length(bytes.substr(at));
    out += length > 0 ? bytes.substr(at, length) : replacement_character;
    at += length > 0 ? length : 1;
  }
}

/// The byte of `<0xNN>`, with upper-case digits; nothing for any other text.
std::optional<char> byte_of(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  if (text.size() != 6 || text.substr(0, 3) != "<0x" || text[5] != '>') return std::nullopt;
  const std::size_t high = digits.find(text[3]);
  const std::size_t low = digits.find(text[4]);
  if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
  return static_cast<char>(static_cast<unsigned char>(high * 16 + low));
}

}  // namespace

SentencePieceRewriter::SentencePieceRewriter(const SentencePieceNormalizer& rules)
    : add_dummy_prefix_(rules.add_dummy_prefix),
      remove_extra_spaces_(rules.remove_extra_spaces),
      space_as_suffix_(rules.space_as_suffix) {
  if (!rules.charsmap.empty()) charsmap_.emplace(rules.charsmap, "precompiled_charsmap");
  for (const std::string& text : rules.user_defined) user_defined_.insert(text, 0);
}

SentencePieceRewriter::Start SentencePieceRewriter::start_of(std::string_view text) const {
  const std::size_t kept = user_defined_.longest(text).size;
  if (kept > 0) return {kept, text.substr(0, kept)};
  if (charsmap_) {
    if (const auto rule = charsmap_->longest(text)) return {rule->length, rule->replacement};
  }
  const std::size_t length = character_length(text);
  return {length, text.substr(0, length)};
}

void SentencePieceRewriter::remove_leading_spaces(std::string_view& text) const {
  while (!text.empty()) {
    const Start start = start_of(text);
    if (start.becomes != " ") return;
    text.remove_prefix(start.length);
  }
}

std::string SentencePieceRewriter::apply(std::string_view text) const {
  std::string out;
  if (remove_extra_spaces_) remove_leading_spaces(text);
  if (text.empty()) return out;
  if (add_dummy_prefix_ && !space_as_suffix_) out += space_mark;
  bool after_space = remove_extra_spaces_;
  while (!text.empty()) {
    auto [length, becomes] = start_of(text);
    text.remove_prefix(length);
    while (after_space && becomes.starts_with(' ')) becomes.remove_prefix(1);
    if (becomes.empty()) continue;
    append_marked(out, becomes);
    after_space = remove_extra_spaces_ && becomes.ends_with(' ');
  }
  while (remove_extra_spaces_ && out.ends_with(space_mark)) {
    out.resize(out.size() - space_mark.size());
  }
  if (add_dummy_prefix_ && space_as_suffix_) out += space_mark;
  return out;
}

void join_sentence_pieces(const SentencePieceDecoder& rules, std::vector<std::string>& texts,
                          bool keep_invalid) {
  std::string out;
  std::string bytes;
  bool at_start = rules.add_dummy_prefix || rules.remove_extra_spaces;
  for (std::string_view text : texts) {
    if (const auto byte = rules.byte_fallback ? byte_of(text) : std::nullopt) {
      bytes += *byte;
      continue;
    }
    append_bytes(out, std::exchange(bytes, {}), keep_invalid);
    if (!rules.unknown.empty() && text == rules.unknown) {
      out += rules.unknown_surface;
      continue;
    }
    at_start = at_start && out.empty();
    if (at_start && text.starts_with(space_mark)) {
      text.remove_prefix(space_mark.size());
      at_start = rules.remove_extra_spaces;  // then those of later tokens go too
    }
    append_unmarked(out, text);
  }
  append_bytes(out, bytes, keep_invalid);
  texts.assign(1, std::move(out));
}

}  // namespace lamina
