// The vocabulary: wide enough for every model, and signed, so that a difference of positions is
// one.
#include "lamina/core/types.h"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <type_traits>

using namespace lamina;

static_assert(std::is_signed_v<Token> && sizeof(Token) == 4,
              "token ids travel as int32 everywhere");
static_assert(std::is_signed_v<Position> && std::is_signed_v<SequenceId>);

BOOST_AUTO_TEST_SUITE(types)

BOOST_AUTO_TEST_CASE(a_key_may_lie_before_its_window) {
  const Position query = 3, window = 512;
  BOOST_TEST(query - window < 0);  // the first visible position before it is clamped to 0
}

BOOST_AUTO_TEST_CASE(the_largest_models_fit) {
  BOOST_TEST(std::numeric_limits<Token>::max() >= 262'144 - 1);  // Gemma's vocabulary
  BOOST_TEST(std::numeric_limits<Position>::max() >=
             10'000'000 - 1);  // the longest trained context
}

BOOST_AUTO_TEST_SUITE_END()
