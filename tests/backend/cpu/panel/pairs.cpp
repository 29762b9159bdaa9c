// Two panels at once give the bits of one at a time.
#include "lamina/backend/cpu/panel/pairs.h"

#include "lamina/backend/cpu/simd/portable.h"
#include "tests/backend/cpu/panel/panel_checks.h"

#include <algorithm>

using namespace lamina;
using namespace lamina::test;

namespace {

/// The portable set as if it had registers for two panels.
struct Paired : isa_portable::Simd {
  static constexpr int tile = 12;
  static constexpr bool takes_pairs = true;

  template <int Columns>
  static void dot_two(Int (&one)[Columns], Int (&other)[Columns], const Int& first,
                      const Int& second, const std::int8_t* y, int stride) {
    dot<8, 1>(one, &first, y, stride);
    dot<8, 1>(other, &second, y, stride);
  }
};

constexpr PanelKernels paired = panel_kernels<Paired>();
constexpr PanelKernels portable = panel_kernels<isa_portable::Simd>();

}  // namespace

// Rows that fill the registers.
static_assert(rows_of_pair<Paired, 1, 12>() == 6);
static_assert(rows_of_pair<Paired, 2, 12>() == 4);
static_assert(rows_of_pair<Paired, 1, 8>() == 4);
static_assert(rows_of_pair<Paired, 1, 2>() == 0);
static_assert(rows_of_pair<isa_portable::Simd, 1, 12>() == 0);

BOOST_AUTO_TEST_SUITE(panel_pairs)

// An odd number of panels, the last not full; longer than a run of steps; tiles of 12, 8 and 1.
BOOST_AUTO_TEST_CASE(two_panels_at_once_give_the_bits_of_one) {
  const auto agree = []<class Q>() {
    const RandomWeight w = random_weight(Q::id, 1280, 75, 31);
    for (const std::int64_t tokens : {13, 20, 24}) {
      const HostMatrix x = uneven_activations(tokens, 1280, 32);
      const HostMatrix a = multiply_in_panels(paired, w, x);
      const HostMatrix b = multiply_in_panels(portable, w, x);
      BOOST_TEST(std::equal(a.row(0), a.row(0) + tokens * 75, b.row(0)),
                 Q::name << ' ' << tokens << " tokens");
    }
  };
  FormatList<Q4_0, Q8_0, Q2_K, Q4_K, Q6_K>::for_each(agree);
}

BOOST_AUTO_TEST_SUITE_END()
