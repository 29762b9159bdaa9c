// Filters of texts: case, blanks, replacing, HTML's escapes, words.
#include "runtime/chat_template/jinja/builtins/filter_tables.h"
#include "runtime/chat_template/jinja/values/formatting.h"
#include "runtime/chat_template/jinja/builtins/methods.h"
#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/python_text.h"
#include "runtime/chat_template/jinja/values/text_functions.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lamina::jinja {
namespace {

/// Those that are the method of the same name.
Value by_method(const FilterCall& call) {
  const Parameters none(call.name, call.arguments, {});
  return call_text_method(call.heap, call.as_text(), call.name, {});
}

Value trim(const FilterCall& call) {
  const Parameters given("trim", call.arguments, {"chars"});
  Arguments arguments;
  if (given.has(0)) arguments.positional.push_back(given[0]);
  return call_text_method(call.heap, call.as_text(), "strip", arguments);
}

Value center(const FilterCall& call) {
  const Parameters given("center", call.arguments, {"width"});
  return call_text_method(call.heap, call.as_text(), "center", {{given.value(0, 80)}, {}});
}

Value replace(const FilterCall& call) {
  const Parameters given("replace", call.arguments, {"old", "new", "count"}, 2);
  const auto text = [&](const Value& value) { return to_text(call.heap, value); };
  const bool all = !given.has(2) || given[2].is_none();
  return call.heap.string(replaced(call.heap, text(call.value), text(given[0]), text(given[1]),
                                   all ? -1 : given.index(2, -1)));
}

/// Each word in lower case but for its first letter. Words begin after blanks and -({[<.
Value title(const FilterCall& call) {
  const Parameters none("title", call.arguments, {});
  const Value value = call.as_text();
  const Text& text = value.string()->text;
  Text out;
  for (std::size_t begin = 0; begin < text.size();) {
    Characters at(text, begin);
    const auto separates = [&] {
      const char32_t code = at.code();
      return is_space(code) ||
             std::u32string_view(U"-({[<").find(code) != std::u32string_view::npos;
    };
    const bool blank = separates();
    while (!at.done() && separates() == blank) at.next();
    const std::size_t rest = begin + Characters(text, begin).bytes().size();
    out.append(in_case(call.heap, text.slice(begin, rest), Case::upper));
    out.append(in_case(call.heap, text.slice(rest, at.offset()), Case::lower));
    call.heap.touch(16);
    begin = at.offset();
  }
  return call.heap.string(std::move(out));
}

Value string(const FilterCall& call) {
  const Parameters none("string", call.arguments, {});
  return call.as_text();
}

Value safe(const FilterCall& call) {
  const Parameters none("safe", call.arguments, {});
  return call.heap.string(to_text(call.heap, call.value), true);
}

Value escape(const FilterCall& call) {
  const Parameters none(call.name, call.arguments, {});
  return call.heap.string(escaped(call.heap, call.value), true);
}

Value force_escape(const FilterCall& call) {
  const Parameters none(call.name, call.arguments, {});
  return call.heap.string(escaped(call.heap, to_text(call.heap, call.value)), true);
}

Value format(const FilterCall& call) {
  if (!call.arguments.positional.empty() && !call.arguments.named.empty()) {
    fail("can't handle positional and keyword arguments at the same time");
  }
  Value values;
  if (call.arguments.named.empty()) {
    values = call.heap.tuple(call.arguments.positional);
  } else {
    const auto dict = call.heap.dict();
    for (const auto& [name, value] : call.arguments.named) dict->set(call.heap.string(name), value);
    values = dict;
  }
  const Value text = call.as_text();
  return call.heap.string(percent_format(call.heap, *text.string(), values), text.string()->markup);
}

bool is_word_part(char32_t code) { return code == '_' || is_letter(code) || is_numeric(code); }

Value word_count(const FilterCall& call) {
  const Parameters none("wordcount", call.arguments, {});
  const Value text = call.as_text();
  call.heap.character_work(text.string()->text.size());
  std::size_t words = 0;
  bool within = false;
  for (Characters at(text.string()->text); !at.done(); at.next()) {
    const bool part = is_word_part(at.code());
    if (part && !within) ++words;
    within = part;
  }
  return words;
}

/// Without what stands between < and >, and without comments.
Text without_tags(const Text& text) {
  const std::string_view all = text.view();
  Text out;
  std::size_t begin = 0;
  for (std::size_t tag; (tag = all.find('<', begin)) != all.npos;) {
    const bool comment = all.substr(tag).starts_with("<!--");
    const std::size_t end = comment ? all.find("-->", tag + 4) : all.find('>', tag);
    if (end == all.npos) break;
    out.append(text, begin, tag);
    begin = end + (comment ? 3 : 1);
  }
  out.append(text, begin, text.size());
  return out;
}

/// Entities of the five characters that `escape` writes, by name or number, and of any number.
Text unescaped(const Text& text) {
  static constexpr std::pair<std::string_view, std::string_view> entities[] = {
      {"&amp;", "&"}, {"&lt;", "<"},   {"&gt;", ">"},   {"&quot;", "\""},
      {"&#39;", "'"}, {"&#34;", "\""}, {"&apos;", "'"}, {"&nbsp;", "\xC2\xA0"}};
  Text out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.view().substr(at);
    const auto* found =
        std::find_if(std::begin(entities), std::end(entities),
                     [&](const auto& each) { return rest.starts_with(each.first); });
    if (found != std::end(entities)) {
      out.append(found->second, text.from_user(at));
      at += found->first.size();
    } else {
      const std::size_t next = std::min(rest.find('&', 1), rest.size());
      out.append(text, at, at + next);
      at += next;
    }
  }
  return out;
}

Value strip_tags(const FilterCall& call) {
  const Parameters none("striptags", call.arguments, {});
  const Text text = to_text(call.heap, call.value);
  call.heap.character_work(2 * text.size());
  const Text plain = without_tags(text);
  const Text spaced = joined(call.heap, split(call.heap, plain, nullptr, -1), Text(" "));
  return call.heap.string(unescaped(spaced));
}

/// A value of a query string or of a path: all but letters, digits and _.-~/ as %XX.
Text url_quoted(Heap& heap, const Value& value, bool in_query) {
  constexpr char digits[] = "0123456789ABCDEF";
  const Text text = to_text(heap, value);
  heap.character_work(text.size());
  Text out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char byte = text.view()[i];
    const bool kept = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                      (byte >= '0' && byte <= '9') || byte == '_' || byte == '.' || byte == '-' ||
                      byte == '~' || (byte == '/' && !in_query);
    const auto number = static_cast<unsigned char>(byte);
    const char code[] = {'%', digits[number >> 4], digits[number & 15]};
    if (in_query && byte == ' ') {
      out.append("+", text.from_user(i));
    } else {
      out.append(kept ? std::string_view(&byte, 1) : std::string_view(code, 3), text.from_user(i));
    }
  }
  return out;
}

Value url_encode(const FilterCall& call) {
  const Parameters none("urlencode", call.arguments, {});
  Heap& heap = call.heap;
  const bool is_text = call.value.string() != nullptr || !is_iterable(call.value);
  if (is_text) return heap.string(url_quoted(heap, call.value, false));
  Joined parts(heap, Text("&"));
  const auto add = [&](const Value& key, const Value& value) {
    heap.step();
    Text part = url_quoted(heap, key, true);
    part.append("=");
    part.append(url_quoted(heap, value, true));
    parts.add(part);
  };
  if (const Dict* dict = call.value.as<Dict>()) {
    for (const auto& [key, value] : dict->entries()) add(key, value);
  } else {
    for (const Value& item : items_of(heap, call.value)) {
      const Values pair = items_of(heap, item);
      if (pair.size() != 2) fail("urlencode takes pairs of a key and a value");
      add(pair[0], pair[1]);
    }
  }
  return heap.string(parts.take());
}

Value xml_attributes(const FilterCall& call) {
  const Parameters given("xmlattr", call.arguments, {"autospace"});
  const Dict* dict = call.value.as<Dict>();
  if (dict == nullptr) fail("xmlattr takes a mapping, not " + type_name(call.value));
  Text out;
  for (const auto& [key, value] : dict->entries()) {
    call.heap.step();
    call.heap.check_length(out.size());
    if (value.is_none() || value.is_undefined()) continue;
    if (key.string() == nullptr) fail("xmlattr takes keys that are strings");
    call.heap.character_work(key.string()->text.size());
    if (key.string()->text.view().find_first_of(" \t\n\r\f\v/>=") != std::string_view::npos) {
      fail("Invalid character in attribute name: " + std::string(repr(call.heap, key).view()));
    }
    if (!out.empty()) out.append(" ");
    out.append(escaped(call.heap, key));
    out.append("=\"");
    out.append(escaped(call.heap, value));
    out.append("\"");
  }
  Text spaced(given.flag(0, true) && !out.empty() ? " " : "");
  spaced.append(out);
  return call.heap.string(std::move(spaced));
}

Value refuse_url(const FilterCall&) {
  fail("the filter urlize, which makes HTML, is not supported");
}

constexpr Filter filters[] = {{"upper", by_method},
                              {"lower", by_method},
                              {"capitalize", by_method},
                              {"trim", trim},
                              {"center", center},
                              {"replace", replace},
                              {"title", title},
                              {"string", string},
                              {"safe", safe},
                              {"escape", escape},
                              {"e", escape},
                              {"forceescape", force_escape},
                              {"format", format},
                              {"wordcount", word_count},
                              {"striptags", strip_tags},
                              {"urlencode", url_encode},
                              {"xmlattr", xml_attributes},
                              {"urlize", refuse_url}};

}  // namespace

std::span<const Filter> text_filters() { return filters; }

}  // namespace lamina::jinja
