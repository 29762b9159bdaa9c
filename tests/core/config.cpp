// The macros: the version that CMake states, hooks that vanish on the host, assertions of debug
// builds.
#include "lamina/core/config.h"

#include <boost/test/unit_test.hpp>

#include "shared_data.h"

#include <fstream>
#include <iterator>
#include <string>

namespace {

LAMINA_HD constexpr int seven() { return 7; }

std::string version() {
  return std::to_string(LAMINA_VERSION_MAJOR) + "." + std::to_string(LAMINA_VERSION_MINOR) + "." +
         std::to_string(LAMINA_VERSION_PATCH);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(config)

BOOST_AUTO_TEST_CASE(the_version_is_the_one_of_the_build) {
  std::ifstream file(std::string(LAMINA_SOURCE_DIR) + "/CMakeLists.txt");
  const std::string build{std::istreambuf_iterator<char>(file), {}};
  const auto start = build.find("project(lamina");
  BOOST_TEST_REQUIRE(start != build.npos);
  const std::string project = build.substr(start, build.find(')', start) - start);
  BOOST_TEST(project.find("VERSION " + version()) != project.npos, project);
}

BOOST_AUTO_TEST_CASE(device_functions_are_plain_functions_on_the_host) {
  static_assert(seven() == 7);
  BOOST_TEST(seven() == 7);
}

BOOST_AUTO_TEST_CASE(an_assertion_is_evaluated_in_debug_builds_only) {
  int evaluated = 0;
  LAMINA_ASSERT(++evaluated > 0);
#if defined(NDEBUG)
  BOOST_TEST(evaluated == 0);
#else
  BOOST_TEST(evaluated == 1);
#endif
}

BOOST_AUTO_TEST_SUITE_END()
