// Typed access to keys: what is there, what is missing, what is something else.
#include "lamina/gguf/metadata.h"

#include "gguf/bytes.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;
using lamina::test::says;

namespace {

Metadata sample() {
  return Metadata({{"general.architecture", "llama"},
                   {"llama.block_count", 30u},
                   {"llama.rope.freq_base", 1e4f},
                   {"tokenizer.ggml.tokens", std::vector<std::string_view>{"a", "b"}},
                   {"tokenizer.ggml.add_bos_token", true}},
                  "m.gguf");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(metadata)

BOOST_AUTO_TEST_CASE(typed_access) {
  const Metadata m = sample();
  BOOST_TEST(m.contains("llama.block_count"));
  BOOST_TEST(!m.contains("llama.block"));
  BOOST_TEST(m.get<std::string_view>("general.architecture") == "llama");
  BOOST_TEST(m.get<std::string>("general.architecture") == "llama");
  BOOST_TEST(m.get<std::int32_t>("llama.block_count") == 30);
  BOOST_TEST(m.get<double>("llama.rope.freq_base") == 1e4);
  BOOST_TEST(m.get<bool>("tokenizer.ggml.add_bos_token"));
  BOOST_TEST(m.get<std::vector<std::string_view>>("tokenizer.ggml.tokens").at(1) == "b");
}

BOOST_AUTO_TEST_CASE(absent_keys) {
  const Metadata m = sample();
  BOOST_CHECK_EXCEPTION(m.get<bool>("llama.x"), Error,
                        says({"m.gguf: ", "'llama.x' is missing", "convert"}));
  BOOST_TEST(!m.find<bool>("llama.x").has_value());
  BOOST_TEST(m.get_or<std::uint32_t>("llama.x", 7) == 7u);
  BOOST_TEST(m.get_or<std::string>("llama.x", "none") == "none");
  BOOST_TEST(m.value("llama.x") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_wrong_type_is_never_the_fallback) {
  const Metadata m = sample();
  const auto names_it = says({"m.gguf: the key 'llama.block_count' is u32, expected string"});
  BOOST_CHECK_EXCEPTION(m.get<std::string>("llama.block_count"), Error, names_it);
  BOOST_CHECK_EXCEPTION(m.find<std::string>("llama.block_count"), Error, names_it);
  BOOST_CHECK_EXCEPTION(m.get_or<std::string>("llama.block_count", ""), Error, names_it);
  BOOST_CHECK_EXCEPTION(m.get<std::uint32_t>("tokenizer.ggml.tokens"), Error,
                        says({"is string[2], expected integer"}));
}

BOOST_AUTO_TEST_CASE(a_number_out_of_range_is_refused) {
  const Metadata m({{"k", -1}, {"big", std::uint64_t{1} << 40}}, "m.gguf");
  BOOST_CHECK_EXCEPTION(m.get<std::uint32_t>("k"), Error, says({"m.gguf: the key 'k' is -1"}));
  BOOST_CHECK_EXCEPTION(m.get_or<std::int32_t>("big", 3), Error, says({"1099511627776"}));
}

BOOST_AUTO_TEST_CASE(entries_keep_the_order_they_came_in) {
  Metadata m;
  for (const char* key : {"c", "a", "d", "b"}) m.set(key, key);
  m.set("a", 1u);  // in place
  std::string order;
  for (const MetadataEntry& entry : m.entries()) order += entry.key;
  BOOST_TEST(order == "cadb");
  BOOST_TEST(m.get<std::uint32_t>("a") == 1u);
  BOOST_TEST(m.get<std::string>("d") == "d");
  for (const char* key : {"a", "b", "c", "d"}) BOOST_TEST(m.contains(key));
  for (const char* key : {"", "aa", "e"}) BOOST_TEST(!m.contains(key));
}

BOOST_AUTO_TEST_CASE(copies_outlive_what_they_were_copied_from) {
  auto original = std::make_unique<Metadata>(sample());
  const Metadata copy = *original;
  original->set("general.architecture", "other");
  original.reset();
  BOOST_TEST(copy.get<std::string_view>("general.architecture") == "llama");
  BOOST_TEST(copy.get<std::vector<std::string_view>>("tokenizer.ggml.tokens").at(0) == "a");
}

BOOST_AUTO_TEST_CASE(a_key_may_not_occur_twice) {
  std::vector<MetadataEntry> entries{{"a", 1u}, {"b", 2u}, {"a", 3u}};
  BOOST_CHECK_EXCEPTION(Metadata("m.gguf", entries), Error, says({"m.gguf", "'a' occurs twice"}));
}

BOOST_AUTO_TEST_CASE(odd_keys_are_shown_harmlessly) {
  const Metadata m({}, "m.gguf");
  BOOST_CHECK_EXCEPTION(m.get<int>("\x1B[2J"), Error, says({R"('\x1b[2J' is missing)"}));
}

BOOST_AUTO_TEST_SUITE_END()
