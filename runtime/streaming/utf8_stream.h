// Utf8Stream: bytes that arrive in any pieces leave as whole UTF-8 characters.
//
// A character whose last bytes are still to come is held back. Bytes that are no UTF-8 become
// U+FFFD, one for each maximal ill-formed part (Unicode 15.0, section 3.9, "U+FFFD Substitution of
// Maximal Subparts"; table 3-7 lists the well-formed sequences), so that the output is always
// valid.
#pragma once

#include <string>
#include <string_view>

namespace lamina {

class Utf8Stream {
 public:
  /// Takes the next bytes and returns every character that is complete now.
  std::string feed(std::string_view bytes);
  /// The bytes have ended: an incomplete character becomes U+FFFD.
  std::string finish();

 private:
  std::string held_;  // the beginning of one character, at most 3 bytes
};

/// All of `bytes` in this way.
std::string as_utf8(std::string_view bytes);

}  // namespace lamina
