// The states between two bytes of a JSON text.
#include "runtime/streaming/json_scanner.h"

#include <algorithm>

namespace lamina {
namespace {

constexpr std::size_t deepest = 256;

bool is_space(char byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }
bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

/// The value of a hexadecimal digit; -1 for anything else.
int hexadecimal(char byte) {
  if (is_digit(byte)) return byte - '0';
  if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
  if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
  return -1;
}

}  // namespace

JsonScanner::Step JsonScanner::go(State next) {
  state_ = next;
  return Step::inside;
}

JsonScanner::Step JsonScanner::fail() {
  state_ = State::failed;
  return Step::wrong;
}

/// A value, perhaps inside others, has ended with this byte.
JsonScanner::Step JsonScanner::finished() {
  if (!open_.empty()) return go(State::after_item);
  state_ = State::done;
  return Step::last;
}

JsonScanner::Step JsonScanner::open(char byte, State next) {
  if (open_.size() == deepest) return fail();
  object_ = object_ || (open_.empty() && byte == '{');
  open_ += byte;
  return go(next);
}

JsonScanner::Step JsonScanner::close(char byte) {
  if (open_.empty() || open_.back() != (byte == '}' ? '{' : '[')) return fail();
  open_.pop_back();
  return finished();
}

/// The first byte of a value.
JsonScanner::Step JsonScanner::begin(char byte) {
  is_key_ = false;
  if (is_digit(byte)) return go(byte == '0' ? State::zero : State::integer);
  switch (byte) {
    case '{':
      return open(byte, State::first_key);
    case '[':
      return open(byte, State::first_item);
    case '"':
      return go(State::string);
    case '-':
      return go(State::minus);
    case 't':
      literal_ = "rue";
      return go(State::literal);
    case 'f':
      literal_ = "alse";
      return go(State::literal);
    case 'n':
      literal_ = "ull";
      return go(State::literal);
    default:
      return fail();
  }
}

/// Between values and keys.
JsonScanner::Step JsonScanner::structure(char byte) {
  if (is_space(byte)) return Step::inside;
  switch (state_) {
    case State::first_item:
      return byte == ']' ? close(byte) : begin(byte);
    case State::first_key:
      if (byte == '}') return close(byte);
      [[fallthrough]];
    case State::key:
      is_key_ = true;
      return byte == '"' ? go(State::string) : fail();
    case State::colon:
      return byte == ':' ? go(State::value) : fail();
    case State::after_item:
      if (byte == ',') return go(open_.back() == '{' ? State::key : State::value);
      return byte == '}' || byte == ']' ? close(byte) : fail();
    default:
      return begin(byte);
  }
}

JsonScanner::Step JsonScanner::in_string(char byte) {
  if (state_ == State::low_escape) return byte == '\\' ? go(State::low_u) : fail();
  if (state_ == State::escape || state_ == State::low_u) {
    low_ = state_ == State::low_u;
    digits_ = 0;
    code_ = 0;
    if (byte == 'u') return go(State::unicode);
    constexpr std::string_view escapes = "\"\\/bfnrt";
    return !low_ && escapes.find(byte) != std::string_view::npos ? go(State::string) : fail();
  }
  if (byte == '\\') return go(State::escape);
  if (static_cast<unsigned char>(byte) < 0x20) return fail();
  if (byte != '"') return Step::inside;
  return is_key_ ? go(State::colon) : finished();
}

JsonScanner::Step JsonScanner::in_unicode(char byte) {
  const int value = hexadecimal(byte);
  if (value < 0) return fail();
  code_ = code_ << 4 | static_cast<unsigned>(value);
  if (++digits_ < 4) return Step::inside;
  const bool low = code_ >= 0xDC00 && code_ < 0xE000;
  if (low != low_) return fail();
  return go(code_ >= 0xD800 && code_ < 0xDC00 ? State::low_escape : State::string);
}

/// A number ends before the first byte that cannot go on with it.
JsonScanner::Step JsonScanner::number(char byte) {
  const bool digit = is_digit(byte);
  const bool e = byte == 'e' || byte == 'E';
  switch (state_) {
    case State::minus:
      return digit ? go(byte == '0' ? State::zero : State::integer) : fail();
    case State::point:
      return digit ? go(State::fraction) : fail();
    case State::exponent:
      if (byte == '+' || byte == '-') return go(State::exponent_sign);
      [[fallthrough]];
    case State::exponent_sign:
      return digit ? go(State::exponent_digits) : fail();
    case State::integer:
      if (digit) return Step::inside;
      [[fallthrough]];
    case State::zero:
      if (byte == '.') return go(State::point);
      if (e) return go(State::exponent);
      break;
    case State::fraction:
      if (digit) return Step::inside;
      if (e) return go(State::exponent);
      break;
    default:
      if (digit) return Step::inside;
  }
  if (finished() == Step::last) return Step::after;
  return structure(byte);
}

JsonScanner::Step JsonScanner::feed(char byte) {
  switch (state_) {
    case State::string:
    case State::escape:
    case State::low_escape:
    case State::low_u:
      return in_string(byte);
    case State::unicode:
      return in_unicode(byte);
    case State::literal:
      if (byte != literal_[0]) return fail();
      literal_.remove_prefix(1);
      return literal_.empty() ? finished() : Step::inside;
    case State::done:
      return Step::after;
    case State::failed:
      return Step::wrong;
    case State::minus:
    case State::zero:
    case State::integer:
    case State::point:
    case State::fraction:
    case State::exponent:
    case State::exponent_sign:
    case State::exponent_digits:
      return number(byte);
    default:
      return structure(byte);
  }
}

bool JsonScanner::complete() const {
  const bool number = state_ == State::zero || state_ == State::integer ||
                      state_ == State::fraction || state_ == State::exponent_digits;
  return state_ == State::done || (number && open_.empty());
}

namespace {

bool take_all(JsonScanner& scanner, std::string_view text) {
  const bool fits = std::all_of(text.begin(), text.end(), [&](char byte) {
    const auto step = scanner.feed(byte);
    return step != JsonScanner::Step::wrong && (step != JsonScanner::Step::after || is_space(byte));
  });
  return fits && scanner.complete();
}

}  // namespace

bool is_json(std::string_view text) {
  JsonScanner scanner;
  return take_all(scanner, text);
}

bool is_json_object(std::string_view text) {
  JsonScanner scanner;
  return take_all(scanner, text) && scanner.is_object();
}

}  // namespace lamina
