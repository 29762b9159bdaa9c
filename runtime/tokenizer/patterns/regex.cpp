// PCRE2, 8-bit code units.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "runtime/tokenizer/patterns/regex.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"

#include <fmt/format.h>
#include <pcre2.h>

#include <cstdint>
#include <limits>
#include <memory>
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

/// How often a match may go back from one place of a text of so many bytes. Patterns of tokenizers
/// do so about once a byte; Oniguruma allows ten million times.
std::uint32_t steps_allowed(std::size_t bytes) {
  constexpr std::size_t always = 10'000'000;
  constexpr std::size_t a_byte = 100;
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(bytes < (most - always) / a_byte ? always + a_byte * bytes
                                                                     : most);
}

struct FreeContext {
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};

/// For a text of so many bytes, until this thread asks again.
pcre2_match_context* limits(std::size_t bytes) {
  thread_local const std::unique_ptr<pcre2_match_context, FreeContext> context = [] {
    std::unique_ptr<pcre2_match_context, FreeContext> made(pcre2_match_context_create(nullptr));
    if (made == nullptr) throw std::bad_alloc();
    // How deep it goes is a matter of memory only.
    pcre2_set_depth_limit(made.get(), std::numeric_limits<std::uint32_t>::max());
    pcre2_set_heap_limit(made.get(), heap_limit);
    return made;
  }();
  pcre2_set_match_limit(context.get(), steps_allowed(bytes));
  return context.get();
}

[[noreturn]] void fail(std::string_view spelling, std::size_t bytes, int error) {
  std::string why = message_of(error);
  if (error == PCRE2_ERROR_MATCHLIMIT) {
    why = fmt::format(
        "more than {} steps from one place, as patterns take that repeat what "
        "repeats",
        steps_allowed(bytes));
  } else if (error == PCRE2_ERROR_HEAPLIMIT) {
    why = fmt::format("more than {} MiB of memory", heap_limit >> 10);
  }
  throw Error(
      fmt::format("the pattern {} cannot be searched for in {} bytes of text: {}; give the "
                  "text in smaller parts, or use a tokenizer with another pattern",
                  quoted(spelling, 200), bytes, why));
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

Regex::Regex(std::string_view pattern, std::string_view spelling) : spelling_(spelling) {
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
                       PCRE2_NO_UTF_CHECK | options | more, scratch.data_.get(),
                       limits(text.size()));
  };
  int found = match(0);
  if (found == PCRE2_ERROR_JIT_STACKLIMIT) found = match(PCRE2_NO_JIT);
  if (found == PCRE2_ERROR_NOMATCH) return std::nullopt;
  if (found < 0) fail(spelling_, text.size(), found);
  const PCRE2_SIZE* bounds = pcre2_get_ovector_pointer(scratch.data_.get());
  return RegexMatch{bounds[0], bounds[1]};
}

}  // namespace lamina
