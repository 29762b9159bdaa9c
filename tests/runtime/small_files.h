// Opening the small models of tests/goldens as the program does.
#pragma once

#include "runtime/gguf_files.h"
#include "runtime/registry.h"
#include "tests/shared_data.h"

#include <memory>
#include <string>

namespace lamina::test {

/// A loaded model and the files it lies in.
struct LoadedModel {
  std::unique_ptr<GgufFiles> files;
  std::unique_ptr<LanguageModel> model;

  LanguageModel* operator->() const { return model.get(); }
};

inline LoadedModel load_file(const std::filesystem::path& path, const LoadOptions& options) {
  LoadedModel loaded{std::make_unique<GgufFiles>(path), nullptr};
  loaded.model = load_model(*loaded.files, options);
  return loaded;
}

inline LoadedModel load_small(const std::string& name, const LoadOptions& options) {
  return load_file(goldens() / "models" / (name + ".gguf"), options);
}

/// Keys and values as they are, so that engines with other stores can be compared.
inline LoadOptions exact_options(const std::string& backend, int threads = 2) {
  LoadOptions options;
  options.backend = backend;
  options.threads = threads;
  options.key_format = FormatId::f32;
  options.value_format = FormatId::f32;
  return options;
}

/// Logits of every token of a fresh sequence, fed at once.
inline std::vector<float> run_all(LanguageModel& model, std::span<const Token> tokens) {
  const auto n = static_cast<Position>(tokens.size());
  const SequenceId sequence = model.open(n);
  std::vector<Position> positions;
  std::vector<std::int32_t> rows;
  for (Position p = 0; p < n; ++p) {
    positions.push_back(p);
    rows.push_back(p);
  }
  const std::vector<SequenceId> sequences(tokens.size(), sequence);
  Outputs outputs = model.forward({tokens, positions, sequences, rows});
  model.close(sequence);
  return std::move(outputs.logits);
}

}  // namespace lamina::test
