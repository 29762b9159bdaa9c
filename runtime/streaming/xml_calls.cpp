// Tags to JSON: an object's braces, keys and values are made here, and leave as the tags come.
#include "runtime/streaming/xml_calls.h"

#include <nlohmann/json.hpp>

namespace lamina {
namespace {

constexpr std::size_t longest_name = 256;                    // bytes, of tools and parameters
constexpr std::size_t longest_json = std::size_t{64} << 10;  // bytes of a value

constexpr std::string_view tag_end[] = {">"};
constexpr std::string_view call_end[] = {"</tool_call>"};
constexpr std::string_view value_end[] = {"\n</parameter>", "</parameter>"};

std::string quoted_json(std::string_view text) { return nlohmann::json(text).dump(); }

/// What stands between the quotes.
std::string escaped(std::string_view text) {
  const std::string json = quoted_json(text);
  return json.substr(1, json.size() - 2);
}

std::string as_json(const std::string& value, const std::string& type) {
  if (type == "boolean" && (value == "True" || value == "False")) {  // as Python prints them
    return value == "True" ? "true" : "false";
  }
  return is_json(value) ? value : quoted_json(value);
}

}  // namespace

void XmlCalls::open(std::size_t which) {
  state_ = which == 0 ? State::function : State::name;
  parameters_ = 0;
}

XmlCalls::Step XmlCalls::go(State state) {
  state_ = state;
  return std::nullopt;
}

/// What has been skipped but not settled belongs to the wrong arguments.
XmlCalls::Step XmlCalls::go_wrong(AnswerText& text) {
  text.rewind();
  return go(State::wrong);
}

Reading XmlCalls::read(AnswerText& text) {
  for (;;) {
    if (const Step end = step(text)) return *end;
  }
}

XmlCalls::Step XmlCalls::step(AnswerText& text) {
  switch (state_) {
    case State::function: {
      if (!text.skip_space() && !text.ended()) return Reading::waiting;
      const auto there = text.skip_word(openers[1]);
      if (!there) return Reading::waiting;
      return *there ? go(State::name) : Reading::refused;
    }
    case State::name:
      return name(text);
    case State::tags:
      return tags(text);
    case State::key:
      return key(text);
    case State::first_break:
      return first_break(text);
    case State::value:
      return value(text);
    case State::wrong:
      if (read_wrong_arguments(text, call_end) == Reading::waiting) return Reading::waiting;
      return go(State::closer);
    case State::closer:
      return read_closer(text, call_end[0]);
  }
  return Reading::refused;
}

XmlCalls::Step XmlCalls::name(AnswerText& text) {
  bool missing = false;
  const auto found = text.skip_past(tag_end, longest_name, missing);
  if (!found) return missing ? Reading::refused : Reading::waiting;
  if (found->before.empty()) return Reading::refused;
  name_ = found->before;
  text.begin_call(name_, "");
  text.put_arguments("{");
  return go(State::tags);
}

XmlCalls::Step XmlCalls::tags(AnswerText& text) {
  if (!text.skip_space()) {
    if (!text.ended()) return Reading::waiting;
    text.end_call(false);
    return Reading::done;
  }
  const auto parameter = text.skip_word("<parameter=");
  if (!parameter) return Reading::waiting;
  if (*parameter) return go(State::key);
  const auto end = text.skip_word("</function>");
  if (!end) return Reading::waiting;
  if (!*end) return go_wrong(text);
  text.put_arguments("}");
  text.end_call(true);
  return go(State::closer);
}

XmlCalls::Step XmlCalls::key(AnswerText& text) {
  bool missing = false;
  const auto found = text.skip_past(tag_end, longest_name, missing);
  if (!found) return missing ? go_wrong(text) : Reading::waiting;
  const std::string type = tools_.type(name_, found->before);
  text.put_arguments((parameters_++ > 0 ? ", " : "") + quoted_json(found->before) + ": ");
  type_ = type;
  value_.clear();
  as_string_ = type == "string";
  if (as_string_) text.put_arguments("\"");
  return go(State::first_break);
}

XmlCalls::Step XmlCalls::first_break(AnswerText& text) {
  if (!text.skip_word("\n")) return Reading::waiting;
  return go(State::value);
}

XmlCalls::Step XmlCalls::value(AnswerText& text) {
  const bool whole = text.take_until(value_end, value_);
  put_value(text, whole);
  if (!whole) {
    if (!text.ended()) return Reading::waiting;
    text.end_call(false);
    return Reading::done;
  }
  const bool after_break = text.skip_word(value_end[0]).value_or(false);
  if (!after_break) text.skip_word(value_end[1]);
  return go(State::tags);
}

/// Gives out what has come of the value, unless it must wait to be read as a whole.
void XmlCalls::put_value(AnswerText& text, bool whole) {
  if (!as_string_ && (value_.size() > longest_json || (text.ended() && !whole))) {
    as_string_ = true;
    text.put_arguments("\"");
  }
  if (as_string_) {
    text.put_arguments(escaped(value_));
    value_.clear();
    if (whole) text.put_arguments("\"");
  } else if (whole) {
    text.put_arguments(as_json(value_, type_));
  }
}

}  // namespace lamina
