// The KvStore concept and what the single-page stores share: memory of layers, copies, refusals.
#include "lamina/kv/store.h"

#include "kv/rows.h"
#include "lamina/kv/contiguous.h"
#include "lamina/kv/ring.h"
#include "message_of.h"

#include <boost/test/unit_test.hpp>

#include <cstring>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(store)

namespace {

struct Minimal {
  Position length() const { return 0; }
  KvView view(int) const { return {}; }
  void append(Position) {}
  void rollback(Position) {}
  Minimal fork() const { return {}; }
};

struct ForksAnother : Minimal {};  // fork() gives a Minimal, not its own type

struct CannotRollBack {
  Position length() const { return 0; }
  KvView view(int) const { return {}; }
  void append(Position) {}
  CannotRollBack fork() const { return {}; }
};

struct AppendsOneByOne {
  Position length() const { return 0; }
  KvView view(int) const { return {}; }
  void append() {}
  void rollback(Position) {}
  AppendsOneByOne fork() const { return {}; }
};

struct ViewOnlyIfMutable {
  Position length() const { return 0; }
  KvView view(int) { return {}; }
  void append(Position) {}
  void rollback(Position) {}
  ViewOnlyIfMutable fork() const { return {}; }
};

static_assert(KvStore<Minimal>);
static_assert(KvStore<ContiguousKv>);
static_assert(KvStore<RingKv>);
static_assert(!KvStore<ForksAnother>);
static_assert(!KvStore<CannotRollBack>);
static_assert(!KvStore<AppendsOneByOne>);
static_assert(!KvStore<ViewOnlyIfMutable>);
static_assert(!KvStore<KvView>);

constexpr KvRow row{2, 40, 24, FormatId::q8_0, FormatId::f16};

}  // namespace

BOOST_AUTO_TEST_CASE(memory_of_a_page_is_its_positions_times_layers) {
  BOOST_TEST(SinglePage::bytes(row, 3, 7) == 3u * 7u * 2u * (2u * 34u + 48u));
  BOOST_TEST(SinglePage::bytes(row, 0, 7) == 0u);
  // Beyond 32 bits: 48 layers, 2^20 positions.
  BOOST_TEST(SinglePage::bytes(row, 48, 1 << 20) == 48ull * (1ull << 20) * row.bytes());
}

BOOST_AUTO_TEST_CASE(layers_do_not_overlap) {
  const SinglePage page(row, 3, 7);
  BOOST_TEST(page.layers() == 3);
  BOOST_TEST(page.capacity() == 7);
  for (int l = 0; l < 3; ++l) test::write_stamped(page.view(l, 0, 7), 0, 7, 10u + unsigned(l));
  for (int l = 0; l < 3; ++l) {
    BOOST_TEST(test::holds_stamped(page.view(l, 0, 7), 0, 7, 10u + unsigned(l)));
  }
  const std::byte* last = page.view(2, 0, 7).value(1, 6) + row.value_bytes();
  BOOST_TEST(static_cast<std::size_t>(last - page.view(0, 0, 7).memory) ==
             SinglePage::bytes(row, 3, 7));
}

BOOST_AUTO_TEST_CASE(a_view_carries_the_row_and_the_range) {
  const SinglePage page(row, 1, 7);
  const KvView kv = page.view(0, 2, 5);
  BOOST_TEST(kv.first == 2);
  BOOST_TEST(kv.end == 5);
  BOOST_TEST(kv.page_count == 1);
  BOOST_TEST(kv.page_size == 7);
  BOOST_TEST(kv.row.kv_heads == 2);
  BOOST_TEST(kv.key_stride == row.key_bytes());
  BOOST_TEST(kv.value_stride == row.value_bytes());
}

BOOST_AUTO_TEST_CASE(a_copy_is_exact_and_apart) {
  const SinglePage page(row, 2, 7);
  test::write_stamped(page.view(0, 0, 7), 0, 7, 1);
  test::write_stamped(page.view(1, 0, 7), 0, 7, 2);
  const SinglePage twin = page.copy(2, 6);
  BOOST_TEST(test::holds_stamped(twin.view(0, 2, 6), 2, 6, 1));
  BOOST_TEST(test::holds_stamped(twin.view(1, 2, 6), 2, 6, 2));
  test::write_stamped(page.view(1, 0, 7), 0, 7, 3);
  BOOST_TEST(test::holds_stamped(twin.view(1, 2, 6), 2, 6, 2));
}

BOOST_AUTO_TEST_CASE(copying_positions_leaves_the_others) {
  const SinglePage from(row, 1, 7), to(row, 1, 7);
  test::write_stamped(from.view(0, 0, 7), 0, 7, 1);
  test::write_stamped(to.view(0, 0, 7), 0, 7, 2);
  copy_positions(to.view(0, 0, 7), from.view(0, 0, 7), 3, 5);
  BOOST_TEST(test::holds_stamped(to.view(0, 0, 7), 0, 3, 2));
  BOOST_TEST(test::holds_stamped(to.view(0, 0, 7), 3, 5, 1));
  BOOST_TEST(test::holds_stamped(to.view(0, 0, 7), 5, 7, 2));
}

// From a store of one page size to one of another: what a fork into pages will need.
BOOST_AUTO_TEST_CASE(copying_positions_between_layouts) {
  const SinglePage from(row, 1, 5), to(row, 1, 16);
  test::write_stamped(from.view(0, 7, 12), 7, 12, 1);  // wraps
  copy_positions(to.view(0, 7, 12), from.view(0, 7, 12), 7, 12);
  BOOST_TEST(test::holds_stamped(to.view(0, 7, 12), 7, 12, 1));
}

BOOST_AUTO_TEST_CASE(refusals_name_the_numbers) {
  const std::string append = test::message_of([] { refuse_append(90, 11, 100); });
  for (const char* part : {"90", "11", "100", "larger context"}) {
    BOOST_TEST(test::contains(append, part), append);
  }
  const std::string rollback = test::message_of([] { refuse_rollback(12, 13); });
  for (const char* part : {"12", "13"}) BOOST_TEST(test::contains(rollback, part), rollback);
}

BOOST_AUTO_TEST_SUITE_END()
