// Numbers are worked out once, and the same by all threads.
#include "runtime/tokenizer/models/lazy_table.h"

#include <boost/test/unit_test.hpp>

#include <thread>
#include <vector>

using lamina::LazyTable;

BOOST_AUTO_TEST_SUITE(lazy_table)

BOOST_AUTO_TEST_CASE(a_number_is_found_out_when_it_is_first_asked_for) {
  const LazyTable<int> table(3);
  int asked = 0;
  const auto find_out = [&] {
    ++asked;
    return -1;
  };
  BOOST_TEST(table.get(1, find_out) == -1);
  BOOST_TEST(table.get(1, find_out) == -1);
  BOOST_TEST(asked == 1);
  BOOST_TEST(table.get(2, [] { return 7; }) == 7);
  BOOST_TEST(table.get(0, [] { return 0; }) == 0);
  BOOST_TEST(table.get(2, find_out) == 7);
  BOOST_TEST(asked == 1);
}

BOOST_AUTO_TEST_CASE(threads_may_ask_at_once) {
  constexpr int count = 5000;
  const LazyTable<signed char> table(count);
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (int& errors : wrong) {
    threads.emplace_back([&] {
      for (int i = 0; i < count; ++i) {
        const auto right = static_cast<signed char>(i % 2);
        errors += table.get(static_cast<std::size_t>(i), [&] { return right; }) != right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int errors : wrong) BOOST_TEST(errors == 0);
}

BOOST_AUTO_TEST_SUITE_END()
