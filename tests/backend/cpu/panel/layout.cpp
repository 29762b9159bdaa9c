// Panels hold exactly the blocks of the file, and zeros where there are none.
// Covers lamina/backend/cpu/panel/make_panel.h.
#include "lamina/backend/cpu/panel/layout.h"

#include "lamina/backend/cpu/portable_kernels.h"
#include "tests/backend/operands.h"

#include <boost/test/unit_test.hpp>

#include <map>

using namespace lamina;
using namespace lamina::test;

namespace {

std::vector<std::byte> panels_of_weight(const RandomWeight& w) {
  const auto bytes =
      static_cast<std::size_t>(panel_layout(w.view.format).panel_bytes(w.view.cols()));
  std::vector<std::byte> panels(static_cast<std::size_t>(panels_of(w.view.rows())) * bytes,
                                std::byte{0xa5});
  for (std::int64_t p = 0; p < panels_of(w.view.rows()); ++p) {
    portable_kernels.panels.make_panel(panel_source(w.view, p),
                                       panels.data() + static_cast<std::size_t>(p) * bytes);
  }
  return panels;
}

std::map<std::byte, int> histogram(std::span<const std::byte> bytes) {
  std::map<std::byte, int> counts;
  for (const std::byte byte : bytes) ++counts[byte];
  return counts;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(panel_layout_suite)

BOOST_AUTO_TEST_CASE(every_byte_of_the_file_is_kept_and_the_rest_is_zero) {
  PanelFormats::for_each([]<class Q>() {
    for (const std::int64_t rows : {1, 16, 37}) {
      const RandomWeight w = random_weight(Q::id, 3 * Q::block_size, rows, 7);
      auto expected = histogram(w.bytes);
      const std::vector<std::byte> panels = panels_of_weight(w);
      expected[std::byte{0}] += static_cast<int>(panels.size() - w.bytes.size());
      BOOST_TEST((histogram(panels) == expected), Q::name << ", " << rows << " rows");
    }
  });
}

BOOST_AUTO_TEST_CASE(a_line_has_four_bytes_of_each_row) {
  const RandomWeight w = random_weight(FormatId::q4_k, 512, 16, 3);
  const std::vector<std::byte> panels = panels_of_weight(w);
  const PanelLayout layout = panel_layout(FormatId::q4_k);
  BOOST_TEST(layout.unit_bytes() == 16 * 144);
  for (int row = 0; row < 16; ++row) {
    for (int i = 0; i < 144; ++i) {  // of the second block
      const std::byte in_file = w.view.row(row)[static_cast<std::size_t>(144 + i)];
      const int at = layout.unit_bytes() + i / 4 * panel_line + row * 4 + i % 4;
      BOOST_TEST((panels[static_cast<std::size_t>(at)] == in_file));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_scale_of_its_own_two_bytes_comes_before_the_lines) {
  // Q8_0: two blocks a unit, d in front of 32 codes. Q6_K: one, d behind 208 bytes.
  BOOST_TEST(panel_layout(FormatId::q8_0).first_line() == 64);
  BOOST_TEST(panel_layout(FormatId::q8_0).unit_bytes() == 64 + 2 * 8 * 64);
  BOOST_TEST(panel_layout(FormatId::q6_k).unit_bytes() == 64 + 52 * 64);
  const RandomWeight w = random_weight(FormatId::q6_k, 256, 16, 4);
  const std::vector<std::byte> panels = panels_of_weight(w);
  for (std::size_t row = 0; row < 16; ++row) {
    BOOST_TEST((panels[2 * row] == w.view.row(static_cast<std::int64_t>(row))[208]));
    BOOST_TEST((panels[2 * row + 1] == w.view.row(static_cast<std::int64_t>(row))[209]));
  }
}

BOOST_AUTO_TEST_CASE(formats_with_panels_are_those_that_kernels_know) {
  for (const FormatInfo& info : known_formats) {
    BOOST_TEST(has_panels(info.id) == PanelFormats::contains(info.id), info.name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
