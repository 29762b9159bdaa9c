// Llama: what its family does differently from the defaults. Its logits are tested in
// tests/model/model.cpp.
#include "lamina/arch/llama.h"

#include "tests/model/metadata_of.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(llama)

BOOST_AUTO_TEST_CASE(rope_pairs_are_interleaved) {
  const Extents e = Llama::extents(test::small_metadata("llama"));
  BOOST_TEST((e.rope.pairing == RopePairing::interleaved));
  BOOST_TEST(e.embedding_scale == 1.0f);
}

BOOST_AUTO_TEST_SUITE_END()
