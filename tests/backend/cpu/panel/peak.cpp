// The operations that a peak kernel says it does are those it does.
#include "lamina/backend/cpu/panel/peak.h"

#include "lamina/backend/cpu/simd/portable.h"

#include <boost/test/unit_test.hpp>

#include <random>
#include <vector>

namespace lamina {
namespace {

constexpr PeakKernels kernels = peak_kernels<isa_portable::Simd>();

BOOST_AUTO_TEST_SUITE(panel_peak)

BOOST_AUTO_TEST_CASE(products_of_bytes) {
  PeakOperands operands;
  for (std::int32_t& x : operands.codes) x = 0x01010101;
  for (std::int32_t& x : operands.other) x = 0x01010101;
  kernels.dot(operands, 7);
  std::int64_t products = 0;
  for (const std::int32_t sum : operands.sums) products += sum;
  BOOST_TEST(products * 2 == 7 * kernels.dot_operations);
}

BOOST_AUTO_TEST_CASE(products_of_floats) {
  PeakOperands operands;
  for (float& x : operands.factors) x = 1;
  kernels.fma(operands, 9);
  double products = 0;
  for (const float sum : operands.float_sums) products += static_cast<double>(sum);
  BOOST_TEST(products * 2 == 9 * kernels.fma_operations);
}

BOOST_AUTO_TEST_CASE(every_word_is_read) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> words(5 * 128);
  std::uint32_t expected = 0;
  for (std::uint32_t& word : words) expected += word = static_cast<std::uint32_t>(random());
  const auto* bytes = reinterpret_cast<const std::byte*>(words.data());
  BOOST_TEST(kernels.sum(bytes, 5 * 512) == expected);
  BOOST_TEST(kernels.sum(bytes, 0) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
