// JsonScanner: follows one JSON value byte by byte, and says where it ends or stops being one.
//
// The grammar is that of RFC 8259, over valid UTF-8; also escaped surrogates must come in pairs, so
// that every string is text. Arrays and objects may be 256 deep.
#pragma once

#include <string>
#include <string_view>

namespace lamina {

class JsonScanner {
 public:
  enum class Step {
    inside,  // the byte belongs to the value, which goes on
    last,    // the byte ends the value
    after,   // the value ended before this byte, which belongs to something else
    wrong,   // this byte cannot stand here
  };
  Step feed(char byte);
  /// Whether the value is whole if nothing follows.
  bool complete() const;
  /// Whether the value is an object.
  bool is_object() const { return object_; }

 private:
  enum class State {
    value,       // white space or the first byte of a value
    first_item,  // the same, or the end of an empty array
    first_key,   // a key, or the end of an empty object
    key,
    colon,
    after_item,  // a comma, or the end of the array or object
    string,
    escape,
    unicode,     // hexadecimal digits of \uXXXX
    low_escape,  // the backslash of the second half of a pair
    low_u,       // its u
    literal,     // the rest of true, false, null
    minus,
    zero,
    integer,
    point,
    fraction,
    exponent,
    exponent_sign,
    exponent_digits,
    done,
    failed,
  };

  Step begin(char byte);
  Step structure(char byte);
  Step in_string(char byte);
  Step in_unicode(char byte);
  Step number(char byte);
  Step open(char byte, State next);
  Step close(char byte);
  Step finished();
  Step fail();
  Step go(State next);

  State state_ = State::value;
  std::string open_;          // '{' and '[' around the place
  bool is_key_ = false;       // of the string at hand
  bool object_ = false;       // the value is an object
  std::string_view literal_;  // what is left of it
  int digits_ = 0;
  unsigned code_ = 0;  // of \uXXXX
  bool low_ = false;   // this escape must be the second half of a pair
};

/// Whether the text is one JSON value, perhaps with white space around it.
bool is_json(std::string_view text);
/// The same for a value that is an object.
bool is_json_object(std::string_view text);

}  // namespace lamina
