// Qwen2: what its family does differently from the defaults. Its logits are tested in
// tests/model/model.cpp.
#include "lamina/arch/qwen2.h"

#include "tests/model/metadata_of.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(qwen2)

BOOST_AUTO_TEST_CASE(halves_turn_and_biases_are_required) {
  BOOST_TEST((Qwen2::extents(test::small_metadata("qwen2")).rope.pairing == RopePairing::halves));
  for (const TensorName& entry : Qwen2::tensors) {
    const bool bias =
        entry.slot == Slot::q_bias || entry.slot == Slot::k_bias || entry.slot == Slot::v_bias;
    if (bias) BOOST_TEST((entry.presence == Presence::required), entry.name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
