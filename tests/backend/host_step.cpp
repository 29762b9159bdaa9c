// HostStep: the rows of a batch, and under each rope table the angles of their positions.
#include "lamina/backend/host_step.h"

#include "lamina/verify/compare.h"

#include <boost/test/unit_test.hpp>

#include <vector>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(host_step)

namespace {

BatchRows batch() {
  BatchRows rows;
  rows.tokens = {11, 12, 13, 14};
  rows.positions = {5, 0, 6, 100'000};  // rows of several sequences
  rows.sequence = {0, 1, 0, 2};
  rows.outputs = {3, 1};
  return rows;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_step_keeps_the_rows) {
  const HostStep step = make_host_step(batch(), {});
  BOOST_TEST(step.rows.tokens == batch().tokens, boost::test_tools::per_element());
  BOOST_TEST(step.rows.positions == batch().positions, boost::test_tools::per_element());
  BOOST_TEST(step.rows.sequence == batch().sequence, boost::test_tools::per_element());
  BOOST_TEST(step.rows.outputs == batch().outputs, boost::test_tools::per_element());
  BOOST_TEST(step.ropes.empty());
}

BOOST_AUTO_TEST_CASE(each_table_has_the_angles_of_each_row) {
  const std::vector<RopeSettings> ropes{
      {.rotated = 8},
      {.rotated = 4, .base = 1e6f, .factor = 8, .pairing = RopePairing::interleaved},
      {.rotated = 0}};
  const BatchRows rows = batch();
  const HostStep step = make_host_step(rows, ropes);
  BOOST_REQUIRE(step.ropes.size() == 3u);
  for (std::size_t table = 0; table < 3; ++table) {
    const RopeAngles& angles = step.ropes[table];
    const std::size_t half = static_cast<std::size_t>(ropes[table].rotated) / 2;
    BOOST_TEST(angles.half == half);
    BOOST_TEST((angles.pairing == ropes[table].pairing));
    for (std::size_t t = 0; t < rows.tokens.size(); ++t) {
      std::vector<float> cosines(half), sines(half);
      rope_angles(rope_frequencies(ropes[table]), rows.positions[t], cosines, sines);
      const auto row = static_cast<std::int64_t>(t);
      BOOST_TEST(same_bits(angles.cos_of(row), cosines));
      BOOST_TEST(same_bits(angles.sin_of(row), sines));
    }
  }
}

BOOST_AUTO_TEST_CASE(an_empty_batch) {
  const std::vector<RopeSettings> ropes{{.rotated = 8}};
  const HostStep step = make_host_step({}, ropes);
  BOOST_TEST(step.ropes.at(0).cosines.empty());
}

BOOST_AUTO_TEST_SUITE_END()
