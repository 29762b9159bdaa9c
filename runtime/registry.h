// From a model file to a running model: the architecture's name picks the template instance.
#pragma once

#include "lamina/core/format_id.h"
#include "runtime/language_model.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lamina {

class GgufFiles;  // runtime/gguf_files.h

struct LoadOptions {
  std::string backend = "cpu";           // reference | cpu
  std::string isa;                       // of the CPU kernels; empty: the best the machine has
  bool repack = true;                    // the cpu backend lays weights out anew
  int threads = 0;                       // 0: as many as this process may use
  std::optional<FormatId> key_format;    // storage of K; default F16, for the reference backend F32
  std::optional<FormatId> value_format;  // storage of V; the same
  std::function<void(int done, int layers)> progress;  // called as layers are prepared
};

/// Builds the model that `files` holds. The files must outlive it: weights may stay where they lie.
/// Throws Error for an unknown architecture or backend (listing the known ones), for metadata out
/// of range, and for a missing, extra or misshapen tensor, each by name.
std::unique_ptr<LanguageModel> load_model(const GgufFiles& files, const LoadOptions& options);

/// The names of the architectures that load_model knows.
std::span<const std::string_view> architecture_names();

}  // namespace lamina
