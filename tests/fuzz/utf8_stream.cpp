// Fuzz target of the assembling of characters: whatever the bytes and however they are cut, the
// text is valid UTF-8 and the same as of all bytes at once.
#include "runtime/unicode/utf8.h"
#include "runtime/streaming/utf8_stream.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace lamina;

namespace {

bool is_valid(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = well_formed_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace

/// The first half of the input says how the second is cut: each byte is a length.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view lengths = input.substr(0, size / 2);
  const std::string_view bytes = input.substr(size / 2);
  Utf8Stream stream;
  std::string text;
  std::size_t at = 0;
  for (std::size_t i = 0; i < lengths.size() && at < bytes.size(); ++i) {
    const auto length = static_cast<unsigned char>(lengths[i]) % 8u;
    const std::string part = stream.feed(bytes.substr(at, length));
    if (!is_valid(part)) std::abort();
    text += part;
    at += length;
  }
  text += stream.feed(bytes.substr(std::min(at, bytes.size())));
  text += stream.finish();
  Utf8Stream once;
  std::string whole = once.feed(bytes);
  whole += once.finish();
  if (text != whole || !is_valid(whole)) std::abort();
  return 0;
}
