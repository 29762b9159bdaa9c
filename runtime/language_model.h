// LanguageModel: a loaded model behind the runtime's one virtual interface. One call runs one
// batch.
#pragma once

#include "lamina/core/types.h"
#include "lamina/model/batch.h"
#include "runtime/model_work.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lamina {

/// What a caller may need to know of a model before running it.
struct ModelInfo {
  std::string architecture;      // general.architecture
  std::string backend;           // "reference", "cpu"
  std::string isa;               // instruction set the kernels use: "portable", "avx2", ...
  std::int64_t parameters = 0;   // weights in the file
  std::int64_t vocab = 0;        // width of a row of logits
  Position trained_context = 0;  // tokens
  KvFormats kv_formats{};        // of keys and values
  ModelWork work{};              // what running it takes at least
};

/// The results of one batch: row i belongs to Batch::outputs[i].
struct Outputs {
  std::vector<float> logits;  // [outputs, vocab]
  std::int64_t vocab = 0;

  std::span<const float> row(std::size_t i) const {
    return std::span(logits).subspan(i * static_cast<std::size_t>(vocab),
                                     static_cast<std::size_t>(vocab));
  }
};

class LanguageModel {
 public:
  virtual ~LanguageModel() = default;

  virtual const ModelInfo& info() const = 0;

  /// Bytes of KV memory that one sequence of `context` tokens takes.
  virtual std::uint64_t kv_bytes(Position context) const = 0;

  /// Starts an empty sequence that can grow to `context` tokens.
  virtual SequenceId open(Position context) = 0;
  /// A copy of `sequence` that goes its own way from here.
  virtual SequenceId fork(SequenceId sequence) = 0;
  /// Forgets every token from position `length` on; throws where the store cannot do so exactly.
  virtual void rollback(SequenceId sequence, Position length) = 0;
  virtual void close(SequenceId sequence) = 0;

  /// Runs the batch, of any size; the tokens' keys and values stay in their sequences.
  virtual Outputs forward(const Batch& batch) = 0;
};

}  // namespace lamina
