// Qwen3: what its family does differently from the defaults. Its logits are tested in
// tests/model/model.cpp.
#include "lamina/arch/qwen3.h"

#include "lamina/model/find_tensors.h"

#include "tests/model/metadata_of.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(qwen3)

BOOST_AUTO_TEST_CASE(heads_are_normed_and_may_be_wider_than_their_share) {
  BOOST_TEST((Qwen3::spec.qk_norm == QkNorm::per_head));
  const Metadata m = test::with(test::small_metadata("qwen3"), "qwen3.attention.key_length", 24u);
  const Extents e = Qwen3::extents(m);
  BOOST_TEST(e.key_dim == 24);
  BOOST_TEST(expected_shape(Slot::q, e)[1] == 6 * 24);
  BOOST_TEST(expected_shape(Slot::q_norm, e)[0] == 24);
}

BOOST_AUTO_TEST_SUITE_END()
