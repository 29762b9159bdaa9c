// The published examples of SHA-256, whole and in pieces.
#include "runtime/sha256.h"

#include "message_of.h"
#include "runtime/temporary_folder.h"

#include <boost/test/unit_test.hpp>

namespace lamina {
namespace {

std::string sum(std::string_view text, std::size_t piece) {
  Sha256 hash;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    hash.update(std::as_bytes(std::span(text.substr(at, piece))));
  }
  return hash.hex();
}

BOOST_AUTO_TEST_SUITE(sha256)

// From NIST's "Cryptographic Standards and Guidelines: example values" and FIPS 180-2, appendix B.
BOOST_AUTO_TEST_CASE(published_examples) {
  BOOST_TEST(sum("", 1) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  BOOST_TEST(sum("abc", 3) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  BOOST_TEST(sum("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 7) ==
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  BOOST_TEST(sum(std::string(1'000'000, 'a'), 999) ==
             "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

BOOST_AUTO_TEST_CASE(pieces_do_not_matter) {
  const std::string text(300, 'x');  // lengths around the padding's two cases
  for (std::size_t length = 0; length < text.size(); ++length) {
    const auto part = std::string_view(text).substr(0, length);
    BOOST_REQUIRE_EQUAL(sum(part, 1), sum(part, 1000));
  }
}

BOOST_AUTO_TEST_CASE(of_a_file) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("abc", "abc");
  BOOST_TEST(sha256_of_file(path) == sum("abc", 3));
  const auto missing = folder.path() / "missing";
  BOOST_TEST(test::contains(test::message_of([&] { sha256_of_file(missing); }), missing.string()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
