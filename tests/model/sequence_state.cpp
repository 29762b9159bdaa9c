// SequenceState: one store for each kind of layer, operated together; refusals leave it as it was.
#include "lamina/model/sequence_state.h"

#include "lamina/model/read_extents.h"

#include "tests/model/metadata_of.h"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace lamina;
using namespace lamina::test;

namespace {

Extents hybrid() {
  const Metadata m = with(small_metadata("x"), "x.attention.sliding_window", 8u);
  return read_extents(with(m, "x.attention.sliding_window_pattern", 2u), "x",
                      every(2, Mixer::full, Mixer::sliding));
}

constexpr KvFormats f16{FormatId::f16, FormatId::f16};

}  // namespace

BOOST_AUTO_TEST_SUITE(sequence_state)

BOOST_AUTO_TEST_CASE(memory_is_what_the_layers_need) {
  const Extents plain = read_extents(small_metadata("x"), "x", LayerPattern{});
  // 4 layers * 2 heads * (8 + 8) elements * 2 bytes
  BOOST_TEST(SequenceState::bytes(plain, f16, 100, 10) == 4u * 2 * 16 * 2 * 100);
  // 2 full layers of 100 positions, 2 rings of 8 + 10 - 1
  BOOST_TEST(SequenceState::bytes(hybrid(), f16, 100, 10) == 2u * 2 * 16 * 2 * (100 + 17));
}

BOOST_AUTO_TEST_CASE(memory_beyond_all_numbers_is_the_largest_number) {
  Extents e = hybrid();
  e.heads = e.kv_heads = 1 << 14;
  e.key_dim = e.value_dim = 1024;
  e.mixers.assign(4096, Mixer::full);
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  BOOST_TEST(SequenceState::bytes(e, {FormatId::f32, FormatId::f32}, 1 << 30, 512) == most);
  e.mixers.assign(4096, Mixer::sliding);
  e.window = last_position;
  BOOST_TEST(SequenceState::bytes(e, {FormatId::f32, FormatId::f32}, last_position, 512) == most);
}

BOOST_AUTO_TEST_CASE(views_belong_to_the_layers_kind) {
  SequenceState state(hybrid(), f16, 100, 10);
  state.append(10);
  state.append(10);
  BOOST_TEST(state.view(Mixer::full, 1).page_size == 100);
  BOOST_TEST(state.view(Mixer::full, 0).first == 0);
  BOOST_TEST(state.view(Mixer::sliding, 1).page_size == 17);
  BOOST_TEST(state.view(Mixer::sliding, 0).first == 3);
  BOOST_TEST(state.view(Mixer::sliding, 0).end == 20);
  BOOST_TEST(state.length() == 20);
}

BOOST_AUTO_TEST_CASE(a_refused_rollback_changes_nothing) {
  SequenceState state(hybrid(), f16, 100, 10);
  for (int i = 0; i < 5; ++i) state.append(10);
  BOOST_CHECK_THROW(state.rollback(20), Error);  // the ring has lost position 13
  BOOST_TEST(state.length() == 50);
  BOOST_TEST(state.view(Mixer::full, 0).end == 50);
  state.rollback(45);
  BOOST_TEST(state.length() == 45);
  BOOST_TEST(state.view(Mixer::full, 0).end == 45);
  BOOST_TEST(state.view(Mixer::sliding, 0).end == 45);
}

BOOST_AUTO_TEST_CASE(without_sliding_layers_any_rollback_is_exact) {
  SequenceState state(read_extents(small_metadata("x"), "x", LayerPattern{}), f16, 100, 10);
  for (int i = 0; i < 5; ++i) state.append(10);
  state.rollback(1);
  BOOST_TEST(state.length() == 1);
  BOOST_CHECK_THROW(state.rollback(2), Error);
  BOOST_CHECK_THROW(state.rollback(-1), Error);
}

BOOST_AUTO_TEST_CASE(a_refused_append_changes_nothing) {
  SequenceState state(hybrid(), f16, 100, 10);
  state.append(5);
  BOOST_CHECK_THROW(state.append(11), Error);  // longer than the ring takes at once
  BOOST_TEST(state.length() == 5);
  BOOST_TEST(state.view(Mixer::full, 0).end == 5);
  BOOST_TEST(state.view(Mixer::sliding, 0).end == 5);
}

BOOST_AUTO_TEST_CASE(the_context_is_the_limit) {
  SequenceState state(hybrid(), f16, 12, 10);
  state.append(10);
  BOOST_CHECK_THROW(state.append(3), Error);
  state.append(2);
  BOOST_TEST(state.length() == 12);
  BOOST_CHECK_THROW(state.append(-1), Error);
}

BOOST_AUTO_TEST_SUITE_END()
