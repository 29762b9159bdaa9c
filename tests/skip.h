// Reporting a test that cannot run here: it counts as skipped, with its reason, never as passed.
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <string>

namespace lamina::test {

/// Call and return: prints the line that `./dev test` counts. The assertion keeps Boost from
/// warning that nothing was checked.
inline void skip(const std::string& why) {
  const auto& test = boost::unit_test::framework::current_test_case();
  std::printf("SKIPPED %s: %s\n", test.full_name().c_str(), why.c_str());
  std::fflush(stdout);
  BOOST_TEST(!why.empty());
}

}  // namespace lamina::test
