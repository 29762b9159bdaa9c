// Tiles give the bits of vectors: by a set whose tiles are loops, on every machine.
#include "lamina/backend/cpu/panel/tiles.h"

#include "lamina/backend/cpu/simd/portable.h"
#include "tests/backend/cpu/panel/panel_checks.h"

#include <algorithm>
#include <cmath>

using namespace lamina;
using namespace lamina::test;

namespace {

/// The portable set with fused arithmetic, which biased sums need (panel/kernels.h).
struct Fused : isa_portable::Simd {
  static Float multiply_add(Float a, Float b, Float c) {
    float x[3][16];
    a.store(x[0]);
    b.store(x[1]);
    c.store(x[2]);
    for (int i = 0; i < 16; ++i) x[2][i] = std::fma(x[0][i], x[1][i], x[2][i]);
    return Float::load(x[2]);
  }
  static Float multiply_subtract(Float a, Float b, Float c) { return multiply_add(-a, b, c); }
};

/// The same with what a set of tiles has (simd/amx.h).
struct Tiled : Fused {
  static constexpr int tile = 16;
  static constexpr int direct_rows = 4;
  static constexpr bool has_tiles = true;
  static constexpr int unpacked_lines = 16;
  template <int Bits>
  static constexpr int dot_bits = Bits <= 6 ? 6 : 8;
  template <int Bits>
  static constexpr bool parts_apart = Bits > 6;
  using Products = std::int32_t[2][16][16];

  static inline thread_local int rows = 0, lines = 0;  // of a tile
  static void begin_tiles(int some, int subs) { rows = some, lines = 8 / subs; }
  static void end_tiles() { rows = lines = 0; }

  template <int Bits, int OffsetBits>
  static void place_codes(const Int (&codes)[8], Int (&to)[unpacked_lines]) {
    for (int j = 0; j < 8; ++j) {
      std::int8_t bytes[64], four_times[64];
      codes[j].store(bytes);
      for (int i = 0; i < 64; ++i) {
        const int offset = OffsetBits < 0 ? 0 : 1 << (OffsetBits & 7);
        bytes[i] = static_cast<std::int8_t>(bytes[i] - offset);
        four_times[i] = static_cast<std::int8_t>(4 * bytes[i]);
      }
      to[j] = Int::load(bytes);
      to[8 + j] = Int::load(four_times);
    }
  }
  template <int Subs, bool Biased>
  static void multiply_tiles(const Int& start, const Int (&codes)[unpacked_lines],
                             const StepRecord* x, Products& products) {
    fill(products[0], Biased ? &start : nullptr);
    fill(products[1], nullptr);
    for (int s = 0; s < Subs; ++s) add(products[s], codes + s * lines, x->codes + s * 16);
  }
  template <int Bits, int Subs, bool Biased>
  static void multiply_fine_tiles(const Int& start, const Int (&codes)[unpacked_lines],
                                  const TileSteps& x, Products& products) {
    fill(products[0], Biased ? &start : nullptr);
    fill(products[1], nullptr);
    for (int s = 0; s < Subs; ++s) {
      const Int* of_high = codes + (parts_apart<Bits> ? 0 : 8) + s * lines;
      add(products[s], of_high, x.records->codes + s * 16);
      add(products[parts_apart<Bits> ? 1 : s], codes + s * lines, x.low->codes + s * 16);
    }
  }

 private:
  static void fill(std::int32_t (&sums)[16][16], const Int* start) {
    for (int r = 0; r < rows; ++r) (start == nullptr ? set(0) : *start).store(sums[r]);
  }
  static void add(std::int32_t (&sums)[16][16], const Int* codes, const std::int8_t* x) {
    const auto* bytes = reinterpret_cast<const std::int8_t*>(codes);
    for (int r = 0; r < rows; ++r) {
      for (int i = 0; i < 64 * lines; ++i) {
        const int k = i / 64 * 4 + i % 4;
        sums[r][i % 64 / 4] += bytes[i] * x[r * static_cast<int>(sizeof(StepRecord)) + k];
      }
    }
  }
};

constexpr PanelKernels vectors = panel_kernels<Fused>();

/// With tiles; their limit of arithmetic is none of ours.
constexpr PanelKernels tiled = [] {
  PanelKernels kernels = vectors;
  kernels.tile = Tiled::tile;
  kernels.direct_rows = Tiled::direct_rows;
  kernels.panels_together = Tiled::panels_together;
  kernels.multiply = multiply_any<Tiled>;
  kernels.scratch_bytes = scratch_bytes<Tiled>();
  return kernels;
}();

}  // namespace

BOOST_AUTO_TEST_SUITE(panel_tiles)

// Longer than the steps that are unpacked together, with tiles of every width and rows that fill no
// panel.
BOOST_AUTO_TEST_CASE(tiles_give_the_bits_of_vectors_on_every_machine) {
  const auto agree = []<class Q>() {
    const RandomWeight w = random_weight(Q::id, 1280, 40, 41);
    for (const std::int64_t tokens : {7, 17, 18, 20, 24, 32}) {
      const HostMatrix x = uneven_activations(tokens, 1280, 42);
      const HostMatrix a = multiply_in_panels(tiled, w, x);
      const HostMatrix b = multiply_in_panels(vectors, w, x);
      BOOST_TEST(std::equal(a.row(0), a.row(0) + tokens * 40, b.row(0)),
                 Q::name << ' ' << tokens << " tokens");
    }
  };
  FormatList<Q4_0, Q8_0, Q2_K, Q4_K, Q6_K>::for_each(agree);
}

BOOST_AUTO_TEST_SUITE_END()
