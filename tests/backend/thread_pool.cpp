// ThreadPool: each index once, exceptions, results that no number of threads changes, callers that
// take turns.
#include "lamina/backend/thread_pool.h"

#include "skip.h"
#include "tests/sanitized.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(thread_pool)

namespace {

constexpr int thread_counts[] = {1, 2, 3, 7};

/// How often each index of a loop was visited; index `count` and above would be out of bounds.
std::vector<int> visits(ThreadPool& pool, std::int64_t count) {
  std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
  pool.for_each(count, [&](std::int64_t i) { ++seen.at(static_cast<std::size_t>(i)); });
  return {seen.begin(), seen.end()};
}

bool each_once(const std::vector<int>& seen) {
  return std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; });
}

/// Whether asking for more threads than memory has stacks for throws, rather than ends the program.
/// For a process of its own.
bool too_many_threads_throw() {
  const rlimit most{256u << 20, 256u << 20};  // bytes of address space; a stack takes 8 MiB of it
  if (setrlimit(RLIMIT_AS, &most) != 0) return false;
  try {
    ThreadPool pool(10'000);
  } catch (const std::system_error&) {
    return true;
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(guided_shares_leave_every_thread_as_much) {
  BOOST_TEST(guided_share(100, 2) == 25);
  BOOST_TEST(guided_share(100, 7) == 7);
  BOOST_TEST(guided_share(3, 2) == 0);  // the caller has a least share
}

BOOST_AUTO_TEST_CASE(each_index_once) {
  for (const int threads : thread_counts) {
    ThreadPool pool(threads);
    BOOST_TEST(pool.threads() == threads);
    for (int round = 0; round < 20; ++round) {
      for (const std::int64_t count : {0, 1, 2, 1000}) {
        BOOST_TEST(each_once(visits(pool, count)), threads << " threads, " << count);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(fewer_than_one_thread_is_the_caller) {
  for (const int threads : {0, -3}) {
    ThreadPool pool(threads);
    BOOST_TEST(pool.threads() == 1);
    BOOST_TEST(each_once(visits(pool, 10)));
  }
}

BOOST_AUTO_TEST_CASE(one_thread_runs_in_order_on_the_caller) {
  ThreadPool pool(1);
  std::vector<std::int64_t> order;
  const std::thread::id caller = std::this_thread::get_id();
  pool.for_each(50, [&](std::int64_t i) {
    BOOST_REQUIRE(std::this_thread::get_id() == caller);
    order.push_back(i);
  });
  std::vector<std::int64_t> expected(50);
  std::iota(expected.begin(), expected.end(), 0);
  BOOST_TEST(order == expected, boost::test_tools::per_element());
}

// Two bodies that wait for each other end only if two threads run them at the same time.
BOOST_AUTO_TEST_CASE(threads_work_at_the_same_time) {
  ThreadPool pool(2);
  std::atomic<int> arrived{0};
  std::atomic<bool> met{true};
  pool.for_each(2, [&](std::int64_t) {
    ++arrived;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (arrived < 2) {
      if (std::chrono::steady_clock::now() > end) {
        met = false;
        return;
      }
      std::this_thread::yield();
    }
  });
  BOOST_TEST(met.load());
}

BOOST_AUTO_TEST_CASE(an_exception_reaches_the_caller_and_the_pool_lives_on) {
  for (const int threads : thread_counts) {
    ThreadPool pool(threads);
    for (const std::int64_t bad : {0, 57, 99}) {
      std::string message = "nothing";
      try {
        pool.for_each(100, [&](std::int64_t i) {
          if (i == bad) throw std::runtime_error("index " + std::to_string(i));
        });
      } catch (const std::runtime_error& error) {
        message = error.what();
      }
      BOOST_TEST(message == "index " + std::to_string(bad), threads << " threads");
      BOOST_TEST(each_once(visits(pool, 100)));  // and the failure is forgotten
    }
  }
}

BOOST_AUTO_TEST_CASE(every_body_may_fail) {
  for (const int threads : thread_counts) {
    ThreadPool pool(threads);
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> calls{0};
      const auto fail = [&](std::int64_t) {
        ++calls;
        throw std::runtime_error("all");
      };
      BOOST_CHECK_THROW(pool.for_each(1000, fail), std::runtime_error);
      BOOST_TEST(calls >= 1);
      BOOST_TEST(calls <= threads);  // a failed loop hands out no more indices
    }
    BOOST_TEST(each_once(visits(pool, 1000)));
  }
}

BOOST_AUTO_TEST_CASE(the_number_of_threads_changes_no_result) {
  const auto results = [](int threads) {
    ThreadPool pool(threads);
    std::vector<double> sums(200);
    pool.for_each(200, [&](std::int64_t i) {
      double sum = 0;
      for (int k = 1; k < 500; ++k) sum += std::sin(static_cast<double>(i * k)) / k;
      sums[static_cast<std::size_t>(i)] = sum;
    });
    return sums;
  };
  const std::vector<double> alone = results(1);
  for (const int threads : thread_counts) BOOST_TEST((results(threads) == alone));
}

BOOST_AUTO_TEST_CASE(callers_take_turns) {
  ThreadPool pool(3);
  std::atomic<int> wrong{0};
  const auto call_often = [&] {
    for (int round = 0; round < 200; ++round) {
      if (!each_once(visits(pool, 1 + round % 50))) ++wrong;
    }
  };
  std::thread other(call_often), third(call_often);
  call_often();
  other.join();
  third.join();
  BOOST_TEST(wrong == 0);
}

// Writes before a loop are seen by its bodies, and theirs by the caller, without more ado.
BOOST_AUTO_TEST_CASE(loops_follow_each_other) {
  ThreadPool pool(7);
  std::vector<long> values(64, 0);
  for (long round = 1; round <= 500; ++round) {
    pool.for_each(64, [&](std::int64_t i) { values[static_cast<std::size_t>(i)] += round; });
  }
  for (const long value : values) BOOST_TEST(value == 500 * 501 / 2);
}

BOOST_AUTO_TEST_CASE(workers_that_went_to_sleep_wake_up) {
  ThreadPool pool(3);
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // far longer than they spin
    BOOST_TEST(each_once(visits(pool, 10)));
  }
}

BOOST_AUTO_TEST_CASE(pools_come_and_go) {
  for (int round = 0; round < 100; ++round) {
    ThreadPool unused(3);
    const auto used = std::make_unique<ThreadPool>(1 + round % 4);
    BOOST_TEST(each_once(visits(*used, 5)));
  }
}

BOOST_AUTO_TEST_CASE(more_threads_than_the_system_gives) {
  if (test::sanitized) {
    return test::skip("a sanitizer's shadow memory does not fit into a limited address space");
  }
  const pid_t child = fork();
  if (child == 0) _exit(too_many_threads_throw() ? 0 : 1);
  int status = -1;
  BOOST_REQUIRE(waitpid(child, &status, 0) == child);
  BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_SUITE_END()
