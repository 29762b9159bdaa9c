// Damaged models: whatever the bytes are, an error or a model that runs.
#include "gguf/allocation_limit.h"
#include "gguf/bytes.h"
#include "lamina/arch/gemma3.h"
#include "lamina/arch/llama.h"
#include "lamina/backend/reference/backend.h"
#include "tests/model/small_model.h"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace lamina;
using namespace lamina::test;

namespace {

/// A whole model of one layer in about 2 KiB.
template <Architecture A>
std::vector<std::byte> whole_model() {
  const std::string prefix = std::string(A::name) + ".";
  GgufWriter writer;
  writer.set("general.architecture", A::name)
      .set(prefix + "block_count", 1u)
      .set(prefix + "context_length", 8u)
      .set(prefix + "embedding_length", 4u)
      .set(prefix + "feed_forward_length", 4u)
      .set(prefix + "attention.head_count", 2u)
      .set(prefix + "attention.head_count_kv", 1u)
      .set(prefix + "attention.key_length", 2u)
      .set(prefix + "attention.value_length", 2u)
      .set(prefix + "attention.layer_norm_rms_epsilon", 1e-5f)
      .set(prefix + "rope.freq_base", 10000.0f);
  if (A::spec.layers.contains(Mixer::sliding)) writer.set(prefix + "attention.sliding_window", 4u);
  Extents extents = A::extents(writer.metadata());
  extents.vocab = 3;
  const std::vector<std::byte> zeros(64);
  for (const TensorName& entry : A::tensors) {
    if (entry.presence != Presence::required) continue;
    const auto [cols, rows] = expected_shape(entry.slot, extents);
    const std::string name = (per_layer(entry.slot) ? "blk.0." : "") + std::string(entry.name);
    const auto bytes = static_cast<std::size_t>(cols * rows) * sizeof(float);
    writer.add_tensor(name, FormatId::f32, {cols, rows}, std::span(zeros).first(bytes));
  }
  return writer.to_bytes();
}

/// Loads the bytes and runs two tokens; true where they are a model. An Error is fine, anything
/// else is not.
template <Architecture A>
bool survives(std::span<const std::byte> bytes) {
  const AllocationWatch watch;
  bool runs = false;
  try {
    const GgufFile file = read_gguf(bytes, "damaged.gguf");
    auto graph = make_graph<A>(file, ReferenceBackend(1));
    const Token tokens[] = {0, graph.extents().vocab - 1};
    feed_whole(graph, tokens);
    runs = true;
  } catch (const Error&) {
  }
  BOOST_REQUIRE(!watch.refused());
  BOOST_REQUIRE(watch.peak() < bytes.size() + (std::size_t{32} << 20));
  return runs;
}

template <Architecture A>
void check_every_damage() {
  const std::vector<std::byte> whole = whole_model<A>();
  BOOST_TEST_REQUIRE(survives<A>(whole));
  const GgufFile file = read_gguf(whole, "whole.gguf");
  const std::span<const std::byte> last = file.tensors.all().back().bytes;
  const auto end = static_cast<std::size_t>(last.data() + last.size() - whole.data());
  for (std::size_t length = 0; length < end; ++length) {  // beyond it there is padding
    const ExactCopy cut{std::span<const std::byte>(whole).first(length)};
    BOOST_REQUIRE(!survives<A>(cut.span()));
  }
  std::size_t models = 0;
  std::vector<std::byte> damaged = whole;
  for (std::size_t at = 0; at < file.data_offset; ++at) {
    for (const int value : {0x00, 0x7f, 0x80, 0xff}) {
      damaged[at] = static_cast<std::byte>(value);
      models += survives<A>(damaged) ? 1 : 0;
    }
    damaged[at] = whole[at];
  }
  BOOST_TEST(models > 0u);  // numbers that do not matter to two tokens were among the bytes
}

}  // namespace

BOOST_AUTO_TEST_SUITE(damaged_model)

BOOST_AUTO_TEST_CASE(one_kind_of_layer) { check_every_damage<Llama>(); }

BOOST_AUTO_TEST_CASE(two_kinds_of_layer) { check_every_damage<Gemma3>(); }

BOOST_AUTO_TEST_SUITE_END()
