// The table of formats: found by number and by name, without doubles, with the sizes of the
// container.
#include "lamina/core/format_id.h"

#include <boost/test/unit_test.hpp>

#include <iterator>
#include <set>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(format_id)

BOOST_AUTO_TEST_CASE(each_entry_is_found_and_unique) {
  std::set<FormatId> numbers;
  std::set<std::string_view> names;
  for (const FormatInfo& info : known_formats) {
    BOOST_TEST(find_format(info.id) == &info);
    BOOST_TEST(find_format(info.name) == &info);
    BOOST_TEST(numbers.insert(info.id).second);
    BOOST_TEST(names.insert(info.name).second);
    BOOST_TEST(info.block_size > 0);
    BOOST_TEST(info.block_bytes > 0);
  }
  BOOST_TEST(numbers.size() == std::size(known_formats));
}

BOOST_AUTO_TEST_CASE(removed_and_unknown_numbers_are_not_found) {
  for (const std::uint32_t number :
       {4u, 5u, 31u, 32u, 33u, 36u, 37u, 38u, 43u, 137u, 0xffff'ffffu}) {
    BOOST_TEST((find_format(FormatId{number}) == nullptr));
  }
  BOOST_TEST((find_format("q4_k") == nullptr));  // names are spelled as in the container
  BOOST_TEST((find_format("") == nullptr));
}

// Bits a weight as published for each format (ggml's documentation of its types).
BOOST_AUTO_TEST_CASE(bits_per_weight) {
  const struct {
    const char* name;
    double bits;
  } published[] = {{"F32", 32},        {"F16", 16},       {"BF16", 16},        {"Q4_0", 4.5},
                   {"Q4_1", 5},        {"Q5_0", 5.5},     {"Q5_1", 6},         {"Q8_0", 8.5},
                   {"Q8_1", 9},        {"Q2_K", 2.625},   {"Q3_K", 3.4375},    {"Q4_K", 4.5},
                   {"Q5_K", 5.5},      {"Q6_K", 6.5625},  {"Q8_K", 9.125},     {"IQ2_XXS", 2.0625},
                   {"IQ2_XS", 2.3125}, {"IQ2_S", 2.5625}, {"IQ3_XXS", 3.0625}, {"IQ3_S", 3.4375},
                   {"IQ1_S", 1.5625},  {"IQ1_M", 1.75},   {"IQ4_NL", 4.5},     {"IQ4_XS", 4.25},
                   {"TQ1_0", 1.6875},  {"TQ2_0", 2.0625}, {"MXFP4", 4.25},     {"NVFP4", 4.5},
                   {"Q1_0", 1.125},    {"Q2_0", 2.25},    {"I8", 8},           {"I16", 16},
                   {"I32", 32},        {"I64", 64},       {"F64", 64}};
  BOOST_TEST(std::size(published) == std::size(known_formats));
  for (const auto& [name, bits] : published) {
    const FormatInfo* info = find_format(name);
    BOOST_TEST_REQUIRE((info != nullptr), name);
    BOOST_TEST(8.0 * info->block_bytes / info->block_size == bits, name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
