// Session: a model file opened for use, and completions of prompts with it.
//
// It joins what the generation loop keeps apart: the file, its tokenizer, the model, the KV memory
// of one sequence, and the sampling that the user or the file asks for.
#pragma once

#include "runtime/generate.h"
#include "runtime/gguf_files.h"
#include "runtime/language_model.h"
#include "runtime/registry.h"
#include "runtime/sampling.h"
#include "runtime/tokenizer/tokenizer.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

/// The settings of `general.sampling.*` in the file, and the stated table for the others.
/// Throws Error where the file asks for what is out of range or not there.
SamplingSettings sampling_defaults(const Metadata& metadata);

/// The context to use: the one asked for, else the trained length but at most 4096.
Position choose_context(const LanguageModel& model, std::optional<Position> asked);

/// The largest context of at most `limit` tokens whose KV memory fits into `bytes`.
Position largest_context(const LanguageModel& model, std::uint64_t bytes, Position limit);

/// Bytes that the KV memory of a session may take: a part of what is available stays for
/// activations and for what others take meanwhile.
std::uint64_t memory_for_kv();

/// Throws Error, naming the largest context that fits, where the KV memory of `context` does not
/// fit into `bytes`.
void check_context(const LanguageModel& model, Position context, std::uint64_t bytes);

/// The tokens whose text is shown as nothing but that a stop string spells, such as "<|im_end|>".
std::vector<Token> stop_tokens(const Tokenizer& tokenizer, std::span<const std::string> stops);

struct CompletionSettings {
  Position context = 0;                      // see choose_context
  std::optional<std::int64_t> max_tokens{};  // none: until an end token or the context's end
  std::vector<std::string> stops;
  bool ignore_end = false;    // end tokens are tokens like others
  bool show_special = false;  // control tokens are text like others
  StreamInterval interval{};  // how much text leaves at once
  SamplingSettings sampling;
};

/// A sequence that stays open from one prompt to the next, so that only what is new is fed.
class KeptSequence {
 public:
  KeptSequence(LanguageModel& model, Position context);
  ~KeptSequence();
  KeptSequence(const KeptSequence&) = delete;
  KeptSequence& operator=(const KeptSequence&) = delete;

  /// Forgets what `prompt` does not begin with and returns how many of its tokens are held now:
  /// never all of them, since the last one must be fed for its logits, and none where a store
  /// cannot go back that far.
  Position keep(std::span<const Token> prompt);
  /// The first `length` of the prompt's and the answer's tokens are held now.
  void hold(std::span<const Token> prompt, std::span<const Token> answer, Position length);

  SequenceId id() const { return id_; }
  Position context() const { return context_; }
  std::span<const Token> tokens() const { return tokens_; }

 private:
  LanguageModel& model_;
  Position context_;
  SequenceId id_;
  std::vector<Token> tokens_;  // the sequence begins with them; more is in it after a failure only
};

class Session {
 public:
  Session(const std::filesystem::path& path, const LoadOptions& options);

  const GgufFiles& files() const { return files_; }
  LanguageModel& model() { return *model_; }
  /// Built when first asked for: a model may be run on tokens where the file has no tokenizer.
  const Tokenizer& tokenizer();
  double load_ms() const { return load_ms_; }

  /// Takes the KV memory of `context` tokens, after checking that there is so much, and says so.
  std::unique_ptr<KeptSequence> open(Position context);

  /// Continues the prompt in a sequence of its own. Of `hooks`, `pick` and `piece` are set here.
  Generation complete(std::span<const Token> prompt, const CompletionSettings& settings,
                      GenerateHooks hooks);
  /// The same in a sequence that is kept, whose context is the one that counts. Equal prompts give
  /// equal logits, whatever part of them is held.
  Generation complete(KeptSequence& sequence, std::span<const Token> prompt,
                      const CompletionSettings& settings, GenerateHooks hooks);

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();  // of loading
  GgufFiles files_;
  std::unique_ptr<LanguageModel> model_;
  std::optional<Tokenizer> tokenizer_;
  double load_ms_ = 0;
};

}  // namespace lamina
