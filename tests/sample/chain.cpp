// A chain is its samplers one after the other, in order.
#include "lamina/sample/chain.h"

#include "lamina/sample/min_p.h"
#include "lamina/sample/penalties.h"
#include "lamina/sample/temperature.h"
#include "lamina/sample/top_k.h"
#include "lamina/sample/top_p.h"
#include "sample/brute_force.h"

namespace {

using namespace lamina;
using namespace lamina::test;

}  // namespace

BOOST_AUTO_TEST_SUITE(chain)

BOOST_AUTO_TEST_CASE(a_chain_is_its_parts_in_order) {
  const auto logits = random_logits(500, 1);
  for (const double t : {0.3, 0.8, 2.0}) {
    Candidates expected{logits};
    Penalties penalties({.repeat = 1.5, .frequency = 0.3});
    for (const Token token : {3, 4, 3}) penalties.accept(token);
    penalties.apply(expected);
    TopK{40}.apply(expected);
    TopP{0.9}.apply(expected);
    MinP{0.02}.apply(expected);
    Temperature{t}.apply(expected);

    SamplerChain chain(Penalties({.repeat = 1.5, .frequency = 0.3}), TopK{40}, TopP{0.9},
                       MinP{0.02}, Temperature{t});
    for (const Token token : {3, 4, 3}) chain.accept(token);
    check_equal(left_by(chain, logits), contents(expected));
  }
}

BOOST_AUTO_TEST_CASE(the_order_shows) {
  // Of probabilities 0.4, 0.3, 0.2, 0.1 three are needed for 0.75; of the best three alone, whose
  // probabilities are 4/9, 3/9 and 2/9, two.
  std::vector<float> logits;
  for (const double p : {0.4, 0.3, 0.2, 0.1}) logits.push_back(static_cast<float>(std::log(p)));
  BOOST_TEST(left_by(SamplerChain(TopP{0.75}, TopK{3}), logits).size() == 3u);
  BOOST_TEST(left_by(SamplerChain(TopK{3}, TopP{0.75}), logits).size() == 2u);
  // A hot temperature before top-p flattens what top-p sees.
  BOOST_TEST(left_by(SamplerChain(Temperature{100}, TopP{0.65}), logits).size() == 3u);
  BOOST_TEST(left_by(SamplerChain(TopP{0.65}, Temperature{100}), logits).size() == 2u);
  // Penalties before top-k change which tokens stay; after it, only their logits.
  Penalties penalties({.presence = 10});
  penalties.accept(0);
  check_equal(left_by(SamplerChain(penalties, TopK{1}), logits), {{1, logits[1]}});
  check_equal(left_by(SamplerChain(TopK{1}, penalties), logits), {{0, logits[0] - 10}});
}

BOOST_AUTO_TEST_CASE(an_empty_chain_changes_nothing) {
  const auto logits = random_logits(20, 2);
  SamplerChain<> chain;
  chain.accept(1);
  check_equal(left_by(chain, logits), ranked(logits));
}

BOOST_AUTO_TEST_CASE(a_chain_in_a_chain_hears_what_is_accepted) {
  SamplerChain inner(Penalties({.presence = 1}));
  SamplerChain outer(inner, TopK{1});
  outer.accept(0);
  check_equal(left_by(outer, {2, 1.5f}), {{1, 1.5f}});
}

BOOST_AUTO_TEST_CASE(neutral_settings_of_all_are_an_exact_no_op) {
  const auto logits = random_logits(300, 3);
  SamplerChain chain(Penalties(), TopK{0}, TopP{1}, MinP{0}, Temperature{1});
  for (const Token token : {1, 2, 3}) chain.accept(token);
  check_equal(left_by(chain, logits), ranked(logits));
}

BOOST_AUTO_TEST_SUITE_END()
