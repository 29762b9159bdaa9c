// Dispatch by number: the same values as the format itself, and an error that helps where there is
// none.
#include "lamina/quant/formats.h"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <random>
#include <vector>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(formats)

namespace {

std::string message_of(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_format_is_dispatched_to_itself) {
  std::mt19937 random(5);
  int formats = 0;
  Formats::for_each([&]<class Q>() {
    ++formats;
    constexpr std::int64_t count = 2 * Q::block_size;
    std::vector<std::byte> blocks(2 * sizeof(typename Q::Block));
    for (std::byte& byte : blocks) byte = static_cast<std::byte>(random() & 0x3f);  // no NaN
    std::vector<float> direct(count), dispatched(count);
    decode_row<Q>(blocks.data(), count, direct.data());
    decode_row(Q::id, blocks.data(), count, dispatched.data());
    BOOST_TEST(direct == dispatched, boost::test_tools::per_element());
    BOOST_TEST(bytes_of_row(Q::id, count) == static_cast<std::int64_t>(blocks.size()));
    BOOST_TEST(bytes_of_row(Q::id, count + 1) == bytes_of_row<Q>(count + 1));
    BOOST_TEST(format_name(Q::id) == Q::name);
  });
  BOOST_TEST(formats == 13);
}

BOOST_AUTO_TEST_CASE(an_unsupported_format_is_named_and_the_known_ones_listed) {
  float value = 0;
  const std::string message =
      message_of([&] { decode_row(FormatId::iq2_xxs, nullptr, 1, &value); });
  BOOST_TEST(contains(message, "IQ2_XXS"));
  BOOST_TEST(contains(message, "F32, F16, BF16, Q4_0"));
  BOOST_TEST(contains(message, "Q6_K"));
  const std::string unknown = message_of([&] { decode_row(FormatId{77}, nullptr, 1, &value); });
  BOOST_TEST(contains(unknown, "number 77"));
  BOOST_TEST(contains(unsupported_format(FormatId::tq1_0, "tensor 'x'").what(), "tensor 'x' has"));
}

BOOST_AUTO_TEST_CASE(every_encoder_is_dispatched_to_itself) {
  std::vector<float> values(40);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) * 0.37f - 5.0f;
  int encoders = 0;
  Formats::for_each([&]<class Q>() {
    std::vector<std::byte> direct(static_cast<std::size_t>(bytes_of_row<Q>(40)));
    std::vector<std::byte> dispatched(direct.size());
    if constexpr (EncodableFormat<Q>) {
      ++encoders;
      encode_row<Q>(values.data(), 40, direct.data());
      encode_row(Q::id, values.data(), 40, dispatched.data());
      BOOST_TEST((direct == dispatched), Q::name);
    } else {
      const std::string message =
          message_of([&] { encode_row(Q::id, values.data(), 40, dispatched.data()); });
      BOOST_TEST(contains(message, Q::name));
      BOOST_TEST(contains(message, "F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0"));
    }
  });
  BOOST_TEST(encoders == 8);
}

BOOST_AUTO_TEST_CASE(bytes_of_row_counts_a_short_block_whole) {
  BOOST_TEST(bytes_of_row(FormatId::q4_k, 0) == 0);
  BOOST_TEST(bytes_of_row(FormatId::q4_k, 1) == 144);
  BOOST_TEST(bytes_of_row(FormatId::q4_k, 256) == 144);
  BOOST_TEST(bytes_of_row(FormatId::q4_k, 257) == 288);
  BOOST_TEST(bytes_of_row(FormatId::iq4_xs, 256) == 136);  // of the container, not of Formats
}

BOOST_AUTO_TEST_CASE(bytes_of_row_refuses_what_has_no_size) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  BOOST_CHECK_THROW(bytes_of_row(FormatId{77}, 1), Error);
  BOOST_CHECK_THROW(bytes_of_row(FormatId::f32, -1), Error);
  BOOST_CHECK_THROW(bytes_of_row(FormatId::f32, most), Error);
  BOOST_CHECK_THROW(bytes_of_row(FormatId::f32, most / 4 + 1), Error);
  BOOST_TEST(bytes_of_row(FormatId::f32, most / 4) == most / 4 * 4);
  BOOST_TEST(bytes_of_row(FormatId::q4_0, most) > 0);
}

BOOST_AUTO_TEST_SUITE_END()
