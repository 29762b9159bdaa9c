// Merging against its definition: search all pairs for the best, replace it, and repeat.
#include "runtime/tokenizer/models/symbol_chain.h"

#include "lamina/core/error.h"
#include "tests/runtime/tokenizer/seed.h"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

using namespace lamina;

namespace {

using Rules = std::map<std::pair<Token, Token>, Merge>;

/// What a symbol is worth comparing by: token and bytes.
using Symbols = std::vector<std::pair<Token, std::uint32_t>>;

std::optional<Merge> look_up(const Rules& rules, Token left, Token right) {
  const auto found = rules.find({left, right});
  return found == rules.end() ? std::nullopt : std::optional(found->second);
}

Symbols merged_by_definition(const Rules& rules, Symbols symbols) {
  for (;;) {
    std::size_t best = symbols.size();
    Merge merge;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const auto candidate = look_up(rules, symbols[i].first, symbols[i + 1].first);
      if (!candidate || (best < symbols.size() && candidate->rank >= merge.rank)) continue;
      best = i;
      merge = *candidate;
    }
    if (best == symbols.size()) return symbols;
    symbols[best] = {merge.result, symbols[best].second + symbols[best + 1].second};
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

Symbols merged_by_chain(const Rules& rules, const Symbols& symbols, SymbolChain& chain) {
  chain.clear();
  for (const auto& [token, size] : symbols) chain.append(token, size);
  chain.merge([&](const Symbol& left, const Symbol& right) {
    return look_up(rules, left.token, right.token);
  });
  Symbols out;
  std::uint32_t bytes = 0;
  chain.for_each([&](const Symbol& symbol) {
    BOOST_TEST(symbol.begin == bytes);
    bytes += symbol.size;
    out.emplace_back(symbol.token, symbol.size);
  });
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(symbol_chain)

BOOST_AUTO_TEST_CASE(merges_as_the_definition_says) {
  std::mt19937 random(test::seed());
  SymbolChain chain;  // reused, as the encodings do
  for (int round = 0; round < 500; ++round) {
    Rules rules;
    Token next = 4;
    for (auto i = random() % 30; i > 0; --i) {
      const auto any = [&] { return static_cast<Token>(random() % static_cast<unsigned>(next)); };
      const std::pair pair(any(), any());
      // Ranks recur, so that the leftmost of equals has to be found.
      if (rules.try_emplace(pair, Merge{static_cast<std::uint32_t>(random() % 8), next}).second) {
        ++next;
      }
    }
    Symbols symbols(random() % 40);
    for (auto& symbol : symbols) {
      symbol = {static_cast<Token>(random() % 5) - 1, static_cast<std::uint32_t>(1 + random() % 3)};
    }
    BOOST_TEST((merged_by_chain(rules, symbols, chain) == merged_by_definition(rules, symbols)));
  }
}

BOOST_AUTO_TEST_CASE(of_equal_pairs_the_leftmost_goes_first) {
  const Rules rules = {{{0, 0}, {7, 1}}};
  SymbolChain chain;
  const Symbols merged = merged_by_chain(rules, Symbols(5, {0, 1}), chain);
  BOOST_TEST((merged == Symbols{{1, 2}, {1, 2}, {0, 1}}));
}

BOOST_AUTO_TEST_CASE(nothing_and_one_symbol_stay) {
  SymbolChain chain;
  BOOST_TEST(merged_by_chain({}, {}, chain).empty());
  BOOST_TEST((merged_by_chain({}, {{-1, 3}}, chain) == Symbols{{-1, 3}}));
}

BOOST_AUTO_TEST_CASE(a_text_that_has_grown_too_long_is_an_error) {
  SymbolChain chain;
  chain.append(1, SymbolChain::max_bytes - 1);
  chain.append(2, 1);
  BOOST_CHECK_THROW(chain.append(3, 1), Error);
  BOOST_CHECK_THROW(chain.append(3, ~std::size_t{0}), Error);
  chain.clear();
  chain.append(3, 1);
  chain.for_each([](const Symbol& symbol) { BOOST_TEST(symbol.begin == 0U); });
}

BOOST_AUTO_TEST_SUITE_END()
