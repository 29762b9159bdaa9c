// Extents: defaults, limits, and the refusal of whatever would change the result unseen.
// Covers lamina/model/extents.h.
#include "lamina/model/read_extents.h"

#include "tests/model/metadata_of.h"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>
#include <vector>

using namespace lamina;
using namespace lamina::test;

namespace {

const Metadata small = small_metadata("x");
constexpr LayerPattern full{};
constexpr LayerPattern mixed = every(6, Mixer::full, Mixer::sliding);

/// The message with which this is refused; empty where it is not.
std::string refusal(const Metadata& metadata, const LayerPattern& pattern = full) {
  try {
    read_extents(metadata, "x", pattern);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

bool mentions(const std::string& text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    if (text.find(part) == std::string::npos) return false;
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(extents)

BOOST_AUTO_TEST_CASE(defaults_follow_the_format) {
  const Extents e = read_extents(small, "x", full);
  BOOST_TEST(e.layers == 4);
  BOOST_TEST(e.key_dim == 8);
  BOOST_TEST(e.value_dim == 8);
  BOOST_TEST(e.kv_heads == 2);
  BOOST_TEST(e.rope.rotated == 8);
  BOOST_TEST(e.rope.base == 10000.0f);
  BOOST_TEST(e.attention_scale == 1.0f / std::sqrt(8.0f));
  BOOST_TEST(e.window == 0);
  BOOST_TEST(e.mixers.size() == 4u);
  const Extents mha = read_extents(Metadata({{"x.block_count", 1u},
                                             {"x.context_length", 8u},
                                             {"x.embedding_length", 8u},
                                             {"x.feed_forward_length", 8u},
                                             {"x.attention.head_count", 2u},
                                             {"x.attention.layer_norm_rms_epsilon", 0.0f}}),
                                   "x", full);
  BOOST_TEST(mha.kv_heads == 2);
}

BOOST_AUTO_TEST_CASE(explicit_numbers_win) {
  Metadata m = with(small, "x.attention.key_length", 24u);
  m.set("x.attention.value_length", 10u);
  m.set("x.rope.dimension_count", 12u);
  m.set("x.rope.freq_base", 500000.0f);
  m.set("x.attention.scale", 0.25f);
  m.set("x.rope.scaling.type", "linear");
  m.set("x.rope.scaling.factor", 8.0f);
  const Extents e = read_extents(m, "x", full);
  BOOST_TEST(e.key_dim == 24);
  BOOST_TEST(e.value_dim == 10);
  BOOST_TEST(e.rope.rotated == 12);
  BOOST_TEST(e.rope.base == 500000.0f);
  BOOST_TEST(e.rope.factor == 8.0f);
  BOOST_TEST(e.attention_scale == 0.25f);
}

BOOST_AUTO_TEST_CASE(the_order_of_mixers_is_data) {
  Metadata m = with(small, "x.attention.sliding_window", 16u);
  const auto order = [](const Extents& e) {
    std::string text;
    for (const Mixer mixer : e.mixers) text += mixer == Mixer::sliding ? 's' : 'f';
    return text;
  };
  BOOST_TEST(order(read_extents(m, "x", mixed)) == "ssss");
  BOOST_TEST(order(read_extents(with(m, "x.attention.sliding_window_pattern", 2u), "x", mixed)) ==
             "sfsf");
  const std::vector<bool> flags{false, true, true, false};
  m.set("x.attention.sliding_window_pattern", flags);
  BOOST_TEST(order(read_extents(m, "x", mixed)) == "fssf");
  m.set("x.attention.sliding_window_pattern", std::vector<bool>{true});
  BOOST_TEST(mentions(refusal(m, mixed), {"sliding_window_pattern", "1 values", "4"}));
  BOOST_TEST(mentions(refusal(small, mixed), {"x.attention.sliding_window", "missing"}));
  constexpr LayerPattern sliding = every(1, Mixer::sliding, Mixer::sliding);
  m.set("x.attention.sliding_window_pattern", flags);
  BOOST_TEST(mentions(refusal(m, sliding), {"sliding_window_pattern", "both kinds"}));
}

BOOST_AUTO_TEST_CASE(impossible_numbers_are_refused_by_name) {
  const auto refused = [](const char* key, auto value) {
    const std::string message = refusal(with(small, std::string("x.") + key, value));
    return mentions(message, {"small.gguf", std::string("x.") + key, "expected"});
  };
  for (const char* key : {"block_count", "embedding_length", "attention.head_count",
                          "attention.head_count_kv", "feed_forward_length", "context_length"}) {
    BOOST_TEST(refused(key, 0u), key);
    BOOST_TEST(refused(key, std::numeric_limits<std::uint32_t>::max()), key);
    BOOST_TEST(!refusal(with(small, std::string("x.") + key, "text")).empty(), key);
    BOOST_TEST(!refusal(with(small, std::string("x.") + key, -1)).empty(), key);
  }
  BOOST_TEST(refused("block_count", 4097u));
  BOOST_TEST(refused("attention.head_count_kv", 4u));  // does not divide 6
  BOOST_TEST(refused("attention.key_length", 7u));
  BOOST_TEST(refused("attention.key_length", 2048u));
  BOOST_TEST(refused("attention.value_length", 7u));
  BOOST_TEST(refused("attention.scale", 0.0f));
  BOOST_TEST(mentions(
      refusal(with(with(small, "x.embedding_length", 4096u), "x.attention.head_count", 2u)),
      {"x.attention.key_length", "missing", "2048"}));
  BOOST_TEST(refused("rope.dimension_count", 10u));  // longer than a head
  BOOST_TEST(refused("rope.dimension_count", 3u));
  BOOST_TEST(refused("rope.freq_base", 0.0f));
  BOOST_TEST(refused("rope.freq_base", std::numeric_limits<float>::quiet_NaN()));
  BOOST_TEST(refused("attention.layer_norm_rms_epsilon", -1.0f));
  BOOST_TEST(refused("attention.layer_norm_rms_epsilon", std::numeric_limits<float>::infinity()));
}

BOOST_AUTO_TEST_CASE(what_is_not_understood_is_refused) {
  const auto refused = [](const char* key, auto value) {
    return mentions(refusal(with(small, std::string("x.") + key, value)), {key, "expected"});
  };
  BOOST_TEST(refused("rope.scaling.type", "yarn"));
  BOOST_TEST(refused("expert_count", 8u));
  BOOST_TEST(refused("final_logit_softcapping", 30.0f));
  BOOST_TEST(refused("attn_logit_softcapping", 50.0f));
  BOOST_TEST(refused("logit_scale", 0.5f));
  BOOST_TEST(refused("attention.causal", false));
  BOOST_TEST(refused("attention.max_alibi_bias", 8.0f));
  BOOST_TEST(refused("attention.sliding_window", 4096u));
  BOOST_TEST(refused("rope.freq_base_swa", 5000.0f));
  BOOST_TEST(refused("rope.scale_linear", 4.0f));
  BOOST_TEST(refused("use_parallel_residual", true));
  BOOST_TEST(refused("attention.key_length_swa", 16u));
  BOOST_TEST(refused("attention.temperature_scale", 0.1f));
  BOOST_TEST(refused("nextn_predict_layers", 1u));
  BOOST_TEST(refusal(with(small, "x.expert_count", 0u)).empty());
  BOOST_TEST(refusal(with(small, "x.logit_scale", 1.0f)).empty());
  BOOST_TEST(refusal(with(small, "x.attention.causal", true)).empty());
  BOOST_TEST(refusal(with(small, "x.rope.scaling.type", "none")).empty());
}

BOOST_AUTO_TEST_CASE(missing_keys_are_named) {
  BOOST_TEST(
      mentions(refusal(Metadata({}, "empty.gguf")), {"empty.gguf", "x.block_count", "missing"}));
}

BOOST_AUTO_TEST_SUITE_END()
