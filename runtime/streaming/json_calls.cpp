// An object's members one by one, so that arguments leave while they come.
#include "runtime/streaming/json_calls.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace lamina {
namespace {

using Names = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view key, Names names) {
  return std::find(names.begin(), names.end(), key) != names.end();
}

bool is_name(std::string_view key) { return is_one_of(key, {"name", "function", "tool_name"}); }
bool is_id(std::string_view key) { return is_one_of(key, {"id", "tool_call_id"}); }
bool is_arguments(std::string_view key) { return is_one_of(key, {"arguments", "parameters"}); }

bool is_space(char byte) {
  return std::string_view(" \t\r\n").find(byte) != std::string_view::npos;
}

/// The text of a JSON string; nothing for another value.
std::optional<std::string> string_of(const std::string& json) {
  const auto value = nlohmann::json::parse(json, nullptr, false);
  return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
}

}  // namespace

Reading read_arguments(AnswerText& text, JsonScanner& scanner) {
  const std::string_view rest = text.rest();
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const JsonScanner::Step step = scanner.feed(rest[i]);
    if (step == JsonScanner::Step::inside) continue;
    const bool whole = step == JsonScanner::Step::last;
    text.take_arguments(whole ? i + 1 : i);
    if (!whole || !scanner.is_object()) return Reading::refused;
    text.end_call(true);
    return Reading::done;
  }
  text.take_arguments(rest.size());
  if (!text.ended()) return Reading::waiting;
  text.end_call(false);
  return Reading::done;
}

Reading read_wrong_arguments(AnswerText& text, Markers ends) {
  std::string taken;
  const bool ended = text.take_until(ends, taken) || text.ended();
  text.put_arguments(taken);
  if (!ended) return Reading::waiting;
  text.end_call(false);
  return Reading::done;
}

Reading read_closer(AnswerText& text, std::string_view closer) {
  if (!text.skip_space() && !text.ended()) return Reading::waiting;
  const std::optional<bool> there = text.skip_word(closer);
  if (!there) return Reading::waiting;
  if (*there) text.settle();
  return Reading::done;
}

Reading JsonCalls::read(AnswerText& text) {
  for (;;) {
    if (state_ == State::arguments) {
      const Reading reading = read_arguments(text, scanner_);
      if (reading == Reading::waiting) return reading;
      state_ = reading == Reading::done ? State::next_key : State::wrong;
      continue;
    }
    if (state_ == State::wrong) return read_wrong_arguments(text, ends_);
    if (text.too_much_unsettled()) return stop();
    if (text.rest().empty()) return text.ended() ? stop() : Reading::waiting;
    const bool in_value = state_ == State::key || state_ == State::value;
    if (const auto end = in_value ? value(text) : structure(text)) return *end;
  }
}

/// One byte between values; the end of the section where it does not fit.
std::optional<Reading> JsonCalls::structure(AnswerText& text) {
  const char byte = text.rest()[0];
  const auto take = [&](State next) {
    text.skip(1);
    state_ = next;
    return std::nullopt;
  };
  if (is_space(byte)) return take(state_);
  const bool between = state_ == State::item || state_ == State::next_item;
  if (byte == ']' && between && in_array_ && calls_ > 0) {
    text.skip(1);
    text.settle();
    return stop();
  }
  switch (state_) {
    case State::next_item:
      if (byte == (in_array_ ? ',' : ';')) return take(State::item);
      if (in_array_) return stop();
      [[fallthrough]];
    case State::item:
      if (byte == '[' && !in_array_ && calls_ == 0) {
        in_array_ = true;
        return take(State::item);
      }
      if (byte != '{') return stop();
      name_.clear();
      id_.clear();
      arguments_.reset();
      begun_ = false;
      return take(State::first_key);
    case State::first_key:
      if (byte == '"') return begin_value(State::key);
      [[fallthrough]];
    case State::next_key:
      if (byte == ',' && state_ == State::next_key) return take(State::first_key);
      if (byte != '}') return stop();
      text.skip(1);
      return close(text);
    default:  // colon
      if (byte != ':') return stop();
      text.skip(1);
      return begin_value(State::value);
  }
}

std::optional<Reading> JsonCalls::begin_value(State state) {
  state_ = state;
  value_.clear();
  scanner_ = {};
  return std::nullopt;
}

/// One byte of a key or value.
std::optional<Reading> JsonCalls::value(AnswerText& text) {
  const char byte = text.rest()[0];
  if (value_.empty() && is_space(byte)) {
    text.skip(1);
    return std::nullopt;
  }
  const bool arguments = state_ == State::value && is_arguments(key_) && !begun_;
  if (arguments && value_.empty() && byte == '{' && !name_.empty()) {
    begin(text);
    state_ = State::arguments;
    return std::nullopt;
  }
  const JsonScanner::Step step = scanner_.feed(byte);
  if (step == JsonScanner::Step::wrong) return stop();
  if (step != JsonScanner::Step::after) {
    value_ += byte;
    text.skip(1);
  }
  if (step == JsonScanner::Step::inside) return std::nullopt;
  const bool fits = state_ == State::key ? take_key() : take_value();
  state_ = state_ == State::key ? State::colon : State::next_key;
  return fits ? std::nullopt : std::optional(stop());
}

void JsonCalls::begin(AnswerText& text) {
  text.begin_call(name_, id_);
  begun_ = true;
  ++calls_;
}

bool JsonCalls::take_key() {
  key_ = string_of(value_).value_or("");
  return sure_ || is_name(key_) || is_id(key_) || is_arguments(key_) || key_ == "type";
}

bool JsonCalls::take_value() {
  if (begun_) return true;
  if (is_name(key_)) {
    name_ = string_of(value_).value_or("");
    return !name_.empty();
  }
  if (is_id(key_)) id_ = string_of(value_).value_or(value_);
  if (is_arguments(key_)) arguments_ = value_ == "null" ? "{}" : string_of(value_).value_or(value_);
  return true;
}

/// The end of an object: a call that has not begun yet is whole now.
std::optional<Reading> JsonCalls::close(AnswerText& text) {
  state_ = State::next_item;
  if (begun_) {
    text.settle();
    return std::nullopt;
  }
  if (name_.empty() || (!arguments_ && !sure_)) return stop();
  begin(text);
  const std::string arguments = arguments_.value_or("{}");
  text.put_arguments(arguments);
  text.end_call(is_json_object(arguments));
  return std::nullopt;
}

}  // namespace lamina
