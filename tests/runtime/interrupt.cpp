// A signal is noted once; the second acts by default; afterwards everything is as before.
#include "runtime/interrupt.h"

#include <boost/test/unit_test.hpp>

#include <sys/wait.h>
#include <unistd.h>

namespace lamina {
namespace {

/// The signal that ended a child which does `work`; 0 where it ended by itself.
template <class Work>
int signal_that_ended(Work&& work) {
  const pid_t pid = fork();
  if (pid == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  BOOST_TEST_REQUIRE(waitpid(pid, &status, 0) == pid);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

BOOST_AUTO_TEST_SUITE(interrupt)

BOOST_AUTO_TEST_CASE(the_first_is_noted) {
  const Interrupt interrupt{SIGUSR1, SIGUSR2};
  BOOST_TEST(!interrupt.requested());
  raise(SIGUSR2);
  BOOST_TEST(interrupt.requested());
  BOOST_TEST(interrupt.signal() == SIGUSR2);
}

BOOST_AUTO_TEST_CASE(the_second_ends_the_process) {
  BOOST_TEST(signal_that_ended([] {
               const Interrupt interrupt{SIGUSR1};
               raise(SIGUSR1);
               raise(SIGUSR1);
             }) == SIGUSR1);
}

BOOST_AUTO_TEST_CASE(afterwards_the_default_is_back) {
  BOOST_TEST(signal_that_ended([] {
               { const Interrupt interrupt{SIGUSR1}; }
               raise(SIGUSR1);
             }) == SIGUSR1);
}

BOOST_AUTO_TEST_CASE(only_an_ignored_hang_up_stays_ignored) {
  BOOST_TEST(signal_that_ended([] {
               ::signal(SIGHUP, SIG_IGN);
               const Interrupt interrupt{SIGHUP};
               raise(SIGHUP);
               raise(SIGHUP);
               if (interrupt.requested()) abort();
             }) == 0);
  BOOST_TEST(signal_that_ended([] {
               ::signal(SIGINT, SIG_IGN);
               const Interrupt interrupt{SIGINT};
               raise(SIGINT);
               if (!interrupt.requested()) abort();
             }) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
