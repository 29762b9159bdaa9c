// ContiguousKv: exact append, rollback and fork in every format, and refusals that name numbers.
#include "lamina/kv/contiguous.h"

#include "kv/rows.h"
#include "message_of.h"

#include <boost/test/unit_test.hpp>

#include <utility>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(contiguous)

namespace {

constexpr int layers = 2;

KvRow row_of(FormatId format) { return {2, 40, 24, format, format}; }

/// Appends `count` positions and writes every layer.
void extend(ContiguousKv& store, Position count, std::uint64_t stamp) {
  const Position first = store.length();
  store.append(count);
  for (int l = 0; l < layers; ++l) {
    test::write_stamped(store.view(l), first, store.length(), 10 * stamp + std::uint64_t(l));
  }
}

bool holds(const ContiguousKv& store, Position first, Position end, std::uint64_t stamp) {
  for (int l = 0; l < layers; ++l) {
    if (!test::holds_stamped(store.view(l), first, end, 10 * stamp + std::uint64_t(l))) {
      return false;
    }
  }
  return true;
}

/// Whether both hold the same bytes at every position.
bool same(const ContiguousKv& a, const ContiguousKv& b) {
  if (a.length() != b.length()) return false;
  for (int l = 0; l < layers; ++l) {
    const KvView x = a.view(l), y = b.view(l);
    for (int head = 0; head < x.row.kv_heads; ++head) {
      for (Position p = 0; p < a.length(); ++p) {
        if (std::memcmp(x.key(head, p), y.key(head, p), x.key_stride) != 0) return false;
        if (std::memcmp(x.value(head, p), y.value(head, p), x.value_stride) != 0) return false;
      }
    }
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(fills_to_the_last_position_and_no_further) {
  ContiguousKv store(row_of(FormatId::f16), layers, 10);
  BOOST_TEST(store.length() == 0);
  extend(store, 4, 1);
  extend(store, 0, 9);
  extend(store, 6, 2);
  BOOST_TEST(store.length() == 10);
  BOOST_TEST(store.view(0).first == 0);
  BOOST_TEST(store.view(0).end == 10);
  BOOST_TEST(holds(store, 0, 4, 1));
  BOOST_TEST(holds(store, 4, 10, 2));
  const std::string message = test::message_of([&] { store.append(1); });
  for (const char* part : {"holds 10", "at most 10", "1 more"}) {
    BOOST_TEST(test::contains(message, part), message);
  }
  BOOST_TEST(store.length() == 10);
  BOOST_TEST(holds(store, 4, 10, 2));
}

BOOST_AUTO_TEST_CASE(counts_that_make_no_sense_are_refused) {
  ContiguousKv store(row_of(FormatId::f16), layers, 10);
  extend(store, 7, 1);
  BOOST_CHECK_THROW(store.append(4), Error);
  BOOST_CHECK_THROW(store.append(-1), Error);
  BOOST_CHECK_THROW(store.append(std::numeric_limits<Position>::max()), Error);
  BOOST_CHECK_THROW(store.append(std::numeric_limits<Position>::min()), Error);
  BOOST_CHECK_THROW(store.rollback(-1), Error);
  const std::string message = test::message_of([&] { store.rollback(8); });
  BOOST_TEST(test::contains(message, "to 8"), message);
  BOOST_TEST(test::contains(message, "holds 7"), message);
  BOOST_TEST(store.length() == 7);
  ContiguousKv nothing;
  BOOST_CHECK_THROW(nothing.append(1), Error);
}

// The same bytes as if what was rolled back had never been appended.
BOOST_AUTO_TEST_CASE(rollback_is_exact_in_every_format) {
  for (const FormatId format : test::kv_formats) {
    ContiguousKv store(row_of(format), layers, 12), straight(row_of(format), layers, 12);
    extend(store, 5, 1);
    extend(store, 7, 2);
    store.rollback(5);
    BOOST_TEST(store.length() == 5);
    BOOST_TEST(store.view(1).end == 5);
    extend(store, 3, 3);
    extend(straight, 5, 1);
    extend(straight, 3, 3);
    BOOST_TEST(same(store, straight), format_name(format));
    store.rollback(8);  // to where it is
    BOOST_TEST(same(store, straight));
    store.rollback(0);
    BOOST_TEST(store.length() == 0);
    extend(store, 12, 4);
    BOOST_TEST(holds(store, 0, 12, 4));
  }
}

BOOST_AUTO_TEST_CASE(forks_do_not_see_each_other) {
  for (const FormatId format : test::kv_formats) {
    ContiguousKv store(row_of(format), layers, 12);
    extend(store, 6, 1);
    ContiguousKv twin = store.fork();
    BOOST_TEST(same(store, twin));
    extend(twin, 3, 2);
    extend(store, 4, 3);
    BOOST_TEST(holds(twin, 0, 6, 1));
    BOOST_TEST(holds(twin, 6, 9, 2));
    BOOST_TEST(holds(store, 6, 10, 3));
    store.rollback(2);
    extend(store, 8, 4);
    BOOST_TEST(holds(twin, 0, 6, 1));
    BOOST_TEST(holds(twin, 6, 9, 2));
    twin.rollback(1);
    extend(twin, 11, 5);  // the whole capacity is there
    BOOST_TEST(holds(store, 0, 2, 1));
    BOOST_TEST(holds(store, 2, 10, 4));
    BOOST_CHECK_THROW(twin.append(1), Error);
  }
}

BOOST_AUTO_TEST_CASE(moving_keeps_the_content) {
  ContiguousKv store(row_of(FormatId::q8_0), layers, 8);
  extend(store, 8, 1);
  const KvView before = store.view(1);
  const ContiguousKv moved = std::move(store);
  BOOST_TEST(moved.view(1).memory == before.memory);  // views stay good
  BOOST_TEST(holds(moved, 0, 8, 1));
}

BOOST_AUTO_TEST_SUITE_END()
