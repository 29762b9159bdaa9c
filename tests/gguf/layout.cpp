// The rules of the container, one by one: alignment, names, keys, format numbers, sizes.
#include "lamina/gguf/layout.h"

#include "gguf/bytes.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;
using lamina::test::says;

namespace {

std::uint64_t bytes_of(FormatId format, std::vector<std::uint64_t> extents) {
  return checked_tensor_bytes("f", "t", *find_format(format), extents);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(layout)

BOOST_AUTO_TEST_CASE(offsets_are_rounded_up) {
  BOOST_TEST(align_up(0, 32) == 0u);
  BOOST_TEST(align_up(1, 32) == 32u);
  BOOST_TEST(align_up(32, 32) == 32u);
  BOOST_TEST(align_up(33, 8) == 40u);
  BOOST_TEST(align_up((std::uint64_t{1} << 40) + 1, 65536) == (std::uint64_t{1} << 40) + 65536);
}

BOOST_AUTO_TEST_CASE(alignment_is_a_power_of_two_from_8_to_65536) {
  for (std::uint64_t good = 8; good <= 65536; good *= 2)
    BOOST_CHECK_NO_THROW(check_alignment("f", good));
  for (const std::uint64_t bad :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{4}, std::uint64_t{24},
        std::uint64_t{33}, std::uint64_t{131072}, std::uint64_t{0x80000000}, ~std::uint64_t{0}}) {
    BOOST_CHECK_EXCEPTION(check_alignment("f.gguf", bad), Error,
                          says({"f.gguf", "'general.alignment' is " + std::to_string(bad)}));
  }
}

BOOST_AUTO_TEST_CASE(keys) {
  BOOST_CHECK_NO_THROW(check_key("f", "a"));
  BOOST_CHECK_NO_THROW(check_key("f", std::string(65535, 'k')));
  BOOST_CHECK_EXCEPTION(check_key("f", ""), Error, says({"f: ", "is empty"}));
  BOOST_CHECK_EXCEPTION(check_key("f", std::string(65536, 'k')), Error, says({"65536 bytes"}));
  BOOST_CHECK_EXCEPTION(check_key("f", std::string_view("a\0b", 3)), Error, says({"NUL"}));
}

BOOST_AUTO_TEST_CASE(tensor_names) {
  BOOST_CHECK_NO_THROW(check_tensor_name("f", std::string(63, 'n')));
  BOOST_CHECK_EXCEPTION(check_tensor_name("f", ""), Error, says({"f: ", "is empty"}));
  BOOST_CHECK_EXCEPTION(check_tensor_name("f", std::string(64, 'n')), Error, says({"64 bytes"}));
  BOOST_CHECK_EXCEPTION(check_tensor_name("f", std::string_view("a\0", 2)), Error, says({"NUL"}));
}

BOOST_AUTO_TEST_CASE(format_numbers_without_a_format_say_what_to_do) {
  for (const FormatInfo& info : known_formats) {
    BOOST_TEST(&checked_format("f", "t", static_cast<std::uint32_t>(info.id)) == &info);
  }
  const auto refused = [](std::uint32_t number, std::string_view advice) {
    BOOST_CHECK_EXCEPTION(
        checked_format("f.gguf", "t", number), Error,
        says({"f.gguf: the tensor 't' has format number ", std::to_string(number), advice}));
  };
  for (const std::uint32_t number : {4u, 5u}) refused(number, "convert the original model again");
  for (const std::uint32_t number : {31u, 32u, 33u}) refused(number, "again to Q4_0");
  for (const std::uint32_t number : {36u, 37u, 38u}) refused(number, "again to IQ4_NL");
  for (const std::uint32_t number : {97u, 133u, 137u, 158u, 202u, 335u, 399u})
    refused(number, "ik_llama");
  for (const std::uint32_t number : {43u, 1000u, 0x80000000u, ~0u}) refused(number, "unknown");
}

BOOST_AUTO_TEST_CASE(sizes_are_whole_blocks) {
  BOOST_TEST(bytes_of(FormatId::f32, {1}) == 4u);
  BOOST_TEST(bytes_of(FormatId::f16, {3, 5, 7, 2}) == 420u);
  BOOST_TEST(bytes_of(FormatId::q4_0, {64, 3}) == 108u);
  BOOST_TEST(bytes_of(FormatId::q6_k, {256, 2}) == 420u);
  BOOST_CHECK_EXCEPTION(bytes_of(FormatId::q4_k, {128, 2}), Error,
                        says({"f: the tensor 't'", "rows of 128", "multiple of 256", "Q4_K"}));
  BOOST_CHECK_THROW(bytes_of(FormatId::q8_0, {33}), Error);
}

BOOST_AUTO_TEST_CASE(extents_are_positive_and_do_not_wrap) {
  const std::uint64_t two_32 = std::uint64_t{1} << 32;
  BOOST_CHECK_EXCEPTION(bytes_of(FormatId::f32, {}), Error, says({"0 extents"}));
  BOOST_CHECK_EXCEPTION(bytes_of(FormatId::f32, {1, 1, 1, 1, 1}), Error, says({"5 extents"}));
  BOOST_CHECK_EXCEPTION(bytes_of(FormatId::f32, {0}), Error, says({"extent of 0"}));
  BOOST_CHECK_EXCEPTION(bytes_of(FormatId::f32, {5, 0}), Error, says({"extent of 0"}));
  BOOST_CHECK_EXCEPTION(bytes_of(FormatId::f32, {two_32, two_32}), Error, says({"2^48"}));
  BOOST_CHECK_THROW(bytes_of(FormatId::f32, {two_32, two_32, two_32, two_32}), Error);
  BOOST_CHECK_THROW(bytes_of(FormatId::i8, {~std::uint64_t{0}}), Error);
  BOOST_CHECK_THROW(bytes_of(FormatId::i8, {std::uint64_t{1} << 63, 2}), Error);
  BOOST_TEST(bytes_of(FormatId::f64, {std::uint64_t{1} << 47, 2}) == std::uint64_t{1} << 51);
  BOOST_CHECK_THROW(bytes_of(FormatId::f64, {(std::uint64_t{1} << 48) + 1}), Error);
}

BOOST_AUTO_TEST_SUITE_END()
