// RingKv: against a map of what must be there, under random appends, rollbacks and forks.
#include "lamina/kv/ring.h"

#include "kv/rows.h"
#include "message_of.h"

#include <boost/test/unit_test.hpp>

#include <map>
#include <random>
#include <string>
#include <vector>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(ring)

namespace {

constexpr int layers = 2;
constexpr KvRow row{2, 3, 2, FormatId::f32, FormatId::f16};

std::uint64_t layer_stamp(std::uint64_t stamp, int layer) {
  return 10 * stamp + std::uint64_t(layer);
}

/// A ring beside its specification: which positions are kept, and the stamp they were written with.
/// Position p replaces p - capacity; a rollback forgets what came after.
struct Checked {
  Position window, longest, capacity;
  RingKv store;
  Position length = 0;
  std::map<Position, std::uint64_t> kept = {};

  Checked(Position w, Position n)
      : window(w), longest(n), capacity(w + n - 1), store(row, layers, w, n) {}
  Checked(const Checked& other)
      : window(other.window),
        longest(other.longest),
        capacity(other.capacity),
        store(other.store.fork()),
        length(other.length),
        kept(other.kept) {}
  Checked& operator=(Checked&&) = default;

  Position oldest_needed(Position query) const { return std::max(0, query - window + 1); }

  void append(Position count, std::uint64_t stamp) {
    const Position first_query = length;
    store.append(count);
    for (; length < first_query + count; ++length) {
      kept.erase(kept.begin(), kept.upper_bound(length - capacity));
      kept[length] = stamp;
    }
    // Before anything is written: the first query of the batch still finds its window.
    check_range(oldest_needed(first_query), first_query);
    for (int l = 0; l < layers; ++l) {
      test::write_stamped(store.view(l), first_query, length, layer_stamp(stamp, l));
    }
  }

  bool may_roll_back(Position to) const {
    for (Position p = oldest_needed(to); p < to; ++p) {
      if (!kept.contains(p)) return false;
    }
    return true;
  }

  void rollback(Position to) {
    if (may_roll_back(to)) {
      store.rollback(to);
      length = to;
      kept.erase(kept.lower_bound(to), kept.end());
    } else {
      BOOST_CHECK_THROW(store.rollback(to), Error);
    }
  }

  void check_range(Position first, Position end) const {
    for (Position p = first; p < end; ++p) {
      BOOST_REQUIRE(kept.contains(p));
      for (int l = 0; l < layers; ++l) {
        const KvView kv = store.view(l);
        BOOST_REQUIRE(p >= kv.first);
        BOOST_REQUIRE(test::holds_stamped(kv, p, p + 1, layer_stamp(kept.at(p), l)));
      }
    }
  }

  void check() const {
    BOOST_REQUIRE(store.length() == length);
    const KvView kv = store.view(0);
    BOOST_REQUIRE(kv.end == length);
    BOOST_REQUIRE(kv.first == (kept.empty() ? length : kept.begin()->first));
    BOOST_REQUIRE(kv.first <= oldest_needed(length));
    check_range(kv.first, length);
  }
};

/// One random history: up to three forks alive, each checked after every step.
void random_history(std::mt19937& random, Position window, Position longest) {
  std::vector<Checked> alive{Checked(window, longest)};
  for (std::uint64_t step = 1; step <= 120; ++step) {
    Checked& one = alive[random() % alive.size()];
    const unsigned kind = random() % 8;
    if (kind < 4) {
      one.append(Position(random() % unsigned(longest + 1)), step);
    } else if (kind < 6) {
      one.rollback(std::max(0, one.length - Position(random() % unsigned(2 * one.capacity))));
    } else if (kind == 6 && random() % 4 == 0) {
      one.rollback(0);
    } else if (alive.size() < 3) {
      alive.push_back(Checked(one));
    } else {
      alive.erase(alive.begin() + random() % 3);
    }
    for (const Checked& each : alive) each.check();
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_histories) {
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    std::mt19937 random(seed);
    for (const Position window : {1, 2, 5, 8}) {
      for (const Position longest : {1, 3, 7}) {
        BOOST_TEST_CONTEXT("seed " << seed << ", window " << window << ", at most " << longest) {
          random_history(random, window, longest);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(capacity_is_what_the_window_of_every_query_needs) {
  Checked ring(4, 3);
  BOOST_TEST(ring.store.view(0).page_size == 6);
  for (std::uint64_t step = 1; step <= 10; ++step) ring.append(3, step);
  BOOST_TEST(ring.store.view(0).first == 24);
  BOOST_TEST(ring.store.view(0).end == 30);
  ring.check();
}

BOOST_AUTO_TEST_CASE(longer_appends_are_refused) {
  Checked ring(4, 3);
  ring.append(3, 1);
  const std::string message = test::message_of([&] { ring.store.append(4); });
  BOOST_TEST(test::contains(message, "at most 3"), message);
  BOOST_TEST(test::contains(message, "not 4"), message);
  BOOST_CHECK_THROW(ring.store.append(-1), Error);
  ring.store.append(0);
  ring.check();
}

BOOST_AUTO_TEST_CASE(a_rollback_that_lost_its_window_is_refused) {
  Checked ring(4, 3);  // keeps 6
  for (std::uint64_t step = 1; step <= 5; ++step) ring.append(2, step);
  // Of 10, positions 4 ... 9 are kept: a query at 7 needs 4, one at 6 needs 3.
  const std::string message = test::message_of([&] { ring.store.rollback(6); });
  for (const char* part : {"from 10", "to 6", "position 3", "is 4", "fork"}) {
    BOOST_TEST(test::contains(message, part), message);
  }
  ring.check();
  ring.rollback(7);
  BOOST_TEST(ring.length == 7);
  ring.check();
  const std::string beyond = test::message_of([&] { ring.store.rollback(8); });
  BOOST_TEST(test::contains(beyond, "to 8"), beyond);
  BOOST_TEST(test::contains(beyond, "holds 7"), beyond);
  BOOST_CHECK_THROW(ring.store.rollback(-1), Error);
}

BOOST_AUTO_TEST_CASE(nothing_is_needed_to_start_over) {
  Checked ring(4, 3);
  for (std::uint64_t step = 1; step <= 9; ++step) ring.append(3, step);
  ring.rollback(0);
  BOOST_TEST(ring.store.length() == 0);
  BOOST_TEST(ring.store.view(0).first == 0);
  ring.append(3, 20);
  ring.check();
}

BOOST_AUTO_TEST_CASE(rollback_then_append_is_as_if_never_appended) {
  for (const FormatId format : test::kv_formats) {
    const KvRow wide{2, 40, 24, format, format};
    RingKv store(wide, 1, 6, 4), straight(wide, 1, 6, 4);
    const auto extend = [](RingKv& kv, Position count, std::uint64_t stamp) {
      const Position first = kv.length();
      kv.append(count);
      test::write_stamped(kv.view(0), first, kv.length(), stamp);
    };
    for (RingKv* kv : {&store, &straight}) {
      for (std::uint64_t step = 1; step <= 3; ++step) extend(*kv, 4, step);
    }
    extend(store, 3, 9);
    store.rollback(12);
    extend(store, 2, 4);
    extend(straight, 2, 4);
    BOOST_TEST(store.length() == straight.length());
    const KvView a = store.view(0), b = straight.view(0);
    for (Position p = store.length() - 6; p < store.length(); ++p) {
      for (int head = 0; head < 2; ++head) {
        BOOST_TEST((test::read(a, head, p) == test::read(b, head, p)), format_name(format));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
