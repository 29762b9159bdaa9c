// The wire format: values of every type, and messages that are cut off or wrong.
#include "runtime/tokenizer/files/protobuf_reader.h"

#include "lamina/core/error.h"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <string_view>

using namespace lamina;
using namespace std::string_view_literals;

namespace {

/// What is wrong with `bytes`, read to the end; empty where nothing is.
std::string trouble(std::string_view bytes) {
  try {
    ProtobufReader reader(bytes, "m");
    while (reader.next()) continue;
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& message, std::string_view part) {
  return message.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(protobuf_reader)

BOOST_AUTO_TEST_CASE(fields_of_every_wire_type) {
  // The examples of protobuf.dev's page on the encoding: a = 150, b = "testing".
  ProtobufReader reader(
      "\x08\x96\x01\x12\x07testing\x1D\x00\x00\x80\xBF\x20\xFF\xFF\xFF\xFF\xFF\xFF"
      "\xFF\xFF\xFF\x01\xA9\x01\x01\x02\x03\x04\x05\x06\x07\x08\xF8\x7F\x00"sv,
      "m");
  BOOST_TEST_REQUIRE(reader.next());
  BOOST_TEST(reader.field() == 1U);
  BOOST_TEST(reader.integer("a") == 150);
  BOOST_TEST(reader.boolean("a"));
  BOOST_TEST_REQUIRE(reader.next());
  BOOST_TEST(reader.field() == 2U);
  BOOST_TEST(reader.bytes("b") == "testing");
  BOOST_TEST_REQUIRE(reader.next());
  BOOST_TEST(reader.field() == 3U);
  BOOST_TEST(reader.number("c") == -1.0F);
  BOOST_TEST_REQUIRE(reader.next());
  BOOST_TEST(reader.integer("d") == -1);
  BOOST_TEST_REQUIRE(reader.next());
  BOOST_TEST(reader.field() == 21U);  // 8 bytes, passed over
  BOOST_TEST_REQUIRE(reader.next());
  BOOST_TEST(reader.field() == 2047U);
  BOOST_TEST(!reader.boolean("f"));
  BOOST_TEST(!reader.next());
}

BOOST_AUTO_TEST_CASE(another_wire_type_is_an_error_that_names_the_field) {
  ProtobufReader reader("\x08\x01", "file: part");
  BOOST_TEST_REQUIRE(reader.next());
  BOOST_CHECK_EXCEPTION(reader.bytes("piece"), Error, [](const Error& error) {
    return says(error.what(), "file: part: piece has the wire type 0, expected 2");
  });
  BOOST_CHECK_THROW(reader.number("score"), Error);
  ProtobufReader text("\x0A\x01x", "m");
  BOOST_TEST_REQUIRE(text.next());
  BOOST_CHECK_THROW(text.integer("type"), Error);
}

BOOST_AUTO_TEST_CASE(what_is_no_message_is_refused) {
  BOOST_TEST(trouble("") == "");
  BOOST_TEST(says(trouble("\x08"), "cut off"));
  BOOST_TEST(says(trouble("\x08\x80"), "cut off"));
  BOOST_TEST(says(trouble("\x0A\x05"
                          "abcd"),
                  "goes past the end"));
  BOOST_TEST(says(trouble("\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"), "goes past the end"));
  BOOST_TEST(says(trouble("\x0D\x01\x02\x03"), "goes past the end"));
  BOOST_TEST(says(trouble("\x09\x01\x02\x03\x04\x05\x06\x07"), "goes past the end"));
  BOOST_TEST(says(trouble("\x0B"), "wire type 3"));
  BOOST_TEST(says(trouble("\x0F"), "wire type 7"));
  BOOST_TEST(says(trouble("\0\0"sv), "number 0"));
  BOOST_TEST(says(trouble("\x80\x80\x80\x80\x80\x01"), "number"));  // beyond 32 bits
  BOOST_TEST(says(trouble("\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"), "10 bytes"));
}

BOOST_AUTO_TEST_SUITE_END()
