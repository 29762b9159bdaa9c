// Nothing before the delay and nothing off a terminal; afterwards a line that is cleared.
#include "runtime/progress.h"

#include "message_of.h"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <thread>

namespace lamina {
namespace {

/// What is printed while `work` runs under a Progress.
template <class Work>
std::string printed(bool shown, std::chrono::milliseconds delay, Work&& work) {
  std::FILE* file = std::tmpfile();
  BOOST_TEST_REQUIRE(file != nullptr);
  {
    Progress progress("working", {.stream = file, .shown = shown, .delay = delay});
    work(progress);
  }
  std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  BOOST_TEST(std::fread(text.data(), 1, text.size(), file) == text.size());
  std::fclose(file);
  return text;
}

void wait(std::chrono::milliseconds time) { std::this_thread::sleep_for(time); }

BOOST_AUTO_TEST_SUITE(progress)

BOOST_AUTO_TEST_CASE(quick_work_prints_nothing) {
  BOOST_TEST(printed(true, std::chrono::hours(1), [](Progress&) {}).empty());
}

BOOST_AUTO_TEST_CASE(off_a_terminal_nothing_is_printed) {
  BOOST_TEST(printed(false, std::chrono::milliseconds(0), [](Progress&) {
               wait(std::chrono::milliseconds(20));
             }).empty());
}

BOOST_AUTO_TEST_CASE(slow_work_shows_how_far_it_is) {
  const std::string text = printed(true, std::chrono::milliseconds(1), [](Progress& progress) {
    progress.set(1, 4);
    wait(std::chrono::milliseconds(300));
  });
  BOOST_TEST(test::contains(text, "working: 25 %"));
  BOOST_TEST(text.ends_with("\r\x1b[K"));
}

BOOST_AUTO_TEST_CASE(or_how_long_it_takes) {
  const std::string text = printed(true, std::chrono::milliseconds(1),
                                   [](Progress&) { wait(std::chrono::milliseconds(300)); });
  BOOST_TEST(test::contains(text, "working: 0 s"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
