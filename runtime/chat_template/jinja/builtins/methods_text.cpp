// Methods of str.
#include "runtime/chat_template/jinja/values/formatting.h"
#include "runtime/chat_template/jinja/builtins/methods.h"
#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/search.h"
#include "runtime/chat_template/jinja/values/text_functions.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace lamina::jinja {
namespace {

/// One call of a method: the text it is called on, and the arguments.
struct Call {
  Heap& heap;
  const String& self;
  std::string_view name;
  const Arguments& arguments;

  const Text& text() const { return self.text; }
  /// A text of the same kind as the one the method is called on.
  Value made(Text text) const { return heap.string(std::move(text), self.markup); }
  Value list(const std::vector<Text>& parts) const {
    heap.check_items(parts.size());
    Values items;
    items.reserve(parts.size());
    for (const Text& part : parts) items.push_back(made(part));
    return heap.list(std::move(items));
  }
  /// What is put into markup gets its HTML escaped.
  Text inserted(const String& other) const {
    return self.markup && !other.markup ? escaped(heap, other.text) : other.text;
  }
  void no_arguments() const { const Parameters none(name, arguments, {}); }
};

Value strip(const Call& call) {
  const Parameters given(call.name, call.arguments, {"chars"}, 0, 1);
  const Side side = call.name == "lstrip"   ? Side::left
                    : call.name == "rstrip" ? Side::right
                                            : Side::both;
  const bool spaces = !given.has(0) || given[0].is_none();
  return call.made(stripped(call.heap, call.text(), side, spaces ? nullptr : &given.text(0).text));
}

Value split(const Call& call) {
  const Parameters given(call.name, call.arguments, {"sep", "maxsplit"});
  const bool spaces = !given.has(0) || given[0].is_none();
  return call.list(split(call.heap, call.text(), spaces ? nullptr : &given.text(0).text,
                         given.index(1, -1), call.name == "rsplit"));
}

Value splitlines(const Call& call) {
  const Parameters given(call.name, call.arguments, {"keepends"});
  return call.list(lines_of(call.heap, call.text(), given.index(0, 0) != 0));
}

Value replace(const Call& call) {
  const Parameters given(call.name, call.arguments, {"old", "new", "count"}, 2, 3);
  return call.made(replaced(call.heap, call.text(), given.text(0).text,
                            call.inserted(given.text(1)), given.index(2, -1)));
}

/// The bytes [begin, end) that arguments `from` and `from + 1` name, as a slice does.
std::pair<std::size_t, std::size_t> bounds(const Call& call, const Parameters& given,
                                           std::size_t from) {
  const auto length = static_cast<std::ptrdiff_t>(call.text().length());
  const auto place = [&](std::size_t at, std::ptrdiff_t otherwise) {
    if (!given.has(at) || given[at].is_none()) return otherwise;
    const std::ptrdiff_t wanted = given.index(at, 0);
    return wanted < 0 ? std::max<std::ptrdiff_t>(wanted + length, 0) : wanted;
  };
  const std::ptrdiff_t begin = place(from, 0), end = std::min(place(from + 1, length), length);
  if (begin > end) return {1, 0};
  return {offset_of(call.heap, call.text(), static_cast<std::size_t>(begin)),
          offset_of(call.heap, call.text(), static_cast<std::size_t>(end))};
}

Value find(const Call& call) {
  const Parameters given(call.name, call.arguments, {"sub", "start", "end"}, 1, 3);
  const std::string_view wanted = given.text(0).text.view(), all = call.text().view();
  const auto [begin, end] = bounds(call, given, 1);
  std::size_t at = all.npos;
  if (begin <= end) {
    at = Search(call.heap, wanted, call.name[0] == 'r').first(all.substr(begin, end - begin));
  }
  if (at != all.npos) {
    call.heap.work(begin + at);
    return count_characters(all.substr(0, begin + at));
  }
  if (call.name == "index" || call.name == "rindex") fail("substring not found");
  return -1;
}

Value count(const Call& call) {
  const Parameters given(call.name, call.arguments, {"sub", "start", "end"}, 1, 3);
  const std::string_view wanted = given.text(0).text.view(), all = call.text().view();
  const auto [begin, end] = bounds(call, given, 1);
  if (begin > end) return 0;
  std::string_view left = all.substr(begin, end - begin);
  call.heap.work(left.size());
  if (wanted.empty()) return count_characters(left) + 1;
  const Search search(call.heap, wanted);
  std::size_t found = 0;
  for (std::size_t at = 0; (at = search.first(left)) != left.npos; ++found) {
    call.heap.touch();
    left.remove_prefix(at + wanted.size());
  }
  return found;
}

/// startswith and endswith, of one text or any of a tuple.
Value starts(const Call& call) {
  const Parameters given(call.name, call.arguments, {"prefix", "start", "end"}, 1, 3);
  const auto [begin, end] = bounds(call, given, 1);
  const auto fits = [&, first = begin, last = end](const Value& value) {
    if (value.string() == nullptr) {
      fail(std::string(call.name) + " first arg must be str or a tuple of str, not " +
           type_name(value));
    }
    if (first > last) return false;
    const std::string_view part = call.text().view().substr(first, last - first);
    const std::string_view wanted = value.string()->text.view();
    call.heap.touch();
    call.heap.work(wanted.size());
    return call.name == "startswith" ? part.starts_with(wanted) : part.ends_with(wanted);
  };
  const List* several = given[0].as<List>();
  if (several == nullptr || several->kind != Object::Kind::tuple) return fits(given[0]);
  return std::any_of(several->items.begin(), several->items.end(), fits);
}

Value join(const Call& call) {
  const Parameters given(call.name, call.arguments, {"iterable"}, 1, 1);
  Joined parts(call.heap, call.text());
  std::size_t at = 0;
  for (const Value& item : items_of(call.heap, given[0])) {
    if (call.self.markup) {
      parts.add(escaped(call.heap, item));
    } else if (item.string() != nullptr) {
      parts.add(item.string()->text);
    } else {
      fail("sequence item " + std::to_string(at) + ": expected str instance, " + type_name(item) +
           " found");
    }
    ++at;
  }
  return call.made(parts.take());
}

Value pad(const Call& call) {
  const Parameters given(call.name, call.arguments, {"width", "fillchar"}, 1, 2);
  if (given.has(1) && given.text(1).text.length() != 1) {
    fail("The fill character must be exactly one character long");
  }
  const Side side = call.name == "ljust"   ? Side::right
                    : call.name == "rjust" ? Side::left
                                           : Side::both;
  const Text fill = given.has(1) ? given.text(1).text : Text(" ");
  if (call.self.markup && escaped(call.heap, fill).size() != fill.size()) {
    fail("The fill character must be exactly one character long");
  }
  return call.made(padded(call.heap, call.text(), given.index(0, 0), side, fill));
}

Value zfill(const Call& call) {
  const Parameters given(call.name, call.arguments, {"width"}, 1, 1);
  const std::string_view all = call.text().view();
  const std::size_t sign = !all.empty() && (all[0] == '+' || all[0] == '-') ? 1 : 0;
  const std::ptrdiff_t width = given.index(0, 0) - static_cast<std::ptrdiff_t>(sign);
  Text out = call.text().slice(0, sign);
  out.append(padded(call.heap, call.text().slice(sign, all.size()), width, Side::left, Text("0")));
  return call.made(std::move(out));
}

Value partition(const Call& call) {
  const Parameters given(call.name, call.arguments, {"sep"}, 1, 1);
  const Text &text = call.text(), &separator = given.text(0).text;
  if (separator.empty()) fail("empty separator");
  const bool right = call.name == "rpartition";
  const std::size_t at = Search(call.heap, separator.view(), right).first(text.view());
  if (at == std::string_view::npos) {
    const Value whole = call.made(text), empty = call.made({});
    return call.heap.tuple(right ? Values{empty, empty, whole} : Values{whole, empty, empty});
  }
  const std::size_t end = at + separator.size();
  return call.heap.tuple({call.made(text.slice(0, at)), call.made(separator),
                          call.made(text.slice(end, text.size()))});
}

Value remove_affix(const Call& call) {
  const Parameters given(call.name, call.arguments, {"affix"}, 1, 1);
  const std::string_view all = call.text().view(), affix = given.text(0).text.view();
  const bool prefix = call.name == "removeprefix";
  call.heap.work(affix.size());
  const bool there = prefix ? all.starts_with(affix) : all.ends_with(affix);
  const std::size_t cut = there ? affix.size() : 0;
  return call.made(prefix ? call.text().slice(cut, all.size())
                          : call.text().slice(0, all.size() - cut));
}

Value expandtabs(const Call& call) {
  const Parameters given(call.name, call.arguments, {"tabsize"});
  const std::ptrdiff_t size = given.index(0, 8);
  call.heap.character_work(call.text().size());
  Text out;
  std::ptrdiff_t column = 0;
  for (Characters at(call.text()); !at.done(); at.next()) {
    if (at.bytes() == "\t") {
      const std::ptrdiff_t blanks = size > 0 ? size - column % size : 0;
      call.heap.check_length(out.size() + static_cast<std::size_t>(blanks));
      call.heap.work(static_cast<std::size_t>(blanks));
      out.append(std::string(static_cast<std::size_t>(blanks), ' '), at.from_user());
      column += blanks;
    } else {
      out.append(at.bytes(), at.from_user());
      column = at.bytes() == "\n" || at.bytes() == "\r" ? 0 : column + 1;
    }
  }
  return call.made(std::move(out));
}

Value change_case(const Call& call) {
  call.no_arguments();
  const Text& text = call.text();
  Heap& heap = call.heap;
  if (call.name == "upper") return call.made(in_case(heap, text, Case::upper));
  if (call.name == "lower") return call.made(in_case(heap, text, Case::lower));
  if (call.name == "casefold") return call.made(in_case(heap, text, Case::fold));
  if (call.name == "title") return call.made(titled(heap, text));
  if (call.name == "capitalize") return call.made(capitalized(heap, text));
  return call.made(case_swapped(heap, text));
}

bool is_titled(const Text& text) {
  bool within = false, any = false;
  for (Characters at(text); !at.done(); at.next()) {
    const char32_t code = at.code();
    const bool upper = is_upper(code) || is_title(code);
    if ((upper && within) || (is_lower(code) && !within)) return false;
    within = upper || is_lower(code);
    any = any || within;
  }
  return any;
}

bool is_identifier(const Text& text) {
  bool valid = !text.empty();
  for (Characters at(text); valid && !at.done(); at.next()) {
    valid = at.offset() == 0 ? is_name_start(at.code()) : is_name_part(at.code());
  }
  return valid;
}

bool is_ascii(const Text& text) { return text.size() == text.length(); }

Value ask(const Call& call) {
  call.no_arguments();
  const Text& text = call.text();
  call.heap.character_work(text.size());
  const auto all = [&](const auto& holds) {
    bool every = !text.empty();
    for (Characters at(text); every && !at.done(); at.next()) every = holds(at.code());
    return every;
  };
  const std::string_view what = call.name.substr(2);
  if (what == "alpha") return all(is_letter);
  if (what == "digit") return all(is_digit);
  if (what == "decimal") return all(is_decimal);
  if (what == "numeric") return all(is_numeric);
  if (what == "space") return all(is_space);
  if (what == "alnum") return all([](char32_t c) { return is_letter(c) || is_numeric(c); });
  if (what == "printable") return text.empty() || all(is_printable);
  if (what == "ascii") return is_ascii(text);
  if (what == "title") return is_titled(text);
  if (what == "identifier") return is_identifier(text);
  return is_in_case(call.heap, text, what == "lower");
}

Value format(const Call& call) {
  if (call.name == "format") {
    return call.made(brace_format(call.heap, call.self, call.arguments));
  }
  const Parameters given(call.name, call.arguments, {"mapping"}, 1, 1);
  Arguments arguments;
  const Dict* dict = given[0].as<Dict>();
  if (dict == nullptr) fail("format_map() argument must be a mapping, not " + type_name(given[0]));
  for (const auto& [key, value] : dict->entries()) {
    call.heap.touch(4);
    if (key.string() == nullptr) continue;
    call.heap.work(key.string()->text.size());
    arguments.named.emplace_back(std::string(key.string()->text.view()), value);
  }
  return call.made(brace_format(call.heap, call.self, arguments));
}

Value refuse(const Call& call) { fail("str." + std::string(call.name) + "() is not supported"); }

struct TextMethod {
  std::string_view name;
  Value (*apply)(const Call&);
};

constexpr TextMethod methods[] = {{"strip", strip},
                                  {"lstrip", strip},
                                  {"rstrip", strip},
                                  {"split", split},
                                  {"rsplit", split},
                                  {"splitlines", splitlines},
                                  {"replace", replace},
                                  {"find", find},
                                  {"rfind", find},
                                  {"index", find},
                                  {"rindex", find},
                                  {"count", count},
                                  {"startswith", starts},
                                  {"endswith", starts},
                                  {"join", join},
                                  {"center", pad},
                                  {"ljust", pad},
                                  {"rjust", pad},
                                  {"zfill", zfill},
                                  {"partition", partition},
                                  {"rpartition", partition},
                                  {"removeprefix", remove_affix},
                                  {"removesuffix", remove_affix},
                                  {"expandtabs", expandtabs},
                                  {"upper", change_case},
                                  {"lower", change_case},
                                  {"title", change_case},
                                  {"capitalize", change_case},
                                  {"swapcase", change_case},
                                  {"casefold", change_case},
                                  {"isalpha", ask},
                                  {"isdigit", ask},
                                  {"isdecimal", ask},
                                  {"isnumeric", ask},
                                  {"isspace", ask},
                                  {"isalnum", ask},
                                  {"isprintable", ask},
                                  {"isascii", ask},
                                  {"istitle", ask},
                                  {"isidentifier", ask},
                                  {"islower", ask},
                                  {"isupper", ask},
                                  {"format", format},
                                  {"format_map", format},
                                  {"encode", refuse},
                                  {"translate", refuse},
                                  {"maketrans", refuse}};

const TextMethod* find_method(std::string_view name) {
  const auto* found = std::find_if(std::begin(methods), std::end(methods),
                                   [&](const TextMethod& each) { return each.name == name; });
  return found == std::end(methods) ? nullptr : found;
}

}  // namespace

bool is_text_method(std::string_view name) { return find_method(name) != nullptr; }

Value call_text_method(Heap& heap, const Value& self, std::string_view name,
                       const Arguments& arguments) {
  return find_method(name)->apply({heap, *self.string(), name, arguments});
}

}  // namespace lamina::jinja
