// The table of tensors: order kept, every name found, a name twice refused.
#include "lamina/gguf/tensor_table.h"

#include "gguf/bytes.h"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <vector>

using namespace lamina;
using lamina::test::says;

namespace {

std::vector<TensorView> named(const std::vector<std::string>& names) {
  std::vector<TensorView> tensors(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) tensors[i].name = names[i];
  return tensors;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_table)

BOOST_AUTO_TEST_CASE(order_and_look_up) {
  const std::vector<std::string> names{"output", "blk.1", "blk.0", "blk.10", "a"};
  const TensorTable table("f", named(names));
  BOOST_TEST(table.size() == names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    BOOST_TEST(table.all()[i].name == names[i]);
    BOOST_TEST(table.find(names[i]) == &table.all()[i]);
  }
  for (const char* absent : {"", "blk.", "blk.2", "z"}) BOOST_TEST(table.find(absent) == nullptr);
  BOOST_TEST(TensorTable().find("a") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_name_may_not_occur_twice) {
  BOOST_CHECK_EXCEPTION(TensorTable("f.gguf", named({"a", "b", "a"})), Error,
                        says({"f.gguf: the tensor 'a' occurs twice"}));
}

BOOST_AUTO_TEST_CASE(look_ups_are_not_linear) {
  std::vector<std::string> names;
  for (int i = 0; i < 100'000; ++i) names.push_back("blk." + std::to_string(i) + ".weight");
  const TensorTable table("f", named(names));
  // 10^5 look-ups among 10^5 names: 10^10 comparisons, minutes, if each walked the table.
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& name : names) BOOST_REQUIRE(table.find(name) != nullptr);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  BOOST_TEST(taken.count() < 10.0);
}

BOOST_AUTO_TEST_SUITE_END()
