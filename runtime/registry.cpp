// The built-in families, and the checks between a file and its model.
#include "runtime/registry.h"

#include "lamina/arch/gemma3.h"
#include "lamina/arch/llama.h"
#include "lamina/arch/qwen2.h"
#include "lamina/arch/qwen3.h"
#include "lamina/model/find_tensors.h"
#include "runtime/gguf_files.h"
#include "runtime/instances/shared/kernels.h"
#include "runtime/instances/instances.h"
#include "runtime/system.h"

#include <array>
#include <string>
#include <utility>

namespace lamina {

namespace {

/// A set of families, searched by the name in the file.
template <Architecture... As>
struct ArchitectureList {
  static constexpr std::array<std::string_view, sizeof...(As)> names{As::name...};

  /// Calls `f.template operator()<A>()` for the architecture of that name; false where there is
  /// none.
  template <class F>
  static bool visit(std::string_view name, F&& f) {
    return ((name == As::name && (f.template operator()<As>(), true)) || ...);
  }
};

using BuiltinArchitectures = ArchitectureList<Llama, Qwen2, Qwen3, Gemma3>;

std::string join(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

/// Every token of the tokenizer needs a row of the embedding and every row of logits a token.
void check_vocabulary(const Metadata& metadata, std::string_view architecture, const Extents& e) {
  const std::string key = std::string(architecture) + ".vocab_size";
  const auto stated = metadata.get_or<std::int64_t>(key, e.vocab);
  if (stated != e.vocab) {
    throw Error(metadata.source() + ": the key '" + key + "' is " + std::to_string(stated) +
                ", but the tensor 'token_embd.weight' has " + std::to_string(e.vocab) + " rows");
  }
  const MetadataValue* tokens = metadata.value("tokenizer.ggml.tokens");
  if (tokens == nullptr || tokens->size() == static_cast<std::uint64_t>(e.vocab)) return;
  throw Error(metadata.source() + ": the tensor 'token_embd.weight' has " +
              std::to_string(e.vocab) + " rows, but 'tokenizer.ggml.tokens' lists " +
              std::to_string(tokens->size()) + " tokens");
}

void check_storage(const std::optional<FormatId>& format, const char* flag) {
  if (!format) return;
  bool encodable = false;
  Formats::visit(*format, [&]<class Q>() { encodable = EncodableFormat<Q>; });
  if (!encodable) {
    throw Error(std::string(flag) + " " + format_name(*format) +
                ": keys and values cannot be stored in this format; expected one of " +
                writable_formats());
  }
}

void check_backend(const LoadOptions& options) {
  if (options.backend == ReferenceBackend::name || options.backend == CpuBackend::name) return;
  throw Error("--backend " + options.backend +
              ": there is no such backend; expected one of cpu, reference");
}

/// The oracle keeps K and V as they are; otherwise they are rounded to what most models tolerate.
KvFormats kv_formats(const LoadOptions& options) {
  const bool exact = options.backend == ReferenceBackend::name;
  const FormatId fallback = exact ? FormatId::f32 : FormatId::f16;
  return {options.key_format.value_or(fallback), options.value_format.value_or(fallback)};
}

/// Gives back the file's pages of weights that the backend keeps in panels of its own.
void release_panels(const GgufFiles& files, const SlotTensors& tensors) {
  for (std::size_t i = 0; i < slots; ++i) {
    const auto slot = static_cast<Slot>(i);
    if (tensors.has(slot) && has_panels(tensors[slot].format)) files.release(tensors[slot]);
  }
}

template <Architecture A>
std::unique_ptr<LanguageModel> load(const GgufFiles& files, const LoadOptions& options) {
  const Metadata& metadata = files.metadata();
  Extents extents = A::extents(metadata);
  const auto find = [&](std::string_view name) { return files.find(name); };
  ModelTensors tensors =
      find_tensors(metadata.source(), files.tensors(), find, A::tensors, extents);
  check_vocabulary(metadata, A::name, extents);
  ModelInfo info{.architecture = std::string(A::name),
                 .backend = options.backend,
                 .isa = "portable",
                 .parameters = 0,
                 .vocab = extents.vocab,
                 .trained_context = extents.context,
                 .kv_formats = kv_formats(options),
                 .work = model_work(extents, tensors, kv_formats(options))};
  for (const TensorView& tensor : files.tensors()) info.parameters += tensor.elements();
  const bool in_panels = options.backend == CpuBackend::name && options.repack;
  ModelParts parts{std::move(extents), std::move(tensors), {}};
  parts.progress = [&](int done, int layers) {
    if (in_panels) {
      if (done == 1) release_panels(files, parts.tensors.global);
      release_panels(files, parts.tensors.layers[static_cast<std::size_t>(done - 1)]);
    }
    if (options.progress) options.progress(done, layers);
  };
  using Structure = Instances<A::spec, HooksOf<A>>;
  ForwardPass pass;
  if (options.backend == ReferenceBackend::name) {
    pass = Structure::make(ReferenceBackend(options.threads), parts);
  } else {
    const CpuKernels& kernels = cpu_kernels(options.isa);
    info.isa = kernels.isa;
    pass = Structure::make(CpuBackend(options.threads, kernels, options.repack), parts);
  }
  return std::make_unique<ModelInstance>(std::move(info), parts.extents, kv_formats(options),
                                         std::move(pass));
}

}  // namespace

std::span<const std::string_view> architecture_names() { return BuiltinArchitectures::names; }

std::unique_ptr<LanguageModel> load_model(const GgufFiles& files, const LoadOptions& options) {
  check_backend(options);
  check_storage(options.key_format, "--kv-k");
  check_storage(options.value_format, "--kv-v");
  LoadOptions chosen = options;
  if (chosen.threads <= 0) chosen.threads = allowed_threads();
  const auto name = files.metadata().get<std::string_view>("general.architecture");
  std::unique_ptr<LanguageModel> model;
  const bool known =
      BuiltinArchitectures::visit(name, [&]<class A>() { model = load<A>(files, chosen); });
  if (known) return model;
  throw Error(files.metadata().source() + ": the architecture " + quoted(name) +
              " is not built in; known: " + join(BuiltinArchitectures::names));
}

}  // namespace lamina
