// The Architecture concept, its hooks, and an architecture of a user's own from header to logits.
// Covers lamina/model/weights.h, lamina/model/decoder_layer.h, lamina/model/hooks.h.
#include "lamina/model/architecture.h"

#include "lamina/attention/softcap.h"
#include "lamina/backend/reference/backend.h"
#include "lamina/model/decoder_layer.h"
#include "lamina/model/weights.h"
#include "lamina/verify/compare.h"
#include "tests/model/architectures.h"
#include "tests/model/small_model.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;
using namespace lamina::test;

namespace wrong {  // not anonymous: clang would complain of members that nobody can use

struct WithoutSpec {
  static constexpr std::string_view name = "none";
};
struct WithoutExtents {
  static constexpr std::string_view name = "none";
  static constexpr ModelSpec spec{};
  static constexpr auto tensors = default_tensors;
};

}  // namespace wrong

namespace {

static_assert(!Architecture<wrong::WithoutSpec>);
static_assert(!Architecture<wrong::WithoutExtents>);
static_assert(!HasAttentionHook<Llama>);
static_assert(std::same_as<HooksOf<Llama>, DefaultHooks>);
static_assert(std::same_as<Model<Llama, ReferenceBackend>, Model<Qwen2, ReferenceBackend>>);

/// Llama's tensors with capped scores: a user's architecture, its hook and nothing else new.
struct Capped : Llama {
  static float cap;
  template <Mixer M>
  static auto attention(const Extents&) {
    return Softcap<Causal>{{}, cap};
  }
};
float Capped::cap = 1.0f;
static_assert(Architecture<Capped> && HasAttentionHook<Capped>);
static_assert(std::same_as<HooksOf<Capped>, Capped>);

}  // namespace

BOOST_AUTO_TEST_SUITE(architecture)

BOOST_AUTO_TEST_CASE(a_hook_replaces_the_attention) {
  const SmallModel model = small_model("llama");
  auto plain = make_graph<Llama>(model.file, ReferenceBackend(1));
  auto capped = make_graph<Capped>(model.file, ReferenceBackend(1));
  const std::vector<float> expected = feed_whole(plain, model.tokens);
  Capped::cap = 0.05f;
  BOOST_TEST(!same_bits(feed_whole(capped, model.tokens), expected));
  Capped::cap = 1e9f;  // a cap nobody reaches
  const std::vector<float> uncapped = feed_whole(capped, model.tokens);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    BOOST_TEST(std::fabs(uncapped[i] - expected[i]) < 1e-4f);
  }
}

BOOST_AUTO_TEST_CASE(tied_models_use_the_embedding_as_head) {
  const SmallModel model = small_model("llama_mha_tied");
  BOOST_TEST(model.file.tensors.find("output.weight") == nullptr);
  Extents extents = Llama::extents(model.file.metadata);
  const auto find = [&](std::string_view name) { return model.file.tensors.find(name); };
  const ModelTensors tensors =
      find_tensors("test", model.file.tensors.all(), find, Llama::tensors, extents);
  ReferenceBackend b;
  int calls = 0;
  const auto weights = prepare_weights(b, tensors, [&](int done, int layers) {
    BOOST_TEST(done == ++calls);
    BOOST_TEST(layers == extents.layers);
  });
  BOOST_TEST(weights.output.name == "token_embd.weight");
  BOOST_TEST(calls == extents.layers);
}

BOOST_AUTO_TEST_SUITE_END()
