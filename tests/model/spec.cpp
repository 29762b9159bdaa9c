// Layer patterns and specs: order, membership, and equality, on which sharing of instances rests.
#include "lamina/model/spec.h"

#include "tests/model/architectures.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;

namespace {

constexpr LayerPattern five_to_one = every(6, Mixer::full, Mixer::sliding);
static_assert(five_to_one.contains(Mixer::full) && five_to_one.contains(Mixer::sliding));
static_assert(!LayerPattern{}.contains(Mixer::sliding));
static_assert(ModelSpec{}.valid());
static_assert(Llama::spec == Qwen2::spec, "families of one structure share one instance");
static_assert(!(Llama::spec == Qwen3::spec) && !(Qwen3::spec == Gemma3::spec));

}  // namespace

BOOST_AUTO_TEST_SUITE(spec)

BOOST_AUTO_TEST_CASE(the_last_of_each_period_is_full) {
  for (int l = 0; l < 26; ++l) {
    BOOST_TEST((five_to_one[l] == Mixer::full) == (l % 6 == 5), "layer " << l);
  }
}

BOOST_AUTO_TEST_SUITE_END()
