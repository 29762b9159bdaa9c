// The AttentionVariant concept: which types it takes and refuses, and composition of all variants.
#include "lamina/attention/variant.h"

#include "attention/masks.h"
#include "lamina/attention/alibi.h"
#include "lamina/attention/chunked.h"
#include "lamina/attention/full.h"
#include "lamina/attention/sinks.h"
#include "lamina/attention/sliding_window.h"
#include "lamina/attention/softcap.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(variant)

namespace {

struct Keys {
  KeyRange keys(Position query) const { return {0, query + 1}; }
};
struct Visible {
  bool visible(Position query, Position key) const { return key <= query; }
};
struct Score {
  template <class Real>
  Real score(Real s, int, Position, Position) const {
    return s;
  }
};

struct Whole : Keys, Visible, Score {};
struct WithoutKeys : Visible, Score {};
struct WithoutVisible : Keys, Score {};
struct WithoutScore : Keys, Visible {};

struct ScoresFloatOnly : Keys, Visible {
  float score(float s, int, Position, Position) const { return s; }
};
struct ScoresToDouble : Keys, Visible {
  double score(double s, int, Position, Position) const { return s; }
};
struct KeysAsPosition : Visible, Score {
  Position keys(Position query) const { return query + 1; }
};
struct VisibleAsInt : Keys, Score {
  int visible(Position query, Position key) const { return key <= query ? 1 : 0; }
};
struct ScoreChangesState : Keys, Visible {
  template <class Real>
  Real score(Real s, int, Position, Position) {
    return s;
  }
};

static_assert(AttentionVariant<Whole>);
static_assert(!AttentionVariant<WithoutKeys>);
static_assert(!AttentionVariant<WithoutVisible>);
static_assert(!AttentionVariant<WithoutScore>);
static_assert(!AttentionVariant<ScoresFloatOnly>);
static_assert(!AttentionVariant<ScoresToDouble>);
static_assert(!AttentionVariant<KeysAsPosition>);
static_assert(!AttentionVariant<VisibleAsInt>);
static_assert(!AttentionVariant<ScoreChangesState>);
static_assert(!AttentionVariant<int>);

struct WholeSink : Whole {
  float sink(int) const { return 0; }
};
struct SinkOfNoHead : Whole {
  float sink() const { return 0; }
};
struct SinkInDouble : Whole {
  double sink(int) const { return 0; }
};
struct SinkAlone {
  float sink(int) const { return 0; }
};

static_assert(SinkVariant<WholeSink>);
static_assert(!SinkVariant<Whole>);
static_assert(!SinkVariant<SinkOfNoHead>);
static_assert(!SinkVariant<SinkInDouble>);
static_assert(!SinkVariant<SinkAlone>);

static_assert(AttentionVariant<Softcap<SlidingWindow<Causal>>>);
static_assert(AttentionVariant<Alibi<Chunked<>>>);
static_assert(AttentionVariant<Sinks<Softcap<>>>);
static_assert(AttentionVariant<Chunked<SlidingWindow<Full>>>);
static_assert(AttentionVariant<Softcap<Whole>>);  // a base of one's own

}  // namespace

// A chain of selections: every layer may hide more, none shows what the base hides.
BOOST_AUTO_TEST_CASE(composed_masks_are_the_conjunction) {
  Softcap<Chunked<SlidingWindow<Causal>>> variant;
  variant.window = 7;
  variant.chunk = 5;
  test::check_mask(variant,
                   [](Position q, Position k) { return k <= q && q - k < 7 && q / 5 == k / 5; });
  SlidingWindow<Chunked<Causal>> turned;
  turned.window = 7;
  turned.chunk = 5;
  test::check_mask(turned,
                   [](Position q, Position k) { return k <= q && q - k < 7 && q / 5 == k / 5; });
  Sinks<Alibi<Softcap<SlidingWindow<Full>>>> open;
  open.window = 3;
  test::check_mask(open, [](Position q, Position k) { return q - k < 3; });
}

BOOST_AUTO_TEST_CASE(composed_scores_apply_every_layer) {
  Sinks<Alibi<Softcap<SlidingWindow<Causal>>>> variant;
  variant.cap = 4;
  variant.heads = 8;
  const double capped = 4 * std::tanh(3.0 / 4);
  BOOST_TEST(variant.score(3.0, 1, 9, 5) == capped - 0.25 * 4);
}

// One struct drives the float64 reference and a float kernel: the float hook rounds, no more. A
// tanh counts 8 roundings and the capped score 2 more, of 1.5 at most; a slope has 18 (see
// alibi.cpp) and its product 1, of a bias of 20 at most; the sum 1 of both.
BOOST_AUTO_TEST_CASE(float_and_double_hooks_agree) {
  Alibi<Softcap<>> variant;
  variant.cap = 1.5f;
  variant.heads = 6;
  for (int head = 0; head < 6; ++head) {
    for (Position k = 0; k <= 40; k += 4) {
      for (const float s : {-8.0f, -0.3f, 0.0f, 0.7f, 20.0f}) {
        const double wide = variant.score(static_cast<double>(s), head, 40, k);
        const auto narrow = static_cast<double>(variant.score(s, head, 40, k));
        BOOST_TEST(std::fabs(wide - narrow) <= (10 * 1.5 + 19 * 20 + 21.5) * 0x1p-24);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(last_position_is_beyond_every_store) {
  BOOST_TEST(last_position == std::numeric_limits<Position>::max());
}

BOOST_AUTO_TEST_SUITE_END()
