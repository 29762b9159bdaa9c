// Filters that lay texts out: indent, truncate, wordwrap, filesizeformat, pprint.
//
// wordwrap is Python's textwrap.wrap with expand_tabs and replace_whitespace off: a line is cut
// into chunks (words, runs of blanks, parts of words that end in a hyphen or a dash), which fill
// lines.
#include "runtime/chat_template/jinja/builtins/filter_tables.h"
#include "runtime/chat_template/jinja/values/numbers.h"
#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/pretty.h"
#include "runtime/chat_template/jinja/values/python_text.h"
#include "runtime/chat_template/jinja/values/text_functions.h"

#include <cstdio>

namespace lamina::jinja {
namespace {

Value indent(const FilterCall& call) {
  const Parameters given("indent", call.arguments, {"width", "first", "blank"});
  Heap& heap = call.heap;
  const String* string = call.value.string();
  if (string == nullptr) {
    if (call.value.is_undefined()) fail(call.value.undefined_message());
    fail("unsupported operand type(s) for +=: '" + type_name(call.value) + "' and 'str'");
  }
  const bool markup = string->markup;
  Text indention;
  if (const String* width = given[0].string()) {
    indention = width->text;
  } else {
    indention = padded(heap, {}, given.index(0, 4), Side::right, Text(" "));
  }
  Text text = string->text;
  text.append("\n");
  const std::vector<Text> lines = lines_of(heap, text, false);
  const bool blank = given.flag(2, false);
  Text out = given.flag(1, false) ? indention : Text();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) out.append("\n");
    if (i > 0 && (blank || !lines[i].empty())) out.append(indention);
    heap.touch(8);
    heap.work(indention.size() + lines[i].size());
    heap.check_length(out.size() + lines[i].size());
    out.append(lines[i]);
  }
  return heap.string(std::move(out), markup);
}

Value truncate(const FilterCall& call) {
  const Parameters given("truncate", call.arguments, {"length", "killwords", "end", "leeway"});
  const std::ptrdiff_t length = given.index(0, 255);
  const std::ptrdiff_t leeway = given.has(3) && !given[3].is_none() ? given.index(3, 5) : 5;
  const std::size_t end_length = given.has(2) ? given.text(2).text.length() : 3;
  if (length < static_cast<std::ptrdiff_t>(end_length)) {
    fail("expected length >= " + std::to_string(end_length) + ", got " + std::to_string(length));
  }
  if (leeway < 0) fail("expected leeway >= 0, got " + std::to_string(leeway));
  const auto size = length_of(call.value);
  if (!size) fail("object of type '" + type_name(call.value) + "' has no len()");
  if (static_cast<Integer>(*size) <= static_cast<Integer>(length) + leeway) return call.value;
  const String* string = call.value.string();
  if (string == nullptr) fail("truncate takes a text, not " + type_name(call.value));
  const auto kept = static_cast<std::size_t>(length) - end_length;
  Text out = string->text.slice(0, offset_of(call.heap, string->text, kept));
  call.heap.work(2 * out.size());
  if (!given.flag(1, false)) {
    const std::size_t blank = out.view().rfind(' ');
    if (blank != std::string_view::npos) out = out.slice(0, blank);
  }
  out.append(!given.has(2)    ? Text("...")
             : string->markup ? escaped(call.heap, given[2])
                              : given.text(2).text);
  return call.heap.string(std::move(out), string->markup);
}

Value number_of(Heap& heap, const String& text) {
  const auto number = parse_float(heap, text.text);
  return number ? Value(*number) : Value(None{});
}

Value file_size(const FilterCall& call) {
  const Parameters given("filesizeformat", call.arguments, {"binary"});
  const Value number =
      call.value.string() != nullptr ? number_of(call.heap, *call.value.string()) : call.value;
  const auto bytes = as_real(number);
  if (!bytes) {
    if (call.value.is_undefined()) fail(call.value.undefined_message());
    fail("could not convert to a number: '" + std::string(to_text(call.heap, call.value).view()) +
         "'");
  }
  const bool binary = given.flag(0, false);
  const double base = binary ? 1024 : 1000;
  if (*bytes == 1) return call.heap.string("1 Byte");
  if (*bytes < base) return call.heap.string(integer_text(to_integer(*bytes)) + " Bytes");
  constexpr std::string_view prefixes = "kMGTPEZY";
  double unit = base;
  std::size_t at = 0;
  do {
    unit *= base;
  } while (!(*bytes < unit) && ++at < prefixes.size());
  if (at == prefixes.size()) --at;
  char text[64];
  std::snprintf(text, sizeof text, "%.1f ", base * *bytes / unit);
  std::string out = text;
  out += binary && prefixes[at] == 'k' ? 'K' : prefixes[at];
  return call.heap.string(out + (binary ? "iB" : "B"));
}

Value pretty(const FilterCall& call) {
  const Parameters none("pprint", call.arguments, {});
  return call.heap.string(pretty_text(call.heap, call.value));
}

Value word_wrap(const FilterCall& call) {
  const Parameters given("wordwrap", call.arguments,
                         {"width", "break_long_words", "wrapstring", "break_on_hyphens"});
  const String* string = call.value.string();
  if (string == nullptr) {
    if (call.value.is_undefined()) fail(call.value.undefined_message());
    fail("'" + type_name(call.value) + "' object has no attribute 'splitlines'");
  }
  const Text between = given.has(2) && !given[2].is_none() ? given.text(2).text : Text("\n");
  Joined lines(call.heap, between);
  for (const Text& line : lines_of(call.heap, string->text, false)) {
    const std::ptrdiff_t width = given.index(0, 79);
    if (width <= 0) fail("invalid width " + std::to_string(width) + " (must be > 0)");
    const auto wrapped = wrapped_lines(call.heap, line, static_cast<std::size_t>(width),
                                       given.flag(1, true), given.flag(3, true));
    lines.add(joined(call.heap, wrapped, between));
  }
  return call.heap.string(lines.take());
}

constexpr Filter filters[] = {{"indent", indent},
                              {"truncate", truncate},
                              {"filesizeformat", file_size},
                              {"pprint", pretty},
                              {"wordwrap", word_wrap}};

}  // namespace

std::span<const Filter> layout_filters() { return filters; }

}  // namespace lamina::jinja
