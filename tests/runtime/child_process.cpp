// Arguments arrive unchanged, output where it was sent, exit codes as they are.
#include "runtime/child_process.h"

#include "runtime/temporary_folder.h"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <iterator>

namespace lamina {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

BOOST_AUTO_TEST_SUITE(child_process)

BOOST_AUTO_TEST_CASE(arguments_are_not_read_by_a_shell) {
  const test::TemporaryFolder folder;
  const auto log = folder.path() / "log";
  const ChildResult result =
      run({.arguments = {"printf", "%s|", "a b", "$HOME", "'", "*", ""}, .log = log});
  BOOST_TEST(result.found);
  BOOST_TEST(result.exit_code == 0);
  BOOST_TEST(content(log) == "a b|$HOME|'|*||");
}

BOOST_AUTO_TEST_CASE(exit_code_and_both_outputs) {
  const test::TemporaryFolder folder;
  const auto log = folder.path() / "log";
  const ChildResult result =
      run({.arguments = {"sh", "-c", "echo out; echo err >&2; exit 7"}, .log = log});
  BOOST_TEST(result.exit_code == 7);
  BOOST_TEST(content(log) == "out\nerr\n");
  BOOST_TEST(run({.arguments = {"sh", "-c", "kill -9 $$"}, .log = log}).exit_code == 137);
}

BOOST_AUTO_TEST_CASE(environment_is_added_and_replaced) {
  const test::TemporaryFolder folder;
  const auto log = folder.path() / "log";
  run({.arguments = {"sh", "-c", "echo \"$HOME $NEW ${PATH:+path}\""},
       .environment = {{"HOME", "elsewhere"}, {"NEW", "value"}},
       .log = log});
  BOOST_TEST(content(log) == "elsewhere value path\n");
}

BOOST_AUTO_TEST_CASE(a_missing_program_is_no_error) {
  BOOST_TEST(!run({.arguments = {"lamina-no-such-program"}, .log = "/dev/null"}).found);
}

BOOST_AUTO_TEST_CASE(stopping_ends_it) {
  const auto start = std::chrono::steady_clock::now();
  const ChildResult result =
      run({.arguments = {"sleep", "60"}, .log = "/dev/null", .stop = [] { return true; }});
  BOOST_TEST(result.stopped);
  BOOST_TEST(result.exit_code == 130);  // by SIGINT
  BOOST_CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
}

BOOST_AUTO_TEST_CASE(a_child_hears_the_interrupt_that_its_parent_ignores) {
  const auto before = std::signal(SIGINT, SIG_IGN);
  const ChildResult result =
      run({.arguments = {"sleep", "60"}, .log = "/dev/null", .stop = [] { return true; }});
  std::signal(SIGINT, before);
  BOOST_TEST(result.exit_code == 130);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
