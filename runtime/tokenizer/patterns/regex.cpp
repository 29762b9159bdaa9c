// PCRE2, 8-bit code units.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "runtime/tokenizer/patterns/regex.h"

#include "lamina/core/error.h"

#include <fmt/format.h>
#include <pcre2.h>

#include <cstdint>
#include <limits>
#include <new>
#include <string>

namespace lamina {
namespace {

constexpr std::uint32_t heap_limit = 1u << 20;  // KiB, for the interpreter's state

std::string message_of(int error) {
  PCRE2_UCHAR text[256] = {};
  pcre2_get_error_message(error, text, sizeof text);
  return reinterpret_cast<const char*>(text);
}

/// Limits that depend on memory only: counts of steps would turn long texts into failures.
pcre2_match_context* limits() {
  static pcre2_match_context* const made = [] {
    pcre2_match_context* context = pcre2_match_context_create(nullptr);
    if (context == nullptr) throw std::bad_alloc();
    pcre2_set_match_limit(context, std::numeric_limits<std::uint32_t>::max());
    pcre2_set_depth_limit(context, std::numeric_limits<std::uint32_t>::max());
    pcre2_set_heap_limit(context, heap_limit);
    return context;
  }();
  return made;
}

PCRE2_SPTR units(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

}  // namespace

void Regex::FreeCode::operator()(pcre2_real_code_8* code) const { pcre2_code_free(code); }
void Regex::Scratch::FreeData::operator()(pcre2_real_match_data_8* data) const {
  pcre2_match_data_free(data);
}

Regex::Scratch::Scratch() : data_(pcre2_match_data_create(1, nullptr)) {
  if (data_ == nullptr) throw std::bad_alloc();
}

Regex::Regex(std::string_view pattern) {
  int error = 0;
  PCRE2_SIZE offset = 0;
  code_.reset(pcre2_compile(units(pattern), pattern.size(), PCRE2_UTF | PCRE2_UCP, &error, &offset,
                            nullptr));
  if (code_ == nullptr) {
    throw Error(
        fmt::format("the pattern {} is wrong at {}: {}", pattern, offset, message_of(error)));
  }
  pcre2_jit_compile(code_.get(), PCRE2_JIT_COMPLETE);  // where it fails, pcre2_match interprets
}

std::optional<RegexMatch> Regex::find(std::string_view text, std::size_t from,
                                      Scratch& scratch) const {
  return search(text, from, scratch, PCRE2_NOTEMPTY);
}

std::optional<RegexMatch> Regex::find_any(std::string_view text, std::size_t from,
                                          Scratch& scratch) const {
  return search(text, from, scratch, 0);
}

std::optional<RegexMatch> Regex::search(std::string_view text, std::size_t from, Scratch& scratch,
                                        std::uint32_t options) const {
  const auto match = [&](std::uint32_t more) {
    return pcre2_match(code_.get(), units(text), text.size(), from,
                       PCRE2_NO_UTF_CHECK | options | more, scratch.data_.get(), limits());
  };
  int found = match(0);
  if (found == PCRE2_ERROR_JIT_STACKLIMIT) found = match(PCRE2_NO_JIT);
  if (found == PCRE2_ERROR_NOMATCH) return std::nullopt;
  if (found < 0) {
    throw Error(
        fmt::format("splitting {} bytes of text into words failed: {}; give the text in "
                    "smaller parts",
                    text.size(), message_of(found)));
  }
  const PCRE2_SIZE* bounds = pcre2_get_ovector_pointer(scratch.data_.get());
  return RegexMatch{bounds[0], bounds[1]};
}

}  // namespace lamina
