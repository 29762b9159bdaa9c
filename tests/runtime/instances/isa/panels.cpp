// The panel kernels of every instruction set that this machine has.
// Covers lamina/backend/cpu/simd/avx2.h, lamina/backend/cpu/simd/avxvnni.h.
// Covers lamina/backend/cpu/simd/avx512.h, lamina/backend/cpu/simd/amx.h.
// Covers lamina/backend/cpu/simd/neon.h.
// Covers lamina/backend/cpu/vector_kernels.h.
// Covers runtime/instances/shared/kernels.h.
#include "runtime/instances/isa/vector_kernels.h"

#include "runtime/instances/shared/kernels.h"
#include "tests/backend/cpu/panel/panel_checks.h"
#include "tests/skip.h"

#include <algorithm>
#include <string>

using namespace lamina;
using namespace lamina::test;

BOOST_AUTO_TEST_SUITE(isa_panels)

BOOST_AUTO_TEST_CASE(every_format_within_the_bound) {
  for (const CpuKernels& kernels : usable_kernels()) {
    PanelFormats::for_each([&]<class Q>() { check_products<Q>(kernels.panels, kernels.isa); });
  }
}

/// The file's bytes end with the last block: what is read beyond would be seen by a sanitizer.
BOOST_AUTO_TEST_CASE(panels_are_the_same_bytes_everywhere) {
  PanelFormats::for_each([]<class Q>() {
    for (const std::int64_t cols : {Q::block_size, 3 * Q::block_size, 8 * Q::block_size}) {
      for (const std::int64_t rows : {1, 16, 37}) {
        const RandomWeight w = random_weight(Q::id, cols, rows, 7);
        const auto bytes =
            static_cast<std::size_t>(panel_layout(Q::id).panel_bytes(cols) * panels_of(rows));
        ThreadPool pool(1);
        const CpuKernels& portable = usable_kernels().front();
        const CpuWeight expected = make_panels(pool, portable.panels, w.view);
        for (const CpuKernels& kernels : usable_kernels()) {
          const CpuWeight made = make_panels(pool, kernels.panels, w.view);
          BOOST_TEST(std::equal(expected.memory->data(), expected.memory->data() + bytes,
                                made.memory->data()),
                     kernels.isa << ' ' << Q::name << ' ' << cols << " x " << rows);
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(a_rows_bits_do_not_depend_on_its_company) {
  for (const CpuKernels& kernels : usable_kernels()) {
    PanelFormats::for_each(
        [&]<class Q>() { check_bits_without_company<Q>(kernels.panels, kernels.isa); });
  }
}

BOOST_AUTO_TEST_CASE(instruction_sets_with_fused_arithmetic_agree_to_the_bit) {
  const CpuKernels* first = nullptr;
  for (const CpuKernels& kernels : usable_kernels()) {
    if (kernels.isa == "portable") continue;
    if (first == nullptr) first = &kernels;
    PanelFormats::for_each([&]<class Q>() {
      const RandomWeight w = random_weight(Q::id, 512, 40, 11);
      const HostMatrix x = uneven_activations(20, 512, 12);
      const HostMatrix a = multiply_in_panels(first->panels, w, x);
      const HostMatrix b = multiply_in_panels(kernels.panels, w, x);
      BOOST_TEST(std::equal(a.row(0), a.row(0) + 20 * 40, b.row(0)), kernels.isa << ' ' << Q::name);
    });
  }
  if (first == nullptr) skip("this machine has no instruction set of its own kernels");
}

BOOST_AUTO_TEST_CASE(tiles_give_the_bits_of_vectors) {
  const auto kernels_of = [](std::string_view isa) {
    const auto all = usable_kernels();
    return std::find_if(all.begin(), all.end(), [&](const CpuKernels& k) { return k.isa == isa; });
  };
  const auto tiles = kernels_of("amx"), vectors = kernels_of("avx512");
  if (tiles == usable_kernels().end()) return skip("this machine has no AMX");
  // Longer than the steps that are unpacked together, with a tile that is not full and rows that
  // fill no panel.
  for (const std::int64_t cols : {1024, 2304}) {
    PanelFormats::for_each([&]<class Q>() {
      const RandomWeight w = random_weight(Q::id, cols, 90, 21);
      const HostMatrix x = uneven_activations(37, cols, 22);
      const HostMatrix a = multiply_in_panels(tiles->panels, w, x);
      const HostMatrix b = multiply_in_panels(vectors->panels, w, x);
      BOOST_TEST(std::equal(a.row(0), a.row(0) + 37 * 90, b.row(0)), Q::name << ' ' << cols);
    });
  }
}

BOOST_AUTO_TEST_CASE(the_largest_codes_do_not_overflow) {
  constexpr std::int64_t cols = 1280;  // so many that a step of equal values can be fine
  for (const CpuKernels& kernels : usable_kernels()) {
    PanelFormats::for_each([&]<class Q>() {
      RandomWeight w = random_weight(Q::id, cols, 16, 13);
      // All bits of codes set, scales kept: every second word is left as it was.
      for (std::size_t i = 0; i < w.bytes.size(); ++i) {
        if (i / 2 % 2 == 1)
          w.bytes[i] = std::byte{0xff} & (i % 2 == 1 ? std::byte{0xb7} : std::byte{0xff});
      }
      for (std::int64_t r = 0; r < 16; ++r) {
        decode_row(Q::id, w.view.row(r).data(), cols, w.decoded.data() + r * cols);
      }
      HostMatrix x(2, cols);
      for (std::int64_t c = 0; c < cols; ++c) {
        x.row(0)[c] = 127.0f;
        x.row(1)[c] = c < step_size ? -508.0f : 0.0f;
      }
      BOOST_TEST(fine_part(kernels.panels, x) == 1.0 / 80);
      const Comparison result = compare_with_double(multiply_in_panels(kernels.panels, w, x), w, x);
      BOOST_TEST(result.passed(), kernels.isa << ' ' << Q::name << ": " << result.report());
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
