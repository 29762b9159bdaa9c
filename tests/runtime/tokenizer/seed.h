// The seed of a random test: printed, and repeated by $LAMINA_TEST_SEED.
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <cstdlib>
#include <random>

namespace lamina::test {

inline unsigned seed() {
  const char* chosen = std::getenv("LAMINA_TEST_SEED");
  const unsigned value = chosen != nullptr
                             ? static_cast<unsigned>(std::strtoul(chosen, nullptr, 10))
                             : std::random_device()() % 1'000'000'000U;
  const auto& test = boost::unit_test::framework::current_test_case();
  std::printf("%s: LAMINA_TEST_SEED=%u\n", test.full_name().c_str(), value);
  std::fflush(stdout);
  return value;
}

}  // namespace lamina::test
