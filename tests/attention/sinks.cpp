// Sinks: one logit a head that joins the sum; masks and scores are the base's.
#include "lamina/attention/sinks.h"

#include "attention/masks.h"
#include "lamina/attention/sliding_window.h"
#include "lamina/attention/softcap.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(sinks)

static_assert(SinkVariant<Sinks<Softcap<>>>);
static_assert(SinkVariant<Softcap<Sinks<>>>);  // in whatever order they are composed
static_assert(SinkVariant<SlidingWindow<Sinks<>>>);
static_assert(!SinkVariant<Softcap<SlidingWindow<Causal>>>);

BOOST_AUTO_TEST_CASE(each_head_has_its_own) {
  const float logits[] = {1.5f, -2.0f, 0.0f};
  Sinks<> variant;
  variant.sinks = logits;
  for (int head = 0; head < 3; ++head) BOOST_TEST(variant.sink(head) == logits[head]);
}

BOOST_AUTO_TEST_CASE(masks_and_scores_are_the_base_s) {
  const float logits[] = {1, 2};
  Sinks<Softcap<SlidingWindow<>>> variant;
  variant.sinks = logits;
  variant.window = 3;
  variant.cap = 4;
  test::check_mask(variant, [](Position q, Position k) { return k <= q && k > q - 3; });
  Softcap<> base;
  base.cap = 4;
  for (const double s : {-7.0, 0.25, 100.0}) {
    BOOST_TEST(variant.score(s, 1, 5, 4) == base.score(s, 1, 5, 4));
  }
  Sinks<> plain;
  plain.sinks = logits;
  test::check_identity_score(plain);
}

// The cap squeezes scores, not the sink: it is a logit of its own.
BOOST_AUTO_TEST_CASE(a_cap_leaves_the_sink) {
  const float logits[] = {100};
  Softcap<Sinks<>> variant;
  variant.sinks = logits;
  variant.cap = 1;
  BOOST_TEST(variant.sink(0) == 100.0f);
}

BOOST_AUTO_TEST_SUITE_END()
