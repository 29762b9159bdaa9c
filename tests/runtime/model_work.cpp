// Counted again: tensors by their names, and what a token sees one position at a time.
#include "runtime/model_work.h"

#include "runtime/gguf_files.h"
#include "runtime/registry.h"
#include "shared_data.h"

#include <boost/test/unit_test.hpp>

#include <string>

namespace lamina {
namespace {

ModelWork work_of(const std::string& model, const LoadOptions& options = {}) {
  const GgufFiles files(test::goldens() / "models" / (model + ".gguf"));
  return load_model(files, options)->info().work;
}

/// What the tiny models share: 4 heads, 2 of them for keys, all of 12 elements; 61 tokens,
/// width 40.
constexpr double heads = 4, kv_heads = 2, head_dim = 12;

/// Sums over the tensors of all layers whose names contain `part`.
struct LayerSums {
  std::int64_t bytes = 0, weights = 0;

  explicit LayerSums(const std::string& model) {
    const GgufFiles files(test::goldens() / "models" / (model + ".gguf"));
    for (const TensorView& tensor : files.tensors()) {
      const bool layer = tensor.name.starts_with("blk.");
      if (!layer && tensor.name != "output_norm.weight") continue;
      bytes += static_cast<std::int64_t>(tensor.bytes.size());
      if (layer && tensor.extent[1] > 1) weights += tensor.extent[0] * tensor.extent[1];
    }
  }
};

/// The work of a step, of a model with float32 weights and `kv` bytes a stored number.
Work counted(const std::string& model, const WorkStep& step, int full, int sliding, int window,
             double kv) {
  const LayerSums layers(model);
  Work work{.bytes = static_cast<double>(layers.bytes), .operations = 0};
  if (step.rows > 0) work.bytes += 61 * 40 * 4;
  work.operations += 2.0 * 61 * 40 * static_cast<double>(step.rows);
  for (int s = 0; s < step.sequences; ++s) {
    for (int l = 0; l < full + sliding; ++l) {
      const int sees = l < full ? 1 << 30 : window;
      int oldest = step.first + step.count;
      for (int t = step.first; t < step.first + step.count; ++t) {
        for (int key = t; key >= 0 && t - key < sees; --key) {
          work.operations += 2 * heads * (head_dim + head_dim);
          oldest = std::min(oldest, key);
        }
      }
      work.bytes += (step.first + step.count - oldest) * kv_heads * (head_dim + head_dim) * kv;
    }
    for (int t = 0; t < step.count; ++t) {
      work.bytes += 40 * 4;
      work.operations += 2.0 * static_cast<double>(layers.weights);
    }
  }
  return work;
}

BOOST_AUTO_TEST_SUITE(model_work_counts)

BOOST_AUTO_TEST_CASE(steps_of_two_structures) {
  const ModelWork llama = work_of("llama"), gemma3 = work_of("gemma3");
  for (const WorkStep& step :
       {WorkStep{0, 1, 1, 1}, WorkStep{0, 5, 1, 0}, WorkStep{0, 30, 1, 1}, WorkStep{7, 1, 4, 4},
        WorkStep{8, 1, 1, 1}, WorkStep{9, 1, 1, 1}, WorkStep{3, 20, 2, 2}, WorkStep{50, 6, 3, 0}}) {
    BOOST_TEST_CONTEXT("first " << step.first << ", count " << step.count) {
      const Work a = llama.of(step), b = gemma3.of(step);
      const Work one = counted("llama", step, 2, 0, 0, 2);
      const Work two = counted("gemma3", step, 1, 6, 9, 2);
      BOOST_TEST(a.bytes == one.bytes);
      BOOST_TEST(a.operations == one.operations);
      BOOST_TEST(b.bytes == two.bytes);
      BOOST_TEST(b.operations == two.operations);
    }
  }
}

BOOST_AUTO_TEST_CASE(stored_formats_count) {
  LoadOptions options;
  options.key_format = options.value_format = FormatId::f32;
  const WorkStep step{10, 1, 1, 1};
  BOOST_TEST(work_of("llama", options).of(step).bytes == counted("llama", step, 2, 0, 0, 4).bytes);
  options.key_format.reset();
  options.value_format.reset();
  options.backend = "reference";  // which stores float32
  BOOST_TEST(work_of("llama", options).of(step).bytes == counted("llama", step, 2, 0, 0, 4).bytes);
}

BOOST_AUTO_TEST_CASE(a_tied_output_is_the_embedding) {
  const ModelWork work = work_of("llama_mha_tied");
  BOOST_TEST(work.output_bytes == 61 * 40 * 4);
  BOOST_TEST(work.output_weights == 61 * 40);
  BOOST_TEST(work.embedding_bytes == 40 * 4);
  BOOST_TEST(work.pair_products == 4 * (10 + 10));
  BOOST_TEST(work.kv_bytes == 4 * (10 + 10) * 2);
}

BOOST_AUTO_TEST_CASE(long_contexts_do_not_overflow) {
  ModelWork work;
  work.pair_products = work.kv_bytes = work.full_layers = 1;
  const Work step = work.of({2147483000, 500, 1, 0});
  BOOST_TEST(step.bytes == 2147483500.0);
  BOOST_TEST(step.operations == 2 * 500 * (2147483000.0 + 250.5));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
