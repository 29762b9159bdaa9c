// Gemma 3: what its family does differently from the defaults. Its logits are tested in
// tests/model/model.cpp.
#include "lamina/arch/gemma3.h"

#include "tests/model/metadata_of.h"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace lamina;
using namespace lamina::test;

namespace {

Metadata gemma() { return with(small_metadata("gemma3"), "gemma3.attention.sliding_window", 32u); }

}  // namespace

BOOST_AUTO_TEST_SUITE(gemma3)

BOOST_AUTO_TEST_CASE(embedding_and_window) {
  const Extents e = Gemma3::extents(with(gemma(), "gemma3.block_count", 7u));
  BOOST_TEST(e.embedding_scale == std::sqrt(48.0f));
  BOOST_TEST(e.window == 32);
  BOOST_TEST((e.mixers[4] == Mixer::sliding));
  BOOST_TEST((e.mixers[5] == Mixer::full));
  BOOST_TEST((e.mixers[6] == Mixer::sliding));
}

BOOST_AUTO_TEST_CASE(sliding_layers_have_their_own_base_and_no_scaling) {
  Metadata m = with(gemma(), "gemma3.rope.freq_base", 1e6f);
  m.set("gemma3.rope.scaling.type", "linear");
  m.set("gemma3.rope.scaling.factor", 8.0f);
  const Extents e = Gemma3::extents(m);
  BOOST_TEST(e.rope_of(Mixer::full).base == 1e6f);
  BOOST_TEST(e.rope_of(Mixer::full).factor == 8.0f);
  BOOST_TEST(e.rope_of(Mixer::sliding).base == 1e4f);
  BOOST_TEST(e.rope_of(Mixer::sliding).factor == 1.0f);
  BOOST_CHECK_THROW(Gemma3::extents(with(m, "gemma3.rope.freq_base_swa", -5.0f)), Error);
  BOOST_TEST(Gemma3::extents(with(m, "gemma3.rope.freq_base_swa", 2e4f)).rope_sliding.base == 2e4f);
}

BOOST_AUTO_TEST_CASE(scores_scale_by_head_length_except_in_the_largest) {
  Metadata m = with(gemma(), "gemma3.attention.key_length", 16u);
  BOOST_TEST(Gemma3::extents(m).attention_scale == 0.25f);
  m.set("gemma3.block_count", 62u);
  BOOST_TEST(Gemma3::extents(m).attention_scale == 1.0f / std::sqrt(8.0f));
  m.set("gemma3.attention.scale", 0.5f);
  BOOST_TEST(Gemma3::extents(m).attention_scale == 0.5f);
}

BOOST_AUTO_TEST_SUITE_END()
