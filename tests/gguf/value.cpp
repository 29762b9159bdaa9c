// Values: made, read from bytes, converted with range checks, and refused where they are wrong.
#include "lamina/gguf/value.h"

#include "gguf/bytes.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <optional>

using namespace lamina;
using lamina::test::Bytes;
using lamina::test::says;

static_assert(MetadataScalar<bool> && MetadataScalar<std::int8_t> && MetadataScalar<long long>);
static_assert(MetadataScalar<float> && MetadataScalar<std::string> && MetadataScalar<char[4]>);
static_assert(!MetadataScalar<std::vector<int>> && !MetadataScalar<int*>);
static_assert(MetadataInteger<std::uint16_t> && !MetadataInteger<bool> && !MetadataInteger<float>);

namespace {

MetadataValue read(const Bytes& bytes) {
  ByteReader reader(bytes.span(), "v.gguf");
  MetadataValue value = MetadataValue::read(reader, "the value of key 'k'");
  BOOST_TEST(reader.remaining() == 0u);
  return value;
}

void check_value_refused(const Bytes& bytes, std::vector<std::string_view> parts) {
  parts.push_back("v.gguf: the value of key 'k' ");
  BOOST_CHECK_EXCEPTION(read(bytes), Error, says(parts));
}

template <class T>
void check_integer_limits(std::uint32_t type) {
  for (const T number :
       {std::numeric_limits<T>::min(), T{0}, T{1}, std::numeric_limits<T>::max()}) {
    const Bytes bytes = Bytes().number(type).number(number);
    BOOST_TEST((read(bytes).as<T>() == number));
    BOOST_TEST((read(bytes) == MetadataValue(number)));
    if (std::in_range<std::int64_t>(number)) {
      BOOST_TEST(std::cmp_equal(read(bytes).as<std::int64_t>(), number));
    } else {
      BOOST_CHECK_THROW(read(bytes).as<std::int64_t>(), Error);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(value)

BOOST_AUTO_TEST_CASE(numbers_of_each_type) {
  check_integer_limits<std::uint8_t>(0);
  check_integer_limits<std::int8_t>(1);
  check_integer_limits<std::uint16_t>(2);
  check_integer_limits<std::int16_t>(3);
  check_integer_limits<std::uint32_t>(4);
  check_integer_limits<std::int32_t>(5);
  check_integer_limits<std::uint64_t>(10);
  check_integer_limits<std::int64_t>(11);
  BOOST_TEST(read(Bytes().number(6u).number(0.1f)).as<float>() == 0.1f);
  BOOST_TEST(read(Bytes().number(12u).number(0.1)).as<double>() == 0.1);
  BOOST_TEST(read(Bytes().number(7u).raw("\x01")).as<bool>() == true);
  BOOST_TEST(read(Bytes().number(7u).zeros(1)).as<bool>() == false);
  BOOST_TEST(read(Bytes().number(8u).string("text")).as<std::string_view>() == "text");
}

BOOST_AUTO_TEST_CASE(integers_are_range_checked_never_cast) {
  BOOST_TEST(MetadataValue(std::uint8_t{200}).as<std::int64_t>() == 200);
  BOOST_TEST(MetadataValue(std::int64_t{7}).as<std::uint8_t>() == 7);
  BOOST_CHECK_EXCEPTION(MetadataValue(-1).as<std::uint32_t>(), Error,
                        says({"is -1", "range 0 to 4294967295"}));
  BOOST_CHECK_EXCEPTION(MetadataValue(300u).as<std::uint8_t>(), Error, says({"range 0 to 255"}));
  BOOST_CHECK_EXCEPTION(MetadataValue(std::uint64_t{1} << 63).as<std::int64_t>(), Error,
                        says({"9223372036854775808"}));
  BOOST_CHECK_EXCEPTION((MetadataValue(std::vector<int>{1, -1}).as<std::vector<std::uint32_t>>()),
                        Error, says({"is -1"}));
}

BOOST_AUTO_TEST_CASE(floats_come_from_floats) {
  BOOST_TEST(MetadataValue(0.5).as<float>() == 0.5f);
  BOOST_TEST(MetadataValue(0.1f).as<double>() == double{0.1f});
  const double largest = std::numeric_limits<double>::max();
  BOOST_CHECK_EXCEPTION(MetadataValue(largest).as<float>(), Error, says({"range of f32"}));
  BOOST_CHECK_EXCEPTION(MetadataValue(-largest).as<float>(), Error, says({"range of f32"}));
  BOOST_TEST(std::isinf(MetadataValue(std::numeric_limits<double>::infinity()).as<float>()));
  BOOST_TEST(std::isnan(MetadataValue(std::numeric_limits<double>::quiet_NaN()).as<float>()));
  BOOST_CHECK_EXCEPTION(MetadataValue(1).as<float>(), Error, says({"is i32, expected f32 or f64"}));
}

BOOST_AUTO_TEST_CASE(other_types_are_refused_by_name) {
  BOOST_CHECK_EXCEPTION(MetadataValue("x").as<int>(), Error, says({"is string, expected integer"}));
  BOOST_CHECK_EXCEPTION(MetadataValue(1.f).as<int>(), Error, says({"is f32, expected integer"}));
  BOOST_CHECK_EXCEPTION(MetadataValue(true).as<int>(), Error, says({"is bool, expected integer"}));
  BOOST_CHECK_EXCEPTION(MetadataValue(1).as<bool>(), Error, says({"is i32, expected bool"}));
  BOOST_CHECK_EXCEPTION(MetadataValue(1).as<std::string>(), Error,
                        says({"is i32, expected string"}));
  const MetadataValue array(std::vector<int>{1});
  BOOST_CHECK_EXCEPTION(array.as<int>(), Error, says({"is i32[1], expected integer"}));
  BOOST_CHECK_EXCEPTION(array.as<std::vector<float>>(), Error,
                        says({"is i32[1], expected array of f32 or f64"}));
  BOOST_CHECK_EXCEPTION(MetadataValue(1).as<std::vector<int>>(), Error,
                        says({"is i32, expected array of integer"}));
}

BOOST_AUTO_TEST_CASE(arrays) {
  using namespace std::string_view_literals;
  const MetadataValue texts(std::vector<std::string_view>{"a", "", "b\0"sv});
  BOOST_TEST(texts.is_array());
  BOOST_TEST(texts.size() == 3u);
  BOOST_TEST(texts.type_name() == "string[3]");
  BOOST_TEST(texts.as<std::vector<std::string>>().at(2) == "b\0"sv);
  const MetadataValue truths(std::vector<bool>{true, false, true});
  BOOST_TEST((truths.as<std::vector<bool>>() == std::vector<bool>{true, false, true}));
  const MetadataValue narrow(std::vector<std::uint8_t>{1, 255});
  BOOST_TEST((narrow.as<std::vector<std::int32_t>>() == std::vector<std::int32_t>{1, 255}));
  const MetadataValue none(std::vector<float>{});
  BOOST_TEST(none.as<std::vector<float>>().empty());
  BOOST_CHECK_THROW(none.as<std::vector<int>>(), Error);
}

BOOST_AUTO_TEST_CASE(arrays_from_bytes) {
  const Bytes bytes = Bytes().number(9u).number(8u).number(std::uint64_t{2}).string("x").string("");
  BOOST_TEST((read(bytes) == MetadataValue(std::vector<std::string>{"x", ""})));
  const Bytes numbers = Bytes().number(9u).number(5u).number(std::uint64_t{2}).number(1).number(-1);
  BOOST_TEST((read(numbers) == MetadataValue(std::vector<int>{1, -1})));
}

BOOST_AUTO_TEST_CASE(equality_sees_type_shape_and_bytes) {
  BOOST_TEST((MetadataValue(1) == MetadataValue(1)));
  BOOST_TEST(!(MetadataValue(1) == MetadataValue(2)));
  BOOST_TEST(!(MetadataValue(1) == MetadataValue(1u)));
  BOOST_TEST(!(MetadataValue(1) == MetadataValue(std::vector<int>{1})));
}

BOOST_AUTO_TEST_CASE(a_copy_keeps_the_bytes) {
  std::optional<MetadataValue> original(std::in_place, "owned text");
  const MetadataValue copy = *original;
  original.reset();
  BOOST_TEST(copy.as<std::string_view>() == "owned text");
}

BOOST_AUTO_TEST_CASE(unknown_types_are_refused) {
  check_value_refused(Bytes().number(13u).zeros(64), {"type 13", "0 to 12"});
  check_value_refused(Bytes().number(~0u).zeros(64), {"type 4294967295"});
  check_value_refused(Bytes().number(9u).number(99u).number(std::uint64_t{4}).zeros(64),
                      {"type 99"});
}

BOOST_AUTO_TEST_CASE(nested_arrays_are_refused) {
  check_value_refused(Bytes().number(9u).number(9u).number(std::uint64_t{1}).number(5u),
                      {"arrays"});
  Bytes deep;
  for (int i = 0; i < 10000; ++i) deep.number(9u);
  check_value_refused(deep.zeros(64), {"array of arrays"});
}

BOOST_AUTO_TEST_CASE(array_sizes_must_fit_the_bytes_left) {
  for (const std::uint32_t type : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 10u, 11u, 12u}) {
    for (const std::uint64_t count :
         {std::uint64_t{65}, 0x1000000000000001u, std::uint64_t{1} << 60, std::uint64_t{1} << 61,
          std::uint64_t{1} << 62, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
      check_value_refused(Bytes().number(9u).number(type).number(count).zeros(64),
                          {std::to_string(count), "only 64 bytes are left"});
    }
  }
}

BOOST_AUTO_TEST_CASE(a_truth_value_is_zero_or_one) {
  check_value_refused(Bytes().number(7u).raw("\x02"), {"bool stored as 2"});
  check_value_refused(Bytes().number(9u).number(7u).number(std::uint64_t{3}).raw("\x01\x01\xFF"),
                      {"bool stored as 255"});
}

BOOST_AUTO_TEST_CASE(a_string_inside_an_array_must_fit) {
  check_value_refused(Bytes()
                          .number(9u)
                          .number(8u)
                          .number(std::uint64_t{2})
                          .string("a")
                          .number(std::uint64_t{1} << 63),
                      {"9223372036854775808 bytes"});
}

BOOST_AUTO_TEST_SUITE_END()
