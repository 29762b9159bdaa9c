// The seed of a random test: always the same, unless $LAMINA_TEST_SEED gives another, or has one
// drawn: `random`. It is printed, so that a failure can be repeated.
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>

namespace lamina::test {

inline unsigned seed() {
  const char* given = std::getenv("LAMINA_TEST_SEED");
  const std::string_view chosen = given != nullptr ? given : "1";
  const unsigned value = chosen == "random"
                             ? std::random_device()() % 1'000'000'000U
                             : static_cast<unsigned>(std::strtoul(chosen.data(), nullptr, 10));
  const auto& test = boost::unit_test::framework::current_test_case();
  std::printf("%s: LAMINA_TEST_SEED=%u\n", test.full_name().c_str(), value);
  std::fflush(stdout);
  return value;
}

}  // namespace lamina::test
