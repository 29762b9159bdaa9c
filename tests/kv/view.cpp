// KvView: addresses of contiguous, ring and paged layouts, and rows written and read in every pair
// of formats.
#include "lamina/kv/view.h"

#include "kv/placed.h"
#include "kv/rows.h"
#include "message_of.h"

#include <boost/test/unit_test.hpp>

#include <vector>

using namespace lamina;
using test::Layout;
using test::Placed;

BOOST_AUTO_TEST_SUITE(view)

namespace {

const std::vector<Layout>& layouts() {
  static const std::vector<Layout> all{
      {"contiguous", 13, {0}, 1, 0, 13},
      {"ring", 5, {0}, 1, 7, 12},                  // slots 2 3 4 0 1
      {"paged", 3, {4, 0, 5, 2}, 7, 0, 11},        // page 3 of the table is used in part
      {"ring of pages", 3, {2, 0, 1}, 4, 10, 17},  // wraps after 9 positions
  };
  return all;
}

/// Calls `body(row)` for every pair of formats, with dimensions that are no multiples of a block.
template <class Body>
void for_every_row(const Body& body) {
  for (const FormatId key : test::kv_formats) {
    for (const FormatId value : test::kv_formats) {
      BOOST_TEST_CONTEXT(format_name(key) << " keys, " << format_name(value) << " values") {
        body(KvRow{3, 80, 24, key, value});
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(sizes_of_rows) {
  const KvRow row{3, 80, 24, FormatId::q8_0, FormatId::q4_0};
  BOOST_TEST(row.key_bytes() == 3u * 34u);
  BOOST_TEST(row.value_bytes() == 18u);
  BOOST_TEST(row.bytes() == 3u * (102u + 18u));
  const KvRow halves{1, 80, 24, FormatId::f16, FormatId::f32};
  BOOST_TEST(halves.bytes() == 160u + 96u);
  const KvRow unknown{1, 80, 24, FormatId{77}, FormatId::f32};
  BOOST_TEST(test::contains(test::message_of([&] { (void)unknown.bytes(); }), "number 77"));
}

BOOST_AUTO_TEST_CASE(every_row_has_bytes_of_its_own) {
  for (const Layout& layout : layouts()) {
    for_every_row([&](const KvRow& row) {
      Placed placed(layout, row);
      const KvView& kv = placed.view();
      std::vector<int> owners(placed.bytes().size(), 0);
      const auto claim = [&](const std::byte* at, std::size_t size) {
        const std::size_t start = placed.offset(at);
        BOOST_REQUIRE(start >= 64);
        BOOST_REQUIRE(start + size <= placed.bytes().size() - 64);
        for (std::size_t i = start; i < start + size; ++i) ++owners[i];
      };
      for (int head = 0; head < row.kv_heads; ++head) {
        for (Position p = kv.first; p < kv.end; ++p) {
          claim(kv.key(head, p), row.key_bytes());
          claim(kv.value(head, p), row.value_bytes());
        }
      }
      std::size_t used = 0;
      for (const int count : owners) {
        BOOST_REQUIRE(count <= 1);
        used += static_cast<std::size_t>(count);
      }
      BOOST_TEST(used == row.bytes() * static_cast<std::size_t>(kv.end - kv.first), layout.name);
    });
  }
}

// Pages hold keys as [kv_heads][page_size], then values likewise.
BOOST_AUTO_TEST_CASE(addresses_are_as_documented) {
  const KvRow row{2, 4, 3, FormatId::f32, FormatId::f16};  // 16 and 6 bytes
  Placed placed(layouts()[2], row);
  const KvView& kv = placed.view();
  const std::size_t page_bytes = 2 * 3 * (16 + 6);
  // Position 7 is slot 1 of the table's entry 2, which is page 5.
  BOOST_TEST(placed.offset(kv.key(0, 7)) == 64 + 5 * page_bytes + 1 * 16);
  BOOST_TEST(placed.offset(kv.key(1, 7)) == 64 + 5 * page_bytes + (3 + 1) * 16);
  BOOST_TEST(placed.offset(kv.value(0, 7)) == 64 + 5 * page_bytes + 6 * 16 + 1 * 6);
  BOOST_TEST(placed.offset(kv.value(1, 7)) == 64 + 5 * page_bytes + 6 * 16 + (3 + 1) * 6);
  BOOST_TEST(placed.offset(kv.key(0, 0)) == 64 + 4 * page_bytes);
}

BOOST_AUTO_TEST_CASE(a_ring_comes_round) {
  const KvRow row{2, 4, 3, FormatId::f32, FormatId::f16};
  for (const std::size_t which : {1u, 3u}) {
    Placed placed(layouts()[which], row);
    const KvView& kv = placed.view();
    const Position round = kv.page_size * kv.page_count;
    for (Position p = 0; p < round; ++p) {
      BOOST_TEST(kv.key(1, p + round) == kv.key(1, p));
      BOOST_TEST(kv.value(1, p + 2 * round) == kv.value(1, p));
      if (p > 0) BOOST_TEST(kv.key(1, p) != kv.key(1, p - 1));
    }
  }
}

BOOST_AUTO_TEST_CASE(rows_read_back_as_the_formats_round_them) {
  for (const Layout& layout : layouts()) {
    for_every_row([&](const KvRow& row) {
      Placed placed(layout, row);
      const KvView& kv = placed.view();
      test::write_stamped(kv, kv.first, kv.end, 1);
      BOOST_TEST(test::holds_stamped(kv, kv.first, kv.end, 1), layout.name);
    });
  }
}

BOOST_AUTO_TEST_CASE(writing_a_row_touches_no_other_byte) {
  for (const Layout& layout : layouts()) {
    for_every_row([&](const KvRow& row) {
      Placed placed(layout, row);
      const KvView& kv = placed.view();
      const Position p = kv.first + 3;
      test::write(kv, 1, p, test::stamped(row, 5));
      const std::size_t key = placed.offset(kv.key(1, p));
      const std::size_t value = placed.offset(kv.value(1, p));
      std::size_t foreign = 0;
      for (std::size_t i = 0; i < placed.bytes().size(); ++i) {
        const bool own = (i >= key && i < key + row.key_bytes()) ||
                         (i >= value && i < value + row.value_bytes());
        if (!own && placed.bytes()[i] != std::byte{0xee}) ++foreign;
      }
      BOOST_TEST(foreign == 0u, layout.name);
    });
  }
}

BOOST_AUTO_TEST_CASE(reading_writes_only_the_dimension) {
  const KvRow row{1, 80, 24, FormatId::q8_0, FormatId::q4_0};
  Placed placed(layouts()[0], row);
  test::write(placed.view(), 0, 2, test::stamped(row, 6));
  GuardedBuffer<float> key(80), value(24);
  read_key(placed.view(), 0, 2, key.span().data());
  read_value(placed.view(), 0, 2, value.span().data());
  BOOST_TEST(key.unwritten() + value.unwritten() == 0u);
  BOOST_TEST(key.damage().value_or("") == "");
  BOOST_TEST(value.damage().value_or("") == "");
}

BOOST_AUTO_TEST_CASE(a_format_without_encoder_is_refused) {
  const KvRow row{1, 256, 256, FormatId::q4_k, FormatId::f16};
  Placed placed(layouts()[0], row);
  const std::vector<float> zeros(256);
  const std::string message =
      test::message_of([&] { write_kv(placed.view(), 0, 0, zeros.data(), zeros.data()); });
  BOOST_TEST(test::contains(message, "Q4_K"));
}

BOOST_AUTO_TEST_SUITE_END()
