// The registry: every backend and family by name, and refusals that say what was found and what
// there is.
// Covers runtime/instances/instances.h.
// Covers runtime/instances/define.h, runtime/instances/shared/kernels.h.
// Covers runtime/instances/shared/formats.h.
#include "runtime/registry.h"

#include "lamina/gguf/writer.h"
#include "lamina/verify/compare.h"
#include "runtime/instances/shared/kernels.h"
#include "runtime/model_catalog.h"
#include "tests/runtime/small_files.h"
#include "tests/skip.h"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>

using namespace lamina;
using namespace lamina::test;

namespace {

std::string refusal(const std::filesystem::path& path, const LoadOptions& options) {
  try {
    load_file(path, options);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

/// How much of a mapping the process has in memory: "Rss" of /proc/self/smaps, proc(5).
std::size_t resident_bytes(std::span<const std::byte> mapped) {
  std::ifstream maps("/proc/self/smaps");
  std::ostringstream start;
  start << std::hex << std::setw(8) << std::setfill('0')
        << reinterpret_cast<std::uintptr_t>(mapped.data()) << '-';
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    inside = inside || line.starts_with(start.str());
    if (inside && line.starts_with("Rss:")) return std::stoull(line.substr(4)) * 1024;
  }
  throw Error("/proc/self/smaps does not list the mapping");
}

/// A copy of a golden file with metadata changed, in the temporary folder; removed at the end.
class ChangedFile {
 public:
  explicit ChangedFile(const std::function<void(Metadata&)>& change) {
    const GgufFiles original(goldens() / "models" / "llama.gguf");
    Metadata metadata = original.metadata();
    change(metadata);
    GgufWriter writer;
    writer.set(metadata);
    for (const TensorView& tensor : original.tensors()) writer.add_tensor(tensor);
    path_ = std::filesystem::temp_directory_path() / "lamina_registry_test.gguf";
    std::ofstream out(path_, std::ios::binary);
    writer.write(out);
  }
  ~ChangedFile() { std::filesystem::remove(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

bool says(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(registry)

BOOST_AUTO_TEST_CASE(every_backend_loads_every_family) {
  for (const char* name : {"llama", "qwen2", "qwen3", "gemma3"}) {
    for (const char* backend : {"reference", "cpu"}) {
      const LoadedModel model = load_small(name, exact_options(backend));
      BOOST_TEST(model->info().architecture == name);
      BOOST_TEST(model->info().backend == backend);
      BOOST_TEST(model->info().vocab == 61);
      BOOST_TEST(model->info().trained_context == 256);
      BOOST_TEST(model->info().parameters > 10000);
    }
  }
}

BOOST_AUTO_TEST_CASE(progress_counts_the_layers) {
  LoadOptions options = exact_options("cpu");
  std::vector<int> seen;
  options.progress = [&](int done, int layers) {
    BOOST_TEST(layers == 7);
    seen.push_back(done);
  };
  load_small("gemma3", options);
  BOOST_TEST((seen == std::vector<int>{1, 2, 3, 4, 5, 6, 7}));
}

BOOST_AUTO_TEST_CASE(pages_of_weights_in_panels_are_given_back) {
  const std::filesystem::path path = cache_folder() / "smollm2-135m.gguf";
  if (!std::filesystem::exists(path)) {
    return skip("needs the model smollm2-135m: `lamina inspect smollm2-135m` downloads it");
  }
  const LoadedModel loaded = load_file(path, exact_options("cpu", 0));
  const std::span<const std::byte> file = loaded.files->files().front().bytes();
  BOOST_TEST(resident_bytes(file) < file.size() / 10);
}

BOOST_AUTO_TEST_CASE(without_repack_the_file_is_computed_with_as_it_lies) {
  const std::filesystem::path path = cache_folder() / "smollm2-135m.gguf";
  if (!std::filesystem::exists(path)) {
    return skip("needs the model smollm2-135m: `lamina inspect smollm2-135m` downloads it");
  }
  const std::vector<Token> tokens = {504, 3575, 282, 4649, 314};
  LoadOptions options = exact_options("cpu", 0);
  const LoadedModel repacked = load_file(path, options);
  options.repack = false;
  const LoadedModel as_it_lies = load_file(path, options);
  const std::span<const std::byte> file = as_it_lies.files->files().front().bytes();
  BOOST_TEST(resident_bytes(file) < file.size() / 2);  // nothing was laid out
  BOOST_TEST(same_bits(run_all(*as_it_lies.model, tokens), run_all(*repacked.model, tokens)));
  BOOST_TEST(resident_bytes(file) > file.size() / 2);
}

BOOST_AUTO_TEST_CASE(unknown_names_list_the_known_ones) {
  const std::string backend = refusal(goldens() / "models/llama.gguf", exact_options("gpu"));
  BOOST_TEST(says(backend, "--backend gpu"));
  BOOST_TEST(says(backend, "cpu, reference"));
  const ChangedFile file([](Metadata& m) { m.set("general.architecture", "bert"); });
  const std::string architecture = refusal(file.path(), exact_options("cpu"));
  BOOST_TEST(says(architecture, "bert"));
  for (const std::string_view name : architecture_names()) BOOST_TEST(says(architecture, name));
  BOOST_TEST(architecture_names().size() == 4u);
}

BOOST_AUTO_TEST_CASE(kernels_are_chosen_by_name) {
  LoadOptions options = exact_options("cpu");
  BOOST_TEST(load_small("llama", options)->info().isa == usable_kernels().back().isa);
  for (const CpuKernels& kernels : usable_kernels()) {
    options.isa = kernels.isa;
    BOOST_TEST(load_small("llama", options)->info().isa == kernels.isa);
  }
  options.isa = "avx9";
  const std::string message = refusal(goldens() / "models/llama.gguf", options);
  BOOST_TEST(says(message, "--cpu-isa avx9"));
  BOOST_TEST(says(message, "portable"));
}

BOOST_AUTO_TEST_CASE(a_store_format_without_encoder_is_refused) {
  LoadOptions options = exact_options("cpu");
  options.value_format = FormatId::q4_k;
  const std::string message = refusal(goldens() / "models/llama.gguf", options);
  BOOST_TEST(says(message, "--kv-v Q4_K"));
  BOOST_TEST(says(message, "Q8_0"));
}

BOOST_AUTO_TEST_CASE(tokenizer_and_embedding_must_agree) {
  const ChangedFile file(
      [](Metadata& m) { m.set("tokenizer.ggml.tokens", std::vector<std::string>(60, "a")); });
  const std::string message = refusal(file.path(), exact_options("cpu"));
  BOOST_TEST(says(message, "61 rows"));
  BOOST_TEST(says(message, "60 tokens"));
}

BOOST_AUTO_TEST_CASE(a_stated_vocabulary_must_be_the_embeddings) {
  const ChangedFile file([](Metadata& m) { m.set("llama.vocab_size", 60u); });
  BOOST_TEST(says(refusal(file.path(), exact_options("cpu")), "'llama.vocab_size' is 60"));
  const ChangedFile same([](Metadata& m) { m.set("llama.vocab_size", 61u); });
  BOOST_TEST(refusal(same.path(), exact_options("cpu")).empty());
}

BOOST_AUTO_TEST_CASE(unchanged_copies_load) {
  const ChangedFile file([](Metadata&) {});
  BOOST_TEST(refusal(file.path(), exact_options("cpu")).empty());
}

BOOST_AUTO_TEST_SUITE_END()
